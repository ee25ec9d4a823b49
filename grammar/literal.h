/* Numbers, units and strings, from their spelling to their value. */
#ifndef GLIMPSE_GRAMMAR_LITERAL_H
#define GLIMPSE_GRAMMAR_LITERAL_H

#include "grammar/state.h"

/*
 * Reads a number with an optional unit behind it ("10", "0x1f", "2.5 ms"). Returns the bytes that
 * belong to it: a word behind the number that is no unit is left to the scanner if a blank parts
 * the two, and an error if not.
 */
size_t literal_number(struct parser *p, const char *text, size_t length, struct span where,
		      struct ast_number *number);

/* Tells that the word behind a number is no unit. */
void literal_unknown_unit(struct parser *p, struct span where);

/* Reads a quoted string, replaces its escapes and tells of those that do not exist. */
const char *literal_string(struct parser *p, const char *text, size_t length, struct span where);

#endif
