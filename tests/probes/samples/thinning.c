/*
 * Which samples are taken while they cost too much, with a clock and costs of its own: the cost stays
 * near 2 % of the machine, all are taken again once they are cheap, and every thread has its part.
 * SEED chooses the random costs.
 */
#include "recorder/samples/thinning.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MS INT64_C(1000000)

static unsigned tests;

static void check(bool good, const char *what)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", ++tests, what);
}

/* Time, the processor time of samples up to then, and how many were taken. */
static int64_t now, used;
static uint64_t taken;

/* Runs for some ms with so many threads, each with a sample in each ms that costs so many ns. */
static void run(unsigned ms, unsigned threads, int64_t cost)
{
	for (unsigned i = 0; i < ms; i++) {
		now += MS;
		for (uint32_t t = 0; t < threads; t++)
			if (thinning_takes(1000 + t)) {
				used += cost;
				taken++;
			}
		if (i % 20 == 0)
			thinning_look(now, used);
	}
}

static void begin(unsigned processors)
{
	now = 5000 * MS;
	used = 0;
	taken = 0;
	thinning_open(now, processors);
}

static double share_of(int64_t from, int64_t used_from, unsigned processors)
{
	return (double)(used - used_from) / ((double)(now - from) * processors);
}

/* Random loads: after two seconds at the same cost, at most 2 %, or one of 64 is taken. */
static bool random_loads(unsigned seed)
{
	srand(seed);
	for (int i = 0; i < 300; i++) {
		unsigned processors = 1u << rand() % 6,
			 threads = 1 + (unsigned)rand() % (2 * processors);
		int64_t cost = 500 + rand() % 200000, from, before;

		begin(processors);
		run(2000, threads, cost);
		from = now;
		before = used;
		run(2000, threads, cost);
		/* what comes between two looks is not known before */
		if (share_of(from, before, processors) > 0.021 && thinning_fewest() < THINNING_MOST)
			return false;
	}
	return true;
}

int main(void)
{
	const char *given = getenv("SEED");
	unsigned seed = given ? (unsigned)atoi(given) : (unsigned)time(NULL);
	uint64_t each[4] = {0};

	printf("# SEED=%u\n", seed);
	begin(2);
	run(5000, 2, 5000);
	check(taken == 10000 && thinning_fewest() == 1, "cheap samples are all taken");
	begin(2);
	run(5000, 2, 200000);
	check(thinning_fewest() == 16 || thinning_fewest() == 8, "of dear ones fewer");
	taken = 0;
	run(20000, 2, 100);
	taken = 0;
	run(1000, 2, 100);
	check(taken == 2000, "once they are cheap all are taken again");
	begin(0);
	run(5000, 2, 400000);
	check(taken == 10000, "where the rate is given all are, whatever they cost");
	begin(1);
	run(2000, 4, 300000);
	for (int i = 0; i < 6400; i++)
		for (uint32_t t = 0; t < 4; t++)
			each[t] += thinning_takes(1000 + t);
	check(each[0] >= 100 && each[0] == each[1] && each[1] == each[2] && each[2] == each[3],
	      "each thread has the same part");
	check(random_loads(seed), "random loads: at most 2 % of the machine");
	printf("1..%u\n", tests);
	return 0;
}
