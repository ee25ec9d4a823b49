/* Names of functions and call sites, taken apart: "Parser::term(int)+0x12 (parser.cc:41)". */
#ifndef GLIMPSE_TRACE_PLAIN_NAME_H
#define GLIMPSE_TRACE_PLAIN_NAME_H

#include <stddef.h>

/* Returns how much of a text is the function without parameters, offset and line: "Parser::term". */
size_t plain_name_length(const char *text);
/* Returns where in a text the line is, "parser.cc:41", and sets its length; NULL: it has none. */
const char *plain_name_line(const char *text, size_t *length);

#endif
