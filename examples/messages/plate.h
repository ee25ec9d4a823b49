/*
 * A metal plate, hot at its left edge: each step brings every point nearer to the mean of its four
 * neighbours. The plate is cut into strips of rows; a strip carries a copy of the row above it and
 * of the row below it.
 */
#ifndef MESSAGES_PLATE_H
#define MESSAGES_PLATE_H

#include "mailbox.h"

struct strip {
	int rows;               /* without the two copies, which are rows 0 and rows + 1 */
	double (*now)[COLUMNS], (*next)[COLUMNS];
};

/* A cold plate of that many rows; ends the program when there is no memory. */
void strip_init(struct strip *s, int rows);
void strip_destroy(struct strip *s);

/* Computes rows first to last of the next step. */
void strip_rows(struct strip *s, int first, int last);

/* Makes the next step the present one. */
void strip_advance(struct strip *s);

#endif
