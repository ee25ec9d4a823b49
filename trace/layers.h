/*
 * Several comparisons at once, where candidates are taken: queries must be answered in the order of
 * the stream. A tree of cuts by the words of one column; at each cut an index, by the other
 * columns, over the candidates from the cut on. A query asks one index for each cut that it is not
 * above.
 */
#ifndef GLIMPSE_TRACE_LAYERS_H
#define GLIMPSE_TRACE_LAYERS_H

#include "trace/index.h"

struct layers;

/* Over the candidates of the index that are not taken. NULL: no column can be cut by. */
struct layers *layers_new(struct index *x);
void layers_free(struct layers *l);

/* These are used as index_find() and index_take() are. */
size_t layers_find(struct layers *l, size_t from, size_t to, const uint64_t *query);
void layers_take(struct layers *l, size_t i);
uint64_t layers_visited(const struct layers *l);

#endif
