/*
 * Candidates that are halved by one comparison, and can be taken: a stack of layers, the first of
 * which has all candidates as one stretch, in the order of their places. The next has two
 * stretches, those in the lower and those in the upper half by rank, each again in the order of
 * places; and so on, until they are short. What is asked of the other comparisons, a tree over the
 * upper halves of each layer answers: a question looks into the upper half where it is not above
 * the cut, and goes on in the lower one; else it goes on in the upper one.
 *
 * A bit for each candidate of a layer says whether it goes to the upper half. Halves are of such
 * sizes that the number of bits before a candidate, counted from the start of the layer, is also
 * where it stands in the layer's tree. So nothing is ever sought twice.
 */
#ifndef GLIMPSE_TRACE_HALVES_H
#define GLIMPSE_TRACE_HALVES_H

#include "trace/ranktree.h"

enum { HALVES_LAYERS = 32 };

struct halves_layer;

struct halves {
	uint32_t n;
	unsigned ncolumns; /* of ranks; by the first one they are halved */
	unsigned nlayers;
	struct halves_layer *layers;
	uint32_t *cells;       /* the last layer: place and ranks of each candidate */
	const uint64_t *taken; /* the user's: a bit for each place */
	uint64_t visited;      /* cells */
};

/* Where a question stands in each layer: that depends on the question alone, not on what is taken.
 */
struct halves_path {
	const uint32_t *wanted; /* its ranks; set by the user */
	uint32_t from;		/* the first place that will do; set by the user */
	uint32_t low, high;	/* the stretch that it is in */
	uint32_t at;		/* its place in the layer */
	uint32_t begin[HALVES_LAYERS], end[HALVES_LAYERS]; /* in the trees */
};

/* ranks: ncolumns of each place; of the first column no two the same, from 1 to n. */
void halves_init(struct halves *h, const uint32_t *ranks, size_t n, unsigned ncolumns,
		 const uint64_t *taken);
void halves_drop(struct halves *h);

/* Several at once, so that the processor waits for all of them together. */
void halves_trace(const struct halves *h, struct halves_path *paths, size_t n);
/* The first place on the path that meets the question, is not taken, and is below the limit; or
 * the limit. */
uint32_t halves_find(struct halves *h, const struct halves_path *path, uint32_t limit);

/* Cells, and blocks of the trees, that were looked at. */
uint64_t halves_visited(const struct halves *h);

#endif
