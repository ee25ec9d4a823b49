/*
 * What the measurements of the runtime share. Each runs in a child with a log directory of its
 * own.
 */
#ifndef GLIMPSE_BENCH_MEASURE_H
#define GLIMPSE_BENCH_MEASURE_H

#include "bench/median.h"
#include <stdint.h>

/* Up to this many numbers come back from a child. */
#define RESULTS 16

/*
 * CPU time of the calling thread, the kernel's work for it included: other load on the machine
 * counts only by the caches it takes. The second is the kernel's part alone, to the microsecond
 * or worse.
 */
double cpu_ns(void);
double kernel_ns(void);
double wall_ns(void);

/*
 * Runs f(argument, results) in a child whose GLIMPSE_DIR is a fresh directory in $BENCH_DIR (or
 * the working directory), and removes that. keep: the value of GLIMPSE_KEEP, or NULL. Ends the
 * program when the child fails.
 */
void measure(void (*f)(void *argument, double *results), void *argument, const char *keep,
	     double *results);
/*
 * Writes so many bytes to a file beside the logs and removes it, so that the page cache hands out
 * memory that it had before. In a virtual machine the first touch of a page is the host's work
 * and costs ten times what it costs later.
 */
void memory_warm(double bytes);
/* Bytes of the log directory of the newest measurement. */
double measured_bytes(void);

/* One row: name, measured, target, detail, parted by tabs. */
void row(const char *name, double measured, const char *target, const char *detail, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * The bare loop of DESIGN section 8, n times: reads the counter and stores 16 bytes to a warm
 * ring of 1 MiB. Nothing that takes a time stamp can be cheaper.
 */
void bare_loop(long n);
/* n events with two ints. */
void event_loop(long n);

#endif
