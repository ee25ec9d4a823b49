/*
 * Converts ticks to nanoseconds of CLOCK_MONOTONIC: linear between samples of both clocks, as
 * doc/log-format.md says.
 *
 * The result is exact at the samples, rounded down between them, and never decreases. Ticks more
 * than 2^61 ns away from the samples are not credible and give the time at that distance, so that
 * differences of times never overflow.
 */
#ifndef GLIMPSE_TRACE_FORMAT_CLOCK_H
#define GLIMPSE_TRACE_FORMAT_CLOCK_H

#include "trace/format/steady.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All clocks at one moment. */
struct clock_sample {
	uint64_t ticks;
	int64_t monotonic, realtime; /* nanoseconds */
};

/* The samples of one process. */
struct clock_samples {
	struct clock_sample *list;
	size_t count, room;
};

/* One line: ns = base_ns + (ticks - base) * rate / 2^shift for ticks in [from, from + span]. */
struct clock_line {
	uint64_t from, span;
	uint64_t base;
	int64_t base_ns;
	int64_t rate;
	unsigned shift;
};

struct clock {
	struct clock_line *lines;
	size_t nlines;
	size_t nsamples; /* that were used; with one the rate is a guess */
	struct clock_break *breaks;
	size_t nbreaks;
};

/* Adds a sample; returns false when there is no memory. */
bool clock_samples_add(struct clock_samples *s, const struct clock_sample *sample);

/*
 * Builds a clock from n samples, which it sorts and thins in place. trusted: the first and the
 * newest sample of the process and then those of its table, or none. Samples that contradict the
 * first and the newest are left out. If there is a table, the clock is built from the trusted ones
 * alone. frequency: ticks per second, used if there is only one sample; 0: 1 GHz. Without any
 * samples ticks are nanoseconds. Returns false when there is no memory.
 *
 * In a break between samples of a table the counter runs on as before until the time of the second
 * sample is reached, and stands there. If it fell behind, it leaps at the second sample.
 */
bool clock_build(struct clock *c, struct clock_sample *samples, size_t n,
		 const struct clock_sample *trusted, size_t ntrusted, uint64_t frequency);
/* Builds the clock whose ticks are nanoseconds; returns false when there is no memory. */
bool clock_identity(struct clock *c);
/*
 * Makes c say the same as the clock before for all ticks up to newest; from there on it passes to
 * its own times within a tenth of a second. Returns false when there is no memory.
 */
bool clock_continue(struct clock *c, const struct clock *before, uint64_t newest);
void clock_clear(struct clock *c);

/* Returns the line that has the ticks, or is nearest to them. */
const struct clock_line *clock_find(const struct clock *c, uint64_t ticks);
/* Returns the ticks per second at the end. */
double clock_frequency(const struct clock *c);
int64_t clock_ns(const struct clock *c, uint64_t ticks);
/* Returns the first ticks whose time is not before ns; never decreases. */
uint64_t clock_ticks(const struct clock *c, int64_t ns);

static inline bool clock_line_has(const struct clock_line *p, uint64_t ticks)
{
	return ticks - p->from <= p->span;
}

/* Returns the time of ticks that the line has. */
static inline int64_t clock_line_ns(const struct clock_line *p, uint64_t ticks)
{
	return p->base_ns + (int64_t)((__int128)(int64_t)(ticks - p->base) * p->rate >> p->shift);
}

#endif
