/*
 * States from random samples and waits: they cover each period without gap, their sums are those of
 * the samples, and a thread runs in a wait only where the samples leave no other time. Then threads
 * whose real states are known, as a kernel with ticks samples them: sums are right.
 * tested: oracles with random cases, rounds recordings: the states of threads from samples, and
 * their sums.
 */
#include "recorder/merge/sampled_states.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

struct plan {
	struct sampled_period periods[MOST], given[MOST];
	struct sampled_wait waits[MOST];
	size_t nperiods, nwaits;
};

static const char *failed;

static void fail(const char *what)
{
	if (!failed)
		failed = what;
}

static int64_t common(int64_t from, int64_t to, int64_t begin, int64_t end)
{
	from = from > begin ? from : begin;
	to = to < end ? to : end;
	return to > from ? to - from : 0;
}

/* The oracle: time by time, each state's sum within bounds. */
static int64_t sum_within(const sampled_stretches *s, int state, int64_t from, int64_t to)
{
	int64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		if (state < 0 || (int)s->at[i].state == state)
			sum += common(s->at[i].from, s->at[i].to, from, to);
	return sum;
}

static int64_t waits_within(const struct plan *p, int64_t from, int64_t to)
{
	int64_t sum = 0;

	for (size_t i = 0; i < p->nwaits; i++)
		sum += common(p->waits[i].from, p->waits[i].to, from, to);
	return sum;
}

static int64_t runs_in_waits(const struct plan *p, const sampled_stretches *s, int64_t from,
			     int64_t to)
{
	int64_t sum = 0;

	for (size_t i = 0; i < p->nwaits; i++) {
		int64_t begin = p->waits[i].from > from ? p->waits[i].from : from;
		int64_t end = p->waits[i].to < to ? p->waits[i].to : to;

		if (begin < end)
			sum += sum_within(s, SAMPLED_RUNS, begin, end);
	}
	return sum;
}

static void order_check(const sampled_stretches *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->at[i].from >= s->at[i].to)
			fail("a state without time");
		if (i && s->at[i - 1].to > s->at[i].from)
			fail("states overlap");
		if (i && s->at[i - 1].to == s->at[i].from && s->at[i - 1].state == s->at[i].state)
			fail("a state is in two parts");
	}
}

static void periods_check(const struct plan *p, const sampled_stretches *s, bool late)
{
	int64_t all[SAMPLED_STATES] = {0}, made[SAMPLED_STATES] = {0};

	for (size_t i = 0; i < p->nperiods; i++) {
		const struct sampled_period *x = &p->periods[i], *given = &p->given[i];
		int64_t free_time = x->to - x->from - waits_within(p, x->from, x->to), runs, sum;

		if (sum_within(s, -1, x->from, x->to) != x->to - x->from)
			fail("a period has a gap");
		for (int k = 0; k < SAMPLED_STATES; k++) {
			sum = sum_within(s, k, x->from, x->to);
			all[k] += given->sums[k];
			made[k] += sum;
			if (sum != x->sums[k])
				fail("a period has other sums");
			if (!late && !p->nwaits && sum != given->sums[k])
				fail("sums that fit were changed");
		}
		runs = runs_in_waits(p, s, x->from, x->to);
		if (runs && sum_within(s, SAMPLED_RUNS, x->from, x->to) - runs != free_time)
			fail("a thread runs in a wait that need not");
	}
	for (int k = 0; k < SAMPLED_STATES && !late; k++)
		if (all[k] != made[k])
			fail("the sums of all periods were changed");
}

/*
 * Before another thread let it go on, a thread is ready in a wait only if it is ready all the time
 * after that; and then it is not blocked before. Of waits that are in one period.
 */
static void causes_check(const struct plan *p, const sampled_stretches *s)
{
	for (size_t i = 0, k = 0; i < p->nwaits; i++) {
		const struct sampled_wait *w = &p->waits[i];

		while (k < p->nperiods && p->periods[k].to < w->to)
			k++;
		if (k == p->nperiods || p->periods[k].from > w->from || w->caused <= w->from)
			continue;
		if (sum_within(s, SAMPLED_READY, w->from, w->caused) &&
		    sum_within(s, SAMPLED_BLOCKED, w->caused, w->to))
			fail("a thread is ready in a wait before its cause");
	}
}

/* Where no sample is, only waits are known. */
static void gaps_check(const struct plan *p, const sampled_stretches *s)
{
	int64_t at = 0;

	for (size_t i = 0; i <= p->nperiods; i++) {
		int64_t to = i < p->nperiods ? p->periods[i].from : INT64_MAX;

		if (sum_within(s, SAMPLED_BLOCKED, at, to) != waits_within(p, at, to) ||
		    sum_within(s, -1, at, to) != waits_within(p, at, to))
			fail("without samples a thread is not blocked in its waits alone");
		at = i < p->nperiods ? p->periods[i].to : at;
	}
}

/* After a time, blocked time is left in waits only; all else stays. */
static void doubt_check(const struct plan *p, sampled_stretches *s, int64_t since)
{
	int64_t sums[SAMPLED_STATES], before = sum_within(s, SAMPLED_BLOCKED, 0, since), waited = 0;

	for (int k = 0; k < SAMPLED_STATES; k++)
		sums[k] = sum_within(s, k, 0, INT64_MAX);
	for (size_t i = 0; i < p->nwaits; i++)
		if (p->waits[i].to > since)
			waited += sum_within(s, SAMPLED_BLOCKED,
					     p->waits[i].from > since ? p->waits[i].from : since,
					     p->waits[i].to);
	sampled_states_doubt(s, 0, since, p->waits, p->nwaits);
	order_check(s);
	for (int k = 0; k < SAMPLED_STATES; k++)
		if (sum_within(s, k, 0, INT64_MAX) !=
		    (k == SAMPLED_BLOCKED ? before + waited : sums[k]))
			fail("doubt changes more than blocked time outside of waits");
}

