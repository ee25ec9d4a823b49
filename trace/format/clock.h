/*
 * From ticks to nanoseconds of CLOCK_MONOTONIC: linear between pairs of readings of both clocks, as doc/log-format.md says.
 *
 * The result is exact at the pairs, rounded down between them, and never steps back. What lies further than 2^61 ns from
 * the pairs is a lie and gives the time at that distance, so that differences of times never overflow.
 */
#ifndef GLIMPSE_TRACE_FORMAT_CLOCK_H
#define GLIMPSE_TRACE_FORMAT_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct clock_sample {
	uint64_t ticks;
	int64_t monotonic, realtime;    /* nanoseconds */
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
	size_t npairs;          /* that were used; with one the rate is a guess */
};

/*
 * The clock of these pairs, which are sorted and thinned in place. trusted, if not NULL, are the first and the newest pair of the
 * process; pairs that contradict them are left out. frequency: ticks per second, for when there is only one pair; 0: 1 GHz.
 * No pairs at all: ticks are nanoseconds. False when there is no memory.
 */
bool clock_build(struct clock *c, struct clock_sample *pairs, size_t npairs, const struct clock_sample *trusted,
	uint64_t frequency);
/* Ticks that are nanoseconds. */
bool clock_identity(struct clock *c);
/*
 * What the clock before says of all ticks up to the newest holds for this one, too; from there it goes over to what it says
 * itself within a tenth of a second. False when there is no memory.
 */
bool clock_continue(struct clock *c, const struct clock *before, uint64_t newest);
void clock_clear(struct clock *c);

/* The line in which ticks lie or which is nearest to them. */
const struct clock_line *clock_find(const struct clock *c, uint64_t ticks);
/* Ticks per second of the whole. */
double clock_frequency(const struct clock *c);

static inline bool clock_line_has(const struct clock_line *p, uint64_t ticks)
{
	return ticks - p->from <= p->span;
}

/* For ticks in the line only. */
static inline int64_t clock_line_ns(const struct clock_line *p, uint64_t ticks)
{
	return p->base_ns + (int64_t)((__int128)(int64_t)(ticks - p->base) * p->rate >> p->shift);
}

/* The rate of a line on which so many ticks take so many nanoseconds: rounded up, so that the line meets its end exactly. */
void clock_slope(struct clock_line *p, uint64_t ticks, uint64_t ns);
int64_t clock_ns(const struct clock *c, uint64_t ticks);

#endif
