/*
 * The share of processors beside other programs, against a plain computation: random computing,
 * preemptions and wake-ups. Prints its seed; SEED=N in the environment starts from case N, CASES=N
 * does that many.
 */
#include "analysis/replay/program/share.h"
#include "tests/random.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_STEPS = 40, LENGTH = 12000000 };

static struct random numbers;

static unsigned dice(unsigned n)
{
	return random_below(&numbers, n);
}

/* A thread computes, or loses its processor (loss: of the operations), or is woken. */
struct step {
	double recorded, kept;
	bool is_loss;
	size_t loss;
};

struct loss {
	bool lost;
	double follows;
	int64_t time, latency;
};

static unsigned steps_random(struct step *steps, struct loss *losses, struct operations *o)
{
	unsigned n = dice(MOST_STEPS);

	for (unsigned i = 0; i < n; i++) {
		struct step *s = &steps[i];
		struct loss *l = &losses[o->all.n];

		*s = (struct step){.is_loss = dice(3) == 0, .loss = o->all.n};
		if (!s->is_loss) {
			s->recorded = dice(LENGTH);
			s->kept = s->recorded * dice(4) / 2;
			continue;
		}
		*l = (struct loss){.lost = dice(2), .follows = 1, .latency = dice(LENGTH)};
		l->time = dice(LENGTH);
		if (!l->lost)
			l->follows = dice(5) / 4.0;
		*vector_add(&o->all) = (struct operation){.kind = OPERATION_DELAY,
							  .time = l->time,
							  .latency = (uint32_t)l->latency,
							  .others = true};
		o->unexplained += l->time + l->latency;
	}
	return n;
}

/* What the thread computed before a step, back to the loss before it: at most SHARE_NEAR. */
static struct computing before(const struct step *steps, unsigned step)
{
	struct computing c = {0, 0};
	unsigned first = step;

	while (first && !steps[first - 1].is_loss)
		first--;
	for (; first < step; first++) {
		c.recorded += steps[first].recorded;
		c.kept += steps[first].kept;
		if (c.recorded > SHARE_NEAR) {
			c.kept *= SHARE_NEAR / c.recorded;
			c.recorded = SHARE_NEAR;
		}
	}
	return c;
}

/* After it, up to the next loss: until that is SHARE_NEAR. */
static struct computing after(const struct step *steps, unsigned n, unsigned step)
{
	struct computing c = {0, 0};

	for (unsigned i = step + 1; i < n && !steps[i].is_loss && c.recorded < SHARE_NEAR; i++) {
		c.recorded += steps[i].recorded;
		c.kept += steps[i].kept;
	}
	return c;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 2;
}

static bool loss_is_right(const struct step *steps, unsigned n, unsigned i, const struct loss *l,
			  const struct operation *o)
{
	struct computing a = before(steps, i), b = after(steps, n, i);
	double recorded = a.recorded + b.recorded, kept = a.kept + b.kept;
	double factor = recorded > 0 ? 1 + l->follows * (kept / recorded - 1) : 1;

	return is_near(o->latency, (double)l->latency * factor) &&
	       is_near((double)o->time, (double)l->time * (l->lost ? factor : 1));
}

static bool case_is_right(uint64_t seed)
{
	struct step steps[MOST_STEPS];
	struct loss losses[MOST_STEPS];
	struct operations o = {0};
	struct share_search s = {.lost = NOTHING_LOST};
	int64_t sum = 0;
	bool good = true;
	unsigned n;

	numbers.state = seed;
	n = steps_random(steps, losses, &o);
	for (unsigned i = 0; i < n; i++) {
		const struct loss *l = &losses[steps[i].loss];

		if (!steps[i].is_loss)
			share_computed(&s, &o, steps[i].recorded, steps[i].kept);
		else if (l->lost)
			share_lost(&s, &o, steps[i].loss);
		else
			share_woken(&s, &o, steps[i].loss, l->follows);
	}
	share_end(&s, &o);
	for (unsigned i = 0; i < n; i++)
		if (steps[i].is_loss)
			good &= loss_is_right(steps, n, i, &losses[steps[i].loss],
					      &o.all.at[steps[i].loss]);
	for (size_t i = 0; i < o.all.n; i++)
		sum += operation_waited(&o.all.at[i]);
	good &= sum == o.unexplained;
	free(o.all.at);
	return good;
}

int main(void)
{
	const char *seed = getenv("SEED"), *cases = getenv("CASES");
	uint64_t first = seed ? strtoull(seed, NULL, 10) : 1;
	uint64_t n = cases ? strtoull(cases, NULL, 10) : 20000;

	printf("# %llu threads from seed %llu\n1..1\n", (unsigned long long)n,
	       (unsigned long long)first);
	for (uint64_t i = first; i < first + n; i++)
		if (!case_is_right(i)) {
			printf("not ok 1 - the share stays: SEED=%llu\n", (unsigned long long)i);
			return 1;
		}
	printf("ok 1 - the share stays\n");
	return 0;
}
