/*
 * Ticks to nanoseconds: exact at samples, rounded down between them, never decreasing; wrong
 * samples do no harm.
 */
#include "trace/format/clock.h"
#include <stdio.h>
#include <stdlib.h>

static unsigned count, failures;

static void report(bool good, const char *name)
{
	printf("%sok %u - %s\n", good ? "" : "not ", ++count, name);
	failures += !good;
}

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* Pairs of a clock of 1 MHz to 8 GHz, seconds apart, steered by less than a thousandth. */
static size_t samples_make(struct clock_sample *samples, size_t n, uint64_t *state)
{
	uint64_t frequency = 1000000 + random_next(state) % 8000000000;
	struct clock_sample p = {random_next(state) >> 10, (int64_t)(random_next(state) >> 14), 0};

	for (size_t i = 0; i < n; i++) {
		uint64_t ns = 2000000 + random_next(state) % 3000000000;

		samples[i] = p;
		p.monotonic += (int64_t)ns;
		p.ticks += (uint64_t)((unsigned __int128)ns * frequency / 1000000000);
		p.ticks += random_next(state) % (ns / 2000000 + 1);
	}
	return n;
}

/* Returns whether ns is the exact time on the line through both samples, or one less. */
static bool near_exact(const struct clock_sample *a, const struct clock_sample *b, uint64_t ticks,
		       int64_t ns)
{
	__int128 part = (__int128)(ticks - a->ticks) * (b->monotonic - a->monotonic);
	__int128 exact = a->monotonic + part / (__int128)(b->ticks - a->ticks);

	return ns == exact || ns == exact + 1;
}

static void lines_test(uint64_t *state)
{
	bool met = true, between = true, forward = true;

	for (int round = 0; round < 2000; round++) {
		struct clock_sample samples[6], copy[6];
		size_t n = samples_make(samples, 2 + round % 5, state);
		struct clock c;

		for (size_t i = 0; i < n; i++)
			copy[i] = samples[i];
		if (!clock_build(&c, copy, n, NULL, 0, 0))
			exit(2);
		for (size_t i = 0; i + 1 < n; i++) {
			const struct clock_sample *a = &samples[i], *b = &samples[i + 1];
			uint64_t ticks = a->ticks + random_next(state) % (b->ticks - a->ticks);

			met &= clock_ns(&c, a->ticks) == a->monotonic;
			met &= clock_ns(&c, b->ticks) == b->monotonic;
			between &= near_exact(a, b, ticks, clock_ns(&c, ticks));
			forward &= clock_ns(&c, ticks) <= clock_ns(&c, ticks + 1);
			forward &= clock_ns(&c, a->ticks - 1) <= clock_ns(&c, a->ticks);
		}
		clock_clear(&c);
	}
	report(met, "samples are met");
	report(between, "between samples it is the line, rounded down");
	report(forward, "time never steps back");
}

static void lies_test(uint64_t *state)
{
	bool bounded = true;

	for (int round = 0; round < 20000; round++) {
		struct clock_sample samples[4];
		struct clock c;
		uint64_t a = random_next(state) >> random_next(state) % 64, b = random_next(state);
		int64_t na, nb;

		for (int i = 0; i < 4; i++)
			samples[i] = (struct clock_sample){
			    random_next(state) >> random_next(state) % 64,
			    (int64_t)(random_next(state) >> random_next(state) % 64), 0};
		if (!clock_build(&c, samples, random_next(state) % 5,
				 &samples[2], round % 2 ? 2 : 0, a))
			exit(2);
		na = clock_ns(&c, a < b ? a : b);
		nb = clock_ns(&c, a < b ? b : a);
		bounded &= na <= nb && !__builtin_sub_overflow(nb, na, &na);
		clock_clear(&c);
	}
	report(bounded, "lying samples give ordered times whose differences do not overflow");
}

/* ---- tables with leaps ---- */

#define PAIRS 12

