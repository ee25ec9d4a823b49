/*
 * Rows in such an order that what is near in all columns stands together: they are cut in two by
 * the words of one column or another (Bentley's k-d tree), always where a block of a tree ends
 * that has sixteen below one. So each block of that tree, on each of its levels, is a box of its
 * own. By which column, the questions say that are to be asked (boxcut.h).
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_KD_ORDER_H
#define GLIMPSE_MATCH_COMPARISONS_KD_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOXORDER_CELLS = 1 << 12, BOXORDER_COLUMNS = 18 };

/* Where it was cut at first. Cells are numbered in the order of the rows. */
struct boxcells {
	/* The two parts of what the k-th cut parts are parted by cuts 2k and 2k + 1. */
	int32_t cuts[BOXORDER_CELLS];
	uint8_t columns[BOXORDER_CELLS];
};

/* Questions that will be asked: as many words of each as there are columns. */
struct boxasked {
	const int32_t *words;
	size_t n;
};

/*
 * n rows of ncolumns words, and their place as one more, which goes with them. Bit c of mirrors: column c + 1 is the mirror of column c, and says nothing new.
 */
void boxorder_rows(int32_t *rows, size_t n, unsigned ncolumns, uint32_t mirrors,
		   struct boxasked asked, struct boxcells *cells);

/* In which cell words are. */
uint32_t boxcells_find(const struct boxcells *cells, const int32_t *words);

#endif
