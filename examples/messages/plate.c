#include "plate.h"

#include <stdio.h>
#include <stdlib.h>

static void *rows_new(int rows)
{
	double (*row)[COLUMNS] = calloc(rows, sizeof *row);

	if (!row) {
		fputs("messages: out of memory\n", stderr);
		exit(2);
	}
	for (int i = 0; i < rows; i++)
		row[i][0] = 100;
	return row;
}

void strip_init(struct strip *s, int rows)
{
	s->rows = rows;
	s->now = rows_new(rows + 2);
	s->next = rows_new(rows + 2);
}

void strip_destroy(struct strip *s)
{
	free(s->now);
	free(s->next);
}

void strip_rows(struct strip *s, int first, int last)
{
	for (int i = first; i <= last; i++) {
		for (int j = 1; j < COLUMNS - 1; j++)
			s->next[i][j] = (s->now[i - 1][j] + s->now[i + 1][j] +
					 s->now[i][j - 1] + s->now[i][j + 1]) / 4;
	}
}

void strip_advance(struct strip *s)
{
	double (*swap)[COLUMNS] = s->now;

	s->now = s->next;
	s->next = swap;
}