/* Pairs of a steady clock, with leaps in some pieces: to and fro in time, never in ticks. */
struct leaping {
	struct clock_sample pairs[PAIRS];
	size_t n;
	bool leaps[PAIRS];              /* in the piece that begins there */
	double rate;                    /* ticks in a nanosecond */
};

static void leaping_make(struct leaping *l, uint64_t *state)
{
	struct clock_sample p = {1 + (random_next(state) >> 10),
				 (int64_t)(random_next(state) >> 14), 0};

	l->rate = (double)(10000000 + random_next(state) % 5000000000) / 1e9;
	l->n = 4 + random_next(state) % (PAIRS - 3);
	for (size_t i = 0; i < l->n; i++) {
		uint64_t ns = 2000000 + random_next(state) % 3000000000;
		uint64_t away = random_next(state) >> (8 + random_next(state) % 40);

		l->pairs[i] = p;
		/* two steady pieces after each leap, so that the next one is told from it */
		l->leaps[i] = i > 0 && i + 1 < l->n && !l->leaps[i - 1] &&
			      (i < 2 || !l->leaps[i - 2]) && random_next(state) % 3 == 0;
		away = 1000000 + ns / 100 + away % 100000000000000;
		p.ticks += (uint64_t)((double)ns * l->rate);
		p.monotonic += (int64_t)ns;
		if (l->leaps[i] && random_next(state) % 2)
			p.ticks += (uint64_t)((double)away * l->rate);
		else if (l->leaps[i])
			p.monotonic += (int64_t)away;
	}
}

/* The process file's list: first, newest, then the rest in any order. */
static size_t leaping_list(const struct leaping *l, struct clock_sample *list, uint64_t *state)
{
	size_t n = 2;

	list[0] = l->pairs[0];
	list[1] = l->pairs[l->n - 1];
	for (size_t i = 1; i + 1 < l->n; i++) {
		size_t at = 2 + random_next(state) % (n - 1);

		list[n++] = list[at];   /* or itself, where it is the next */
		list[at] = l->pairs[i];
	}
	return n;
}

/* Returns whether ns is right to a few nanoseconds, and to what the rate's rounding makes of it. */
static bool leap_right(const struct leaping *l, size_t i, uint64_t ticks, int64_t ns)
{
	const struct clock_sample *a = &l->pairs[i], *b = a + 1;
	double expected = (double)(ticks - a->ticks) / l->rate;
	double most = (double)(b->monotonic - a->monotonic), off;

	if (!l->leaps[i])
		return near_exact(a, b, ticks, ns);
	off = (double)(ns - a->monotonic) - (expected < most ? expected : most);
	return (off < 0 ? -off : off) <= 1000 + expected / 10000;
}

static void leaps_test(uint64_t *state)
{
	bool met = true, between = true, forward = true, found = true;

	for (int round = 0; round < 5000; round++) {
		struct clock_sample list[PAIRS + 1];
		struct leaping l;
		struct clock c;
		size_t n, k = 0;

		leaping_make(&l, state);
		n = leaping_list(&l, list, state);
		if (!clock_build(&c, NULL, 0, list, n, (uint64_t)(l.rate * 1e9)))
			exit(2);
		for (size_t i = 0; i + 1 < l.n; i++) {
			const struct clock_sample *a = &l.pairs[i], *b = a + 1;
			uint64_t ticks = a->ticks + random_next(state) % (b->ticks - a->ticks);

			met &= clock_ns(&c, a->ticks) == a->monotonic;
			met &= clock_ns(&c, b->ticks) == b->monotonic;
			between &= leap_right(&l, i, ticks, clock_ns(&c, ticks));
			forward &= clock_ns(&c, ticks) <= clock_ns(&c, ticks + 1);
			forward &= clock_ns(&c, a->ticks - 1) <= clock_ns(&c, a->ticks);
			forward &= clock_ns(&c, b->ticks - 1) <= b->monotonic;
			found &= !l.leaps[i] ||
				 (k < c.nbreaks && c.breaks[k].from == a->monotonic &&
				  c.breaks[k].to == b->monotonic);
			k += l.leaps[i];
		}
		found &= k == c.nbreaks;
		clock_clear(&c);
	}
	report(met, "with leaps, the table's samples are met");
	report(between, "before a leap time goes on as before, and stands after it");
	report(forward, "leaps do not make it step back");
	report(found, "they are found, and nothing else");
}

