/* Wraps lines at a width. */
#ifndef GLIMPSE_CLI_COMMON_WRAP_H
#define GLIMPSE_CLI_COMMON_WRAP_H

#include <stddef.h>
#include <stdio.h>

/*
 * Returns a stream whose longer lines are broken at blanks, or within a word that is longer than
 * the width. The rest of a line is indented. A command after "look:" or "reproduce:" is broken
 * only where a shell reads it as one line. fclose() writes what is left to `to`, and leaves that
 * open. NULL: there is no such stream.
 */
FILE *wrap_open(FILE *to, size_t width);

#endif
