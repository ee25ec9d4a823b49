/*
 * The distribution of single calls: each of ten million is timed with the counter, the time of
 * reading it taken off. For the slowest it is said what happened in them.
 */
#include "bench/measure.h"
#include "tests/runtime/probe.h"
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define CALLS 10000000u
#define BUCKETS 4096u           /* of one tick below 1024, then 32 for each power of two */

static uint32_t buckets[BUCKETS];

#define SLOW_NS 5000

enum cause { CAUSE_SWITCH, CAUSE_FAULT, CAUSE_WRITE, CAUSE_INTERRUPT, CAUSE_HOST, CAUSES };

static const char *const causes[] = { "another thread ran", "page fault",
				      "window change: the tail was emptied", "interrupt",
				      "nothing that the kernel knows: the host" };

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

/* What may happen to a thread, as far as the kernel counts it. */
struct counts {
	struct rusage usage;
	unsigned long interrupts;
};

/*
 * Of the processor that the thread is kept on: the sum of its column in /proc/interrupts, whose
 * file stays open.
 */
static unsigned long interrupts_of(int cpu)
{
	static FILE *file;
	unsigned long sum = 0;
	char line[4096];

	if (!file)
		file = fopen("/proc/interrupts", "r");
	if (!file)
		return 0;
	rewind(file);
	while (fgets(line, sizeof line, file)) {
		char *at = strchr(line, ':');

		at = at ? at + 1 : line + strlen(line);
		for (int i = 0; i < cpu; i++)
			strtoul(at, &at, 10);
		sum += strtoul(at, NULL, 10);
	}
	return sum;
}

static int stay_here(void)
{
	int cpu = sched_getcpu();
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof one, &one);
	return cpu;
}

static struct counts counts_now(int cpu)
{
	struct counts c;

	getrusage(RUSAGE_THREAD, &c.usage);
	c.interrupts = interrupts_of(cpu);
	return c;
}

/* A call changed the window when the tail was emptied in it, which shows at its head. */
static enum cause cause_of(const struct counts *before, const struct counts *after, bool wrote)
{
	const struct rusage *a = &after->usage, *b = &before->usage;

	if (wrote)
		return CAUSE_WRITE;
	if (a->ru_nivcsw != b->ru_nivcsw || a->ru_nvcsw != b->ru_nvcsw)
		return CAUSE_SWITCH;
	if (a->ru_minflt != b->ru_minflt)
		return CAUSE_FAULT;
	return after->interrupts != before->interrupts ? CAUSE_INTERRUPT : CAUSE_HOST;
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

enum result { P50, P99, P999, SLOWEST, SLOWEST_CAUSE, BY_CAUSE };

/*
 * What the kernel counted is read after each slow call, and every 65,536 calls, so that it is of
 * the last few.
 */
static void distribution(void *argument, double *results)
{
	uint64_t reading = reading_cost(), most = 0;
	double rate = ticks_per_ns();
	int cpu = stay_here();
	struct counts before, after;

	(void)argument;
	event_loop(1000000);
	before = counts_now(cpu);
	for (uint32_t i = 0; i < CALLS; i++) {
		struct glimpse_tail *tail = glimpse_self;
		uint64_t at = tail->at, began = glimpse_ticks(), time;
		enum cause cause;

		Tick_Stamp((int32_t)i, 0);
		time = glimpse_ticks() - began;
		time = time > reading ? time - reading : 0;
		buckets[bucket_of(time)]++;
		if ((double)time < SLOW_NS * rate) {
			if (i % 65536 == 0)
				before = counts_now(cpu);
			continue;
		}
		after = counts_now(cpu);
		cause = cause_of(&before, &after, tail != glimpse_self || tail->at < at);
		results[BY_CAUSE + cause]++;
		if (time > most) {
			most = time;
			results[SLOWEST_CAUSE] = cause;
		}
		before = after;
	}
	results[P50] = percentile(0.5) / rate;
	results[P99] = percentile(0.99) / rate;
	results[P999] = percentile(0.999) / rate;
	results[SLOWEST] = (double)most / rate;
}

int main(void)
{
	double r[RESULTS], slow = 0;

	measure(distribution, NULL, NULL, r);
	for (int i = 0; i < CAUSES; i++)
		slow += r[BY_CAUSE + i];
	row("single call, p50, ns", r[P50], "-", "of %u calls, the reading of the counter taken off",
	    CALLS);
	row("single call, p99, ns", r[P99], "-", "p99.9 %.0f ns", r[P999]);
	row("single call, the slowest, us", r[SLOWEST] / 1e3, "-", "cause: %s",
	    causes[(int)r[SLOWEST_CAUSE]]);
	row("calls slower than 5 us", slow, "-",
	    "%.0f window changes, %.0f page faults, %.0f interrupts, %.0f another thread, "
	    "%.0f the host", r[BY_CAUSE + CAUSE_WRITE], r[BY_CAUSE + CAUSE_FAULT],
	    r[BY_CAUSE + CAUSE_INTERRUPT], r[BY_CAUSE + CAUSE_SWITCH], r[BY_CAUSE + CAUSE_HOST]);
	return 0;
}