static void lying_tables_test(uint64_t *state)
{
	bool bounded = true;

	for (int round = 0; round < 20000; round++) {
		struct clock_sample list[6];
		size_t n = 3 + random_next(state) % 4;
		uint64_t a = random_next(state) >> random_next(state) % 64;
		uint64_t b = random_next(state) >> random_next(state) % 64;
		int64_t na, nb;
		struct clock c;

		for (size_t i = 0; i < n; i++)
			list[i] = (struct clock_sample){
			    random_next(state) >> random_next(state) % 64,
			    (int64_t)(random_next(state) >> random_next(state) % 64), 0};
		if (round % 3)
			list[1] = (struct clock_sample){UINT64_MAX >> 4, INT64_MAX >> 3, 0};
		if (!clock_build(&c, NULL, 0, list, n,
				 random_next(state) >> random_next(state) % 64))
			exit(2);
		na = clock_ns(&c, a < b ? a : b);
		nb = clock_ns(&c, a < b ? b : a);
		bounded &= na <= nb && !__builtin_sub_overflow(nb, na, &na);
		for (size_t i = 0; i < c.nlines; i++)
			bounded &= clock_ns(&c, c.lines[i].from) >=
				   clock_ns(&c, c.lines[i].from - (c.lines[i].from > 0));
		clock_clear(&c);
	}
	report(bounded, "so do lying tables");
}

static void thin_test(void)
{
	struct clock_sample samples[] = {
	    {0, 0, 0}, {3000000, 1000000, 0}, {3000300, 1000200, 0}, {6000000, 2000000, 0}};
	struct clock_sample one = {1000, 5000, 0};
	struct clock c;

	if (!clock_build(&c, samples, 4, NULL, 0, 0))
		exit(2);
	report(c.nsamples == 3 && clock_ns(&c, 3000300) == 1000100,
	       "a sample nearer than 1 ms is skipped");
	clock_clear(&c);
	if (!clock_build(&c, &one, 1, NULL, 0, 2000000000))
		exit(2);
	report(clock_ns(&c, 3000) == 6000 && clock_ns(&c, 0) == 4500,
	       "one sample goes with the frequency that is known");
	clock_clear(&c);
	if (!clock_build(&c, NULL, 0, NULL, 0, 0))
		exit(2);
	report(clock_ns(&c, 12345) == 12345, "without samples ticks are nanoseconds");
	clock_clear(&c);
}

/* The inverse: the first ticks that are not before a time. */
static void ticks_test(uint64_t *state)
{
	bool first = true, forward = true;

	for (int round = 0; round < 2000; round++) {
		struct clock_sample samples[6];
		size_t n = samples_make(samples, 2 + round % 5, state);
		int64_t begin = samples[0].monotonic, span = samples[n - 1].monotonic - begin;
		uint64_t before = 0;
		struct clock c;

		if (!clock_build(&c, samples, n, NULL, 0, 0))
			exit(1);
		for (int i = 0; i <= 100; i++) {
			int64_t ns = begin + span / 100 * i;
			uint64_t ticks = clock_ticks(&c, ns);

			first &= clock_ns(&c, ticks) >= ns && (i == 0 || clock_ns(&c, ticks - 1) < ns);
			forward &= ticks >= before;
			before = ticks;
		}
		clock_clear(&c);
	}
	report(first, "the first ticks that are not before a time");
	report(forward, "later times have no earlier ticks");
}

int main(void)
{
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : 20261121, state = seed | 1;

	printf("# SEED=%llu\n", (unsigned long long)seed);
	lines_test(&state);
	ticks_test(&state);
	lies_test(&state);
	leaps_test(&state);
	lying_tables_test(&state);
	thin_test();
	printf("1..%u\n", count);
	return failures > 0;
}
