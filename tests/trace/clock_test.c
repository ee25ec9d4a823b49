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
		if (!clock_build(&c, copy, n, NULL, 0))
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
				 round % 2 ? &samples[2] : NULL, a))
			exit(2);
		na = clock_ns(&c, a < b ? a : b);
		nb = clock_ns(&c, a < b ? b : a);
		bounded &= na <= nb && !__builtin_sub_overflow(nb, na, &na);
		clock_clear(&c);
	}
	report(bounded, "lying samples give ordered times whose differences do not overflow");
}

static void thin_test(void)
{
	struct clock_sample samples[] = {
	    {0, 0, 0}, {3000000, 1000000, 0}, {3000300, 1000200, 0}, {6000000, 2000000, 0}};
	struct clock_sample one = {1000, 5000, 0};
	struct clock c;

	if (!clock_build(&c, samples, 4, NULL, 0))
		exit(2);
	report(c.nsamples == 3 && clock_ns(&c, 3000300) == 1000100,
	       "a sample nearer than 1 ms is skipped");
	clock_clear(&c);
	if (!clock_build(&c, &one, 1, NULL, 2000000000))
		exit(2);
	report(clock_ns(&c, 3000) == 6000 && clock_ns(&c, 0) == 4500,
	       "one sample goes with the frequency that is known");
	clock_clear(&c);
	if (!clock_build(&c, NULL, 0, NULL, 0))
		exit(2);
	report(clock_ns(&c, 12345) == 12345, "without samples ticks are nanoseconds");
	clock_clear(&c);
}

int main(void)
{
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : 20261121, state = seed | 1;

	printf("# SEED=%llu\n", (unsigned long long)seed);
	lines_test(&state);
	lies_test(&state);
	thin_test();
	printf("1..%u\n", count);
	return failures > 0;
}
