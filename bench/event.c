/*
 * What an event costs: `event` prints rows of name, measured, target, detail, parted by tabs.
 * Bare loops and events take turns, a million at a time, and the ratio is the median of
 * neighbours. BENCH_EVENTS sets how many events the long row has, in millions (300).
 */
#include "bench/measure.h"
#include "tests/runtime/probe.h"
#include <stdlib.h>

#define TURN 1000000L
#define TURNS_MOST 1000u

struct turns {
	unsigned n;
	double bare[TURNS_MOST], event[TURNS_MOST], ratio[TURNS_MOST];
	double kernel, wall;
};

static struct turns turns;

static double timed(void (*loop)(long), long n)
{
	double began = cpu_ns();

	loop(n);
	return (cpu_ns() - began) / (double)n;
}

/*
 * Results: medians of bare, event and their ratio; the mean of the event; the kernel's part of
 * that; the same by the clock on the wall.
 */
static void take_turns(void *argument, double *results)
{
	double sum = 0, kernel, wall;

	turns.n = *(unsigned *)argument;
	bare_loop(TURN / 10);
	event_loop(TURN / 10);
	turns.kernel = turns.wall = 0;
	for (unsigned i = 0; i < turns.n; i++) {
		turns.bare[i] = timed(bare_loop, TURN);
		kernel = kernel_ns();
		wall = wall_ns();
		turns.event[i] = timed(event_loop, TURN);
		turns.kernel += kernel_ns() - kernel;
		turns.wall += wall_ns() - wall;
		turns.ratio[i] = turns.event[i] / turns.bare[i];
		sum += turns.event[i];
	}
	results[0] = median(turns.bare, turns.n);
	results[1] = median(turns.event, turns.n);
	results[2] = median(turns.ratio, turns.n);
	results[3] = sum / turns.n;
	results[4] = turns.kernel / (double)(turns.n * TURN);
	results[5] = turns.wall / (double)(turns.n * TURN);
}

static void row_cost(const char *name, unsigned millions, const char *keep, const char *target)
{
	double r[RESULTS];

	measure(take_turns, &millions, keep, r);
	row(name, r[2], target,
	    "bare loop %.1f ns, event %.1f ns; mean %.1f ns, of which the kernel %.1f; by the clock "
	    "on the wall %.1f ns", r[0], r[1], r[3], r[4], r[5]);
}

/* Results: ns for each 12 bytes; then once more, into memory that the page cache had just now. */
static void write_only(void *argument, double *results)
{
	double bytes = *(double *)argument, began;

	for (int i = 0; i < 2; i++) {
		began = cpu_ns();
		memory_warm(bytes);
		results[i] = (cpu_ns() - began) / bytes * 12;
	}
}

/* What the logs' bytes cost a program that does nothing but write(2) them. */
static void row_write(unsigned millions)
{
	double r[RESULTS], bytes = 12e6 * millions;

	measure(write_only, &bytes, NULL, r);
	row("write(2) alone, to the page cache, ns per 12 bytes", r[0], "-",
	    "%u million; again into the same memory %.1f ns", millions, r[1]);
}

static void log_only(void *argument, double *results)
{
	(void)results;
	event_loop(*(long *)argument);
}

static void row_bytes(void)
{
	double r[RESULTS];
	long n = 1000000;

	measure(log_only, &n, NULL, r);
	row("bytes on disk of an event with two ints", measured_bytes() / (double)n, "<= 12.2",
	    "a million events: the log, the process file and all, %.0f bytes", measured_bytes());
}

static void off(void *argument, double *results)
{
	double empty[11], event[11];

	(void)argument;
	Bare_Stamp();
	glimpse_switch("Tick", 0);
	for (int i = 0; i < 11; i++) {
		double began = cpu_ns();

		for (long k = 0; k < 10 * TURN; k++)
			__asm__ __volatile__("");
		empty[i] = (cpu_ns() - began) / (10.0 * TURN);
		event[i] = timed(event_loop, 10 * TURN);
	}
	results[0] = median(empty, 11);
	results[1] = median(event, 11);
}

static void row_off(void)
{
	double r[RESULTS];

	measure(off, NULL, NULL, r);
	row("switched-off event, ns", r[1] - r[0] > 0 ? r[1] - r[0] : 0, "<= 1",
	    "the loop with it %.2f ns, without %.2f ns", r[1], r[0]);
}

int main(void)
{
	const char *millions = getenv("BENCH_EVENTS");
	int many = millions ? atoi(millions) : 300;

	if (many < 1 || many > (int)TURNS_MOST)
		many = 300;
	row_cost("event to a file / bare loop, 10 million", 10, NULL, "<= 1.25");
	row_cost("event to a file / bare loop, many", (unsigned)many, NULL, "<= 1.25");
	row_write((unsigned)many);
	row_cost("event to a ring of 1 MiB / bare loop", 30, "newest:1M", "<= 1.12");
	row_cost("event to a ring of 64 MiB / bare loop", 60, "newest:64M", "<= 1.12");
	row_bytes();
	row_off();
	return 0;
}
