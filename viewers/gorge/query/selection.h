/* What is picked of all instances of an interval, counted ahead of the pictures that show it. */
#ifndef GLIMPSE_GORGE_QUERY_SELECTION_H
#define GLIMPSE_GORGE_QUERY_SELECTION_H

#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/view.h"

/*
 * Counts on all processors, for no more than so many milliseconds; less than 0: as long as it takes. False: there is more to
 * count, which the next call goes on with. Until then pictures do without. For one caller at a time.
 */
bool selection_count(struct trace_index *m, const struct pick *pick, long milliseconds);

#endif
