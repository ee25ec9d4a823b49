/* Divides time into windows: a range, cut at multiples of a width. */
#ifndef GLIMPSE_NIBBLE_SAMPLE_WINDOWS_H
#define GLIMPSE_NIBBLE_SAMPLE_WINDOWS_H

#include <stddef.h>

struct limits {
	double from, to; /* nanoseconds, both included */
};

struct windows {
	double *edges; /* n + 1 */
	size_t n;
	double width; /* of all but the first and the last */
};

/*
 * Returns 1, 2 or 5 times a power of ten nanoseconds, at least 1, so that the range has at most 120
 * windows.
 */
double window_width(struct limits r);
/* Returns the same for another number of windows. */
double window_width_for(struct limits r, unsigned most);

/*
 * Cuts the range at the multiples of width. A first or last window that would be shorter than half
 * of the width belongs to its neighbour: a rate over a sliver would mean nothing. The last window
 * includes its end.
 */
struct windows windows_make(struct limits r, double width);
/* Cuts the range into n windows of equal length. */
struct windows windows_even(struct limits r, size_t n);
void windows_free(struct windows *g);

/*
 * Returns the window that holds x; n: none does. hint: the answer for an earlier x that was not
 * greater.
 */
size_t windows_find(const struct windows *g, double x, size_t hint);

#endif
