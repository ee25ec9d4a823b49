/* Splits names of functions and call sites: "Parser::term(int)+0x12 (parser.cc:41)". */
#ifndef GLIMPSE_TRACE_PLAIN_NAME_H
#define GLIMPSE_TRACE_PLAIN_NAME_H

#include <stddef.h>

/*
 * Returns how much of a text is the function without parameters, offset and line: "Parser::term".
 */
size_t plain_name_length(const char *text);
/*
 * Returns that without its template arguments, return type and qualifiers, too: "Queue::get" of
 * "int Queue<int>::get<long>(long) const". The caller frees it.
 */
char *plain_name_function(const char *text);
/* Returns where the name without its qualification begins in such a function: "get". */
const char *plain_name_unqualified(const char *function);
/*
 * Returns a name for sentences and tables of text: of template arguments, those of arguments are
 * "<...>", and the middle of a long name is "...". The line at its end stays. The caller frees it.
 */
char *plain_name_short(const char *text);
/* Returns where in a text the line is, "parser.cc:41", and sets its length; NULL: it has none. */
const char *plain_name_line(const char *text, size_t *length);

#endif
