/*
 * What samples stand for where locks are held, against each moment by itself: of random samples and holds. Prints its
 * seed; SEED=N in the environment starts from case N, CASES=N does that many.
 * tested: oracles with random cases, CASES traces (CASES=100000): samples where locks are held,
 * and each time by itself.
 */
#include "analysis/activity/held_samples.h"
#include "tests/cases.h"
#include "tests/random.h"
#include <stdlib.h>

enum { END = 120, CASES = 2000 };

static struct random numbers;

static unsigned dice(unsigned n)
{
	return random_below(&numbers, n);
}

static void samples_random(struct thread_samples *t)
{
	unsigned most = 1 + dice(30);

	for (int64_t from = dice(5), to; from < END; from = to) {
		to = from + 1 + dice(most);
		*vector_add(&t->list) =
		    (struct stack_sample){from, to < END ? to : INT64_MAX, dice(5), true, false};
	}
}

static void holds_random(span_vector *holds)
{
	unsigned most = 1 + dice(12);

	for (int64_t start = dice(most), end; start < END; start += dice(most + 1)) {
		end = dice(20) ? start + 1 + dice(most) : INT64_MAX;
		*vector_add(holds) = (struct instance_span){start, end, dice(3)};
	}
	instance_spans_sort(holds->at, holds->n);
}

/* The lock that is held, of those that are the one that was taken last; -1: none. */
static int held_at(const span_vector *holds, int64_t time)
{
	int held = -1;

	for (size_t i = 0; i < holds->n; i++)
		if (holds->at[i].start <= time && time < holds->at[i].end)
			held = (int)holds->at[i].class;
	return held;
}

/* Returns the time that a sample is about: the moment before it was taken. */
static int64_t moment_of(const struct stack_sample *s)
{
	return (s->to == INT64_MAX ? s->from : s->to) - 1;
}

/* The stack that was there at a time: of the next sample under the same lock, else the last one, else of any. */
static uint32_t stack_at(const struct thread_samples *t, const span_vector *holds, int64_t time)
{
	const struct stack_sample *found = NULL;

	for (size_t i = 0; i < t->list.n; i++)
		if (held_at(holds, moment_of(&t->list.at[i])) == held_at(holds, time)) {
			found = &t->list.at[i];
			if (moment_of(found) >= time)
				break;
		}
	for (size_t i = 0; !found; i++)
		if (time < t->list.at[i].to)
			found = &t->list.at[i];
	return found->stack;
}

static bool holds_case(unsigned seed)
{
	struct thread_samples t = {0}, list;
	span_vector holds = {0};
	bool good = true;
	size_t at = 0;

	numbers.state = seed;
	samples_random(&t);
	if (dice(10))
		holds_random(&holds);
	list = held_samples(&t, &holds);
	for (int64_t time = t.list.at[0].from; good && time < END + 20; time++) {
		while (at + 1 < list.list.n && list.list.at[at].to <= time)
			at++;
		good = list.list.at[at].from <= time && time < list.list.at[at].to &&
		       list.list.at[at].stack == stack_at(&t, &holds, time);
		if (!good)
			printf("# at %d: stack %u, wanted %u\n", (int)time, list.list.at[at].stack,
			       stack_at(&t, &holds, time));
	}
	good &= list.list.at[list.list.n - 1].to == INT64_MAX;
	free(t.list.at);
	free(holds.at);
	free(list.list.at);
	return good;
}

int main(void)
{
	cases_hold(holds_case, CASES,
		   "a sample stands for time under the lock that it was taken under");
	return tap_end();
}
