/* A table for people: each column is as wide as its widest cell. */
#ifndef GLIMPSE_CLI_TABLE_H
#define GLIMPSE_CLI_TABLE_H

#include "base/array.h"
#include <stddef.h>
#include <stdio.h>

#define COLUMNS_MAX 16

struct columns {
	unsigned count;
	unsigned left;                  /* the first so many stand at the left of their column, the others at the right */
	size_t width[COLUMNS_MAX];
	VECTOR(char *) cells;           /* row by row */
};

/* One row of c->count texts, which are copied; control characters become '?'. The first row is the head. */
void columns_add(struct columns *c, const char *const *row);
/* Prints and frees the rows. */
void columns_print(struct columns *c, FILE *out);

/* How many characters a text in UTF-8 has. */
size_t width_of(const char *text);

#endif
