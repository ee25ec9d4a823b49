/* Numbers as people read them, and times as people write them. */
#ifndef GLIMPSE_VIEWERS_UNITS_H
#define GLIMPSE_VIEWERS_UNITS_H

#include <stdbool.h>
#include <stdint.h>

struct time_unit {
	const char *name;       /* "ns", "us", "ms", "s" */
	double ns;
};

/* The largest unit of which ns has at least one; nanoseconds for less. */
const struct time_unit *time_unit_for(double ns);

enum { UNITS_TEXT = 32 };

/* Three significant digits: "17 ns", "1.24 s", "350 us". Gives text. */
const char *duration_text(char text[UNITS_TEXT], double ns);
/* All digits in the unit that fits: "12.345678 s". Gives text. */
const char *time_text(char text[UNITS_TEXT], int64_t ns);
/* "1,234,567". Gives text. */
const char *count_text(char text[UNITS_TEXT], uint64_t n);

/*
 * Reads "12.5ms", "3 us", "1 s" or plain nanoseconds, "250". False when that is not what it is, or
 * when it is beyond 2^63 nanoseconds.
 */
bool time_read(const char *text, int64_t *ns);

#endif
