/* Windows of time: a span cut at multiples of a width. */
#ifndef GLIMPSE_NIBBLE_SAMPLE_WINDOWS_H
#define GLIMPSE_NIBBLE_SAMPLE_WINDOWS_H

#include <stddef.h>

struct limits {
	double from, to; /* nanoseconds, both included */
};

struct windows {
	double *edges; /* n + 1 */
	size_t n;
};

/*
 * 1, 2 or 5 times a power of ten nanoseconds, so that the range has at most 120 windows; at least
 * 1.
 */
double window_width(struct limits r);
/* The same for at most so many. */
double window_width_for(struct limits r, unsigned most);

/*
 * Windows of the range: cuts at the multiples of width. A first or last window that would be
 * shorter than half of the width belongs to its neighbour: a rate over a sliver would mean nothing.
 * The last window includes its end.
 */
struct windows windows_make(struct limits r, double width);
/* n windows of equal length. */
struct windows windows_even(struct limits r, size_t n);
void windows_free(struct windows *g);

/*
 * The window that holds x; n when there is none. hint: the answer for an earlier x that was not
 * greater.
 */
size_t windows_find(const struct windows *g, double x, size_t hint);

#endif
