/* Reads the option --top, for tables with many rows. */
#ifndef GLIMPSE_CLI_COMMON_TOP_H
#define GLIMPSE_CLI_COMMON_TOP_H

#include "cli/common/command.h"
#include <stddef.h>

/* usual: the default number of rows, as a text. */
#define TOP_OPTION(usual) \
	{ \
		'n', "top", "N", "print at most N rows of text, or all (" usual ")", top_take \
	}

void top_take(const char *value);
/* Returns how many of n rows a text has. */
size_t top_rows(size_t n, size_t usual);

#endif
