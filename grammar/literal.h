/* Converts numbers, units and strings from their spelling to their value. */
#ifndef GLIMPSE_GRAMMAR_LITERAL_H
#define GLIMPSE_GRAMMAR_LITERAL_H

#include "grammar/state.h"

/*
 * Reads a number with an optional unit ("10", "0x1f", "2.5 ms"). Returns how many bytes belong to
 * it: a word that is no unit is left to the scanner if there is a blank before it, else it is an
 * error.
 */
size_t literal_number(struct parser *p, const char *text, size_t length, struct span where,
		      struct ast_number *number);

/* Reports that the word after a number is no unit. */
void literal_unknown_unit(struct parser *p, struct span where);

/* Returns the nanoseconds of a unit of time, by its name; 0: it is none. */
uint64_t literal_time_unit(const char *name);

/* Reads a quoted string, replaces its escapes and reports unknown ones. */
const char *literal_string(struct parser *p, const char *text, size_t length, struct span where);

#endif
