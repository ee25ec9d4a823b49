/*
 * Prints a table for people: each column is as wide as its widest cell. On a terminal, what does
 * not fit is shortened or left out.
 */
#ifndef GLIMPSE_CLI_COMMON_TABLE_H
#define GLIMPSE_CLI_COMMON_TABLE_H

#include "base/array.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define COLUMNS_MAX 16

struct columns {
	unsigned count;
	unsigned left;  /* so many columns are aligned to the left, the rest not */
	bool last_left; /* so is the last one, which may be long */
	/* columns that are left out first where lines are short, in this order; or NULL */
	const unsigned char *spare;
	unsigned nspare;
	size_t width[COLUMNS_MAX];
	VECTOR(char *) cells; /* row by row */
};

/* Adds a row, first the head, of c->count texts; copies them, control characters as '?'. */
void columns_add(struct columns *c, const char *const *row);
/* Prints and frees the rows. */
void columns_print(struct columns *c, FILE *out);

/* If more rows than this are empty, the table omits them and a line below it names them. */
enum { NONE_FEW = 3 };
/* Prints a line "none of: A, B" after an empty one; nothing if n is 0. */
void none_print(FILE *out, const char *const *names, size_t n);

/* Returns how many characters a text in UTF-8 has. */
size_t text_width(const char *text);

#endif
