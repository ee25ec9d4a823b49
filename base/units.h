/* Reads and writes times, counts, sizes and other numbers as people write them. */
#ifndef GLIMPSE_BASE_UNITS_H
#define GLIMPSE_BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* Room for any text of this module. Functions that write to text return it. */
enum { UNITS_TEXT = 48 };

/* ---- to text ---- */

/* Writes three significant digits and a unit, ns to h: "12.3 ms", "1.50 min", "1.50 ns". */
const char *units_time(char text[UNITS_TEXT], double ns);
/* Writes the same, but only whole nanoseconds, and seconds beyond a minute: "90.0 s". */
const char *units_short_time(char text[UNITS_TEXT], double ns);
/* Writes all digits, in a unit up to s: "12.345678 s". */
const char *units_exact_time(char text[UNITS_TEXT], int64_t ns);
const char *units_count(char text[UNITS_TEXT], uint64_t count); /* "1,234,567" */
/* Writes "1 call has", "1,234 calls have": a count, and what it counts in the right number. */
const char *units_counted(char text[UNITS_TEXT], uint64_t count, const char *one, const char *many);
const char *units_bytes(char text[UNITS_TEXT], uint64_t bytes);   /* "1.50 MiB" */
const char *units_frequency(char text[UNITS_TEXT], double hertz); /* "2.10 GHz" */

/* Writes the fewest significant digits, at least `least`, that read back as the number. */
const char *units_real(char text[UNITS_TEXT], double number, int least);
/* Writes digits that read back as the number; no sign before 0, "NaN" for what is none. */
const char *units_number(char text[UNITS_TEXT], double number);

struct time_unit {
	const char *name; /* "ns", "us", "ms", "s" */
	double ns;
};

/* Returns the largest unit that is not longer than ns; nanoseconds for less. */
const struct time_unit *units_time_unit(double ns);

/* ---- from text; false if it is nothing of the kind ---- */

/*
 * Reads nanoseconds from "1500ns", "10ms", "2.5 us", "0.3s", "2min"; only 0 needs no unit. What is
 * less than a nanosecond is dropped.
 */
bool units_parse_time(const char *text, int64_t *ns);
/* Reads the same, which may begin with a minus. */
bool units_parse_signed_time(const char *text, int64_t *ns);
/* Reads bytes from "512 MiB", "2GB", "1000000". */
bool units_parse_bytes(const char *text, uint64_t *bytes);

#endif