/* ---- random ---- */

static void waits_make(struct plan *p, struct random *seed, int64_t end)
{
	int64_t at = random_below(seed, 20000000);

	p->nwaits = random_below(seed, 4) ? random_below(seed, MOST) : 0;
	for (size_t i = 0; i < p->nwaits; i++) {
		int64_t wait = 1 + random_below(seed, random_below(seed, 2) ? 30000000 : 50000);

		p->waits[i] = (struct sampled_wait){
		    at, at + wait,
		    random_below(seed, 2) ? at + random_below(seed, (unsigned)wait + 1)
					  : INT64_MIN};
		at += wait + 1 + random_below(seed, 10000000);
		if (at > end)
			p->nwaits = i + 1;
	}
}

static void random_round(struct random *seed)
{
	sampled_stretches s = {NULL};
	struct plan p = {.nperiods = 1 + random_below(seed, MOST)};
	bool late = !random_below(seed, 3);
	int64_t at = random_below(seed, 1000000);

	for (size_t i = 0; i < p.nperiods; i++) {
		int64_t span = 1 + random_below(seed, 20000000), running, ready;

		at += random_below(seed, 4) ? 0 : random_below(seed, 5000000);
		running = random_below(seed, 3) ? random_below(seed, (unsigned)span + 1) : 0;
		ready =
		    random_below(seed, 2) ? random_below(seed, (unsigned)(span - running) + 1) : 0;
		p.periods[i] = (struct sampled_period){
		    at, at + span, {running, ready, span - running - ready}};
		if (late && !random_below(seed, 3)) {
			p.periods[i].sums[SAMPLED_RUNS] = span + random_below(seed, 4000000);
			p.periods[i].sums[SAMPLED_BLOCKED] = 0;
		}
		at += span;
	}
	waits_make(&p, seed, at);
	memcpy(p.given, p.periods, sizeof p.given);
	sampled_states_make(&s, p.periods, p.nperiods, p.waits, p.nwaits);
	order_check(&s);
	periods_check(&p, &s, late);
	gaps_check(&p, &s);
	causes_check(&p, &s);
	doubt_check(&p, &s, random_below(seed, (unsigned)at + 1));
	free(s.at);
}

/* ---- a kernel with ticks ---- */

/*
 * A thread runs, waits for a processor, and waits; the kernel counts running at ticks of 4 ms and
 * when it stops. Samples are 10 ms apart.
 */
static void kernel_round(struct random *seed)
{
	enum { TICK = 4000000, EVERY = 10000000 };
	sampled_stretches s = {NULL};
	struct plan p = {0};
	int64_t at = 0, next = EVERY, ran = 0, delayed = 0, true_ran = 0, true_waited = 0;
	int64_t last_ran = 0, last_delayed = 0;
	size_t n;

	while (p.nperiods < MOST) {
		int64_t runs = random_below(seed, 15000000), ready = random_below(seed, 3000000);
		int64_t wait = 1 + random_below(seed, 15000000), ends[3];

		ends[0] = at + runs;
		ends[1] = ends[0] + wait;
		ends[2] = ends[1] + ready;
		for (; p.nperiods < MOST && next < ends[2]; next += EVERY) {
			struct sampled_period *x = &p.periods[p.nperiods++];
			int64_t counted = next < ends[0] ? (next - at) / TICK * TICK : runs;

			*x = (struct sampled_period){
			    next - EVERY,
			    next,
			    {ran + counted - last_ran, delayed - last_delayed, 0}};
			last_ran = ran + counted;
			last_delayed = delayed;
			x->sums[SAMPLED_BLOCKED] = EVERY - x->sums[0] - x->sums[1];
			if (x->sums[SAMPLED_BLOCKED] < 0)
				x->sums[SAMPLED_BLOCKED] = 0;
		}
		true_ran += common(at, ends[0], 0, (int64_t)MOST * EVERY);
		true_waited += common(ends[0], ends[1], 0, (int64_t)MOST * EVERY);
		if (p.nwaits < MOST)
			p.waits[p.nwaits++] = (struct sampled_wait){ends[0], ends[2], ends[1]};
		ran += runs;
		delayed += ready;
		at = ends[2];
	}
	n = p.nwaits;
	memcpy(p.given, p.periods, sizeof p.given);
	sampled_states_make(&s, p.periods, p.nperiods, p.waits, n);
	order_check(&s);
	/* what it ran since the last tick is not counted yet, nor what fits nowhere */
	if (llabs(sum_within(&s, SAMPLED_RUNS, 0, (int64_t)MOST * EVERY) - true_ran) > 2 * TICK)
		fail("the thread runs for another time");
	if (llabs(sum_within(&s, SAMPLED_BLOCKED, 0, (int64_t)MOST * EVERY) - true_waited) >
	    2 * TICK + 3000000)
		fail("the thread is blocked for another time");
	free(s.at);
}

int main(int argc, char **argv)
{
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	int rounds = argc > 1 ? 1 : 20000;

	for (int i = 0; i < rounds && !failed; i++) {
		struct random seed = {first + (uint64_t)i};

		random_round(&seed);
		kernel_round(&seed);
		if (failed)
			printf("# seed %" PRIu64 ": %s\n", first + (uint64_t)i, failed);
	}
	printf("%sok 1 - states from samples have their sums, and waits stay\n1..1\n",
	       failed ? "not " : "");
	return failed != NULL;
}
