/*
 * Sorts the rows of a k-d tree: rows are cut in two at the median of some column, repeatedly,
 * always where a node of sixteen entries ends on some level. So the rows below each node fill a
 * separate box.
 *
 * The queries to be asked decide by which column a box is cut: the column whose border between what
 * a query accepts and what it rejects crosses the box for most queries. A
 * sample of the queries goes down with the boxes. Where hardly any are left of it, the counts of
 * the box above are used on; a cut halves what goes through either part. One more query is assumed
 * that has a border in every column, for kinds of queries that are too rare for the sample.
 */
#ifndef GLIMPSE_MATCH_COMPARISONS_KD_BUILD_H
#define GLIMPSE_MATCH_COMPARISONS_KD_BUILD_H

#include <stddef.h>
#include <stdint.h>

enum { KD_SHIFT = 4, KD_FAN = 1 << KD_SHIFT, KD_CELLS = 1 << 12, KD_COLUMNS = 18 };

/* Four words that are computed with at once. */
typedef int32_t lanes __attribute__((vector_size(16), aligned(4), may_alias));

static inline lanes lanes_of(int32_t word)
{
	return (lanes){word, word, word, word};
}

/* The uppermost cuts: cut k is followed by cuts 2k and 2k + 1. Cells lie between the lowest
 * ones. */
struct kd_cuts {
	int32_t words[KD_CELLS];
	uint8_t columns[KD_CELLS];
};

/* The queries that will be asked: as many words of each as there are columns. */
struct kd_queries {
	const int32_t *words;
	size_t n;
};

/*
 * Puts n rows of ncolumns words and a position in the order of a k-d tree. Bit c of mirrors: column
 * c + 1 is the complement of column c, and no reason for a cut.
 */
void kd_order(int32_t *rows, size_t n, unsigned ncolumns, uint32_t mirrors,
	      struct kd_queries queries, struct kd_cuts *cuts);

/* Returns the number of the cell that words lie in; near cells have near numbers. */
uint32_t kd_cell(const struct kd_cuts *cuts, const int32_t *words);

#endif
