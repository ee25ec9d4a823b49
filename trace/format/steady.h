/* Finds where a counter was not steady: it leapt, stopped or changed its rate. */
#ifndef GLIMPSE_TRACE_FORMAT_STEADY_H
#define GLIMPSE_TRACE_FORMAT_STEADY_H

#include <stddef.h>
#include <stdint.h>

struct clock_sample;

/* A piece between two samples in which the counter did not go on as before. */
struct clock_break {
	size_t piece;     /* between the samples of this index and the next */
	int64_t from, to; /* CLOCK_MONOTONIC of these samples */
	int64_t ahead;    /* ns by which the counter leapt; negative: it fell behind */
	double rate;      /* before, ticks in a nanosecond */
};

/*
 * Finds the pieces of n ascending samples whose rate is another than before: by more than crystals
 * drift and samples err. A rate that stays changed is one break. frequency: ticks per second of the
 * first piece, known to a part `roughness` of it; 0: unknown. breaks has room for n. Returns how
 * many breaks there are.
 */
size_t breaks_find(const struct clock_sample *samples, size_t n, uint64_t frequency,
		   double roughness, struct clock_break *breaks);

#endif
