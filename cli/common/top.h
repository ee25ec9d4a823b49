/* Reads the options --top and --long, which say how much a text shows. */
#ifndef GLIMPSE_CLI_COMMON_TOP_H
#define GLIMPSE_CLI_COMMON_TOP_H

#include "cli/common/command.h"
#include <stdbool.h>
#include <stddef.h>

/* usual: the default number of rows, as a text. */
#define TOP_OPTION(usual) \
	{ \
		'n', "top", "N", "print at most N rows of text, or all (" usual ")", top_take \
	}

void top_take(const char *value);
/* The option --long, of texts that show less without it. */
#define LONG_OPTION(help) \
	{ \
		'l', "long", NULL, help, long_take \
	}

void long_take(const char *unused);
bool long_is_wanted(void);

/* Returns whether --top was given. */
bool top_is_given(void);
/* Returns how many of n rows a text has. */
size_t top_rows(size_t n, size_t usual);

#endif
