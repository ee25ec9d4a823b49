/* Selects an interval's instances by their durations; pictures highlight them. */
#ifndef GLIMPSE_GORGE_QUERY_SELECTION_H
#define GLIMPSE_GORGE_QUERY_SELECTION_H

#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/view.h"

/*
 * Counts the selected instances ahead of pictures that show them: on all processors, for some time,
 * or until it is done, if milliseconds is negative. Returns false if there is more to count, with
 * which the next call goes on; until then, pictures do without. For one caller at a time.
 */
bool selection_count(const struct trace_index *t, const struct duration_selection *selection,
		     long milliseconds);

#endif
