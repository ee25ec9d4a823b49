/* Says what the terminal that a stream is written to can show. */
#ifndef GLIMPSE_BASE_TERMINAL_H
#define GLIMPSE_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Returns the letters of a line, as COLUMNS or the terminal says; 0: out is no terminal. */
unsigned terminal_columns(FILE *out);
/* Returns whether out is a terminal that shows colours, and the user wants them (NO_COLOR). */
bool terminal_has_colours(FILE *out);

#endif
