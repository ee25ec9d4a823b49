/* Prints values, and the attributes of events, as text. */
#ifndef GLIMPSE_CLI_COMMON_TEXT_H
#define GLIMPSE_CLI_COMMON_TEXT_H

#include "base/json.h"
#include "base/print.h"
#include "base/units.h"
#include "trace/trace.h"
#include <stdio.h>

/* ---- values of expressions; the functions that write to text return it ---- */

/* Writes a value for people: with its unit, four significant digits. */
const char *value_text(char text[UNITS_TEXT], const struct value *v, enum unit unit);
/* Writes a value for scripts: digits that read back as the same. */
const char *value_digits(char text[UNITS_TEXT], const struct value *v);
/* Prints a value as JSON; an integer beyond 64 bits becomes a double. */
void value_json(struct json *j, const char *key, const struct value *v);

/* Writes "12.3 %"; "-" if the whole is not above 0. Returns text. */
const char *percent_text(char text[UNITS_TEXT], double part, double whole);
/*
 * Writes "+12.3 %", by how much after is more than before; "-" if before is not above 0. Returns
 * text.
 */
const char *change_text(char text[UNITS_TEXT], double before, double after);

/*
 * Print a number as a further field of csv, and as a member: empty, and null, if it is not known.
 */
void known_csv(FILE *out, bool known, int64_t value);
void known_json(struct json *j, const char *name, bool known, int64_t value);

/* Writes what a process is called in tables, "program 123". Returns text. */
const char *process_text(char *text, size_t size, const struct trace_process *p);

/* ---- attributes ---- */

/*
 * Prints attributes for people: src=1 text="a \"quoted\" one" at=0x7f00, strings with C's escapes,
 * and "..." after one that was cut.
 */
void attributes_print(FILE *out, const struct trace *t, const struct event *e);

/*
 * Prints one field of CSV: name=value;name=value. In a string a backslash escapes a backslash and a
 * semicolon; control characters are \n, \t, \r or \xNN. The field is quoted as in RFC 4180 if
 * necessary.
 */
void attributes_print_csv(FILE *out, const struct trace *t, const struct event *e);

#endif
