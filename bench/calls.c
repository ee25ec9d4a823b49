/*
 * The distribution of single calls: each of ten million is timed with the counter, the time of
 * reading it taken off. For the slowest it is said what happened in them.
 */
#include "bench/measure.h"
#include "tests/runtime/probe.h"
#include <stdbool.h>
#include <sys/resource.h>

#define CALLS 10000000u
#define BUCKETS 4096u           /* of one tick below 1024, then 32 for each power of two */

static uint32_t buckets[BUCKETS];

enum cause { CAUSE_SWITCH, CAUSE_FAULT, CAUSE_WRITE, CAUSE_NONE, CAUSES };

static unsigned bucket_of(uint64_t ticks)
{
	unsigned shift = 0;

	if (ticks < 1024)
		return (unsigned)ticks;
	while (ticks >> shift >= 64)
		shift++;
	return 1024 + shift * 32 + (unsigned)(ticks >> shift) - 32;
}

static double bucket_ticks(unsigned bucket)
{
	unsigned shift = (bucket - 1024) / 32;

	return bucket < 1024 ? bucket : (double)((uint64_t)((bucket - 1024) % 32 + 32) << shift);
}

static double percentile(double share)
{
	double wanted = share * CALLS, seen = 0;

	for (unsigned i = 0; i < BUCKETS; i++) {
		seen += buckets[i];
		if (seen >= wanted)
			return bucket_ticks(i);
	}
	return 0;
}

/* A call is a write when the tail was emptied in it, which shows at its head. */
static enum cause cause_of(const struct rusage *before, const struct rusage *after, bool wrote)
{
	if (after->ru_nivcsw != before->ru_nivcsw || after->ru_nvcsw != before->ru_nvcsw)
		return CAUSE_SWITCH;
	if (wrote)
		return CAUSE_WRITE;
	return after->ru_minflt != before->ru_minflt ? CAUSE_FAULT : CAUSE_NONE;
}

static double ticks_per_ns(void)
{
	double wall = wall_ns();
	uint64_t ticks = glimpse_ticks();

	while (wall_ns() - wall < 2e7)
		;
	return (double)(glimpse_ticks() - ticks) / (wall_ns() - wall);
}

static uint64_t reading_cost(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 1000; i++) {
		uint64_t began = glimpse_ticks(), time = glimpse_ticks() - began;

		least = time < least ? time : least;
	}
	return least;
}

/* Results: p50, p99, p99.9, maximum in ns; slow calls by cause. */
static void distribution(void *argument, double *results)
{
	uint64_t reading = reading_cost(), most = 0;
	double rate = ticks_per_ns();
	struct rusage before, after;

	(void)argument;
	event_loop(1000000);
	getrusage(RUSAGE_THREAD, &before);
	for (uint32_t i = 0; i < CALLS; i++) {
		uint64_t head = glimpse_self->head, began = glimpse_ticks(), time;

		Tick_Stamp((int32_t)i, 0);
		time = glimpse_ticks() - began;
		time = time > reading ? time - reading : 0;
		buckets[bucket_of(time)]++;
		most = time > most ? time : most;
		if ((double)time < 5000 * rate)
			continue;
		getrusage(RUSAGE_THREAD, &after);
		results[4 + cause_of(&before, &after, glimpse_self->head < head)]++;
		before = after;
	}
	results[0] = percentile(0.5) / rate;
	results[1] = percentile(0.99) / rate;
	results[2] = percentile(0.999) / rate;
	results[3] = (double)most / rate;
}

int main(void)
{
	double r[RESULTS];

	measure(distribution, NULL, NULL, r);
	row("single call, p50, ns", r[0], "-", "of %u calls, the reading of the counter taken off",
	    CALLS);
	row("single call, p99, ns", r[1], "-", "p99.9 %.0f ns, slowest %.0f us", r[2], r[3] / 1e3);
	row("calls slower than 5 us", r[4] + r[5] + r[6] + r[7], "-",
	    "%.0f switched to another thread, %.0f wrote to the log, %.0f page faults, "
	    "%.0f else (interrupts)", r[4 + CAUSE_SWITCH], r[4 + CAUSE_WRITE], r[4 + CAUSE_FAULT],
	    r[4 + CAUSE_NONE]);
	return 0;
}
