/*
 * Chooses the ticks of a time axis: steps of 1, 2 or 5 times a power of ten, in the unit that fits.
 */
#ifndef GLIMPSE_GORGE_STYLE_TICKS_H
#define GLIMPSE_GORGE_STYLE_TICKS_H

#include "base/units.h"

struct ticks {
	int64_t first,
	    step; /* nanoseconds; the first tick is the first multiple of step in the window */
	unsigned count;
	const struct time_unit *unit;
	/*
	 * What the labels count from: 0, or a moment shortly before a window so far from 0 that the
	 * labels would repeat the same digits.
	 */
	int64_t base;
	int decimals;
};

/* Chooses at most limit (2 or more) ticks within [from, to], from < to. */
struct ticks ticks_choose(int64_t from, int64_t to, unsigned limit);

/* The same of columns, which are so many nanoseconds. */
struct ticks ticks_columns(int64_t from, int64_t to, unsigned limit, int64_t column);

int64_t tick_time(const struct ticks *t, unsigned i);
/* Writes the number at a tick, without its unit; returns text. */
const char *tick_label(const struct ticks *t, unsigned i, char text[UNITS_TEXT]);
/* Returns "time (ms)" or "time after 12.34 s (us)". The caller frees it. */
char *ticks_title(const struct ticks *t);

#endif
