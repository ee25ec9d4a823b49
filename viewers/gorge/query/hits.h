/*
 * Writes what a question found, as JSON: where each hit is, in which thread, and on which object.
 */
#ifndef GLIMPSE_GORGE_QUERY_HITS_H
#define GLIMPSE_GORGE_QUERY_HITS_H

#include "base/json.h"
#include "viewers/gorge/query/filter.h"

/*
 * Writes members of the open object: "hits", each an array of the instance's index, its start and
 * its end, the label of its anchor's thread, and the object that it is about or null; and the
 * "count" of all results. The hits are the first of them.
 */
void hits_write(const struct results *r, const struct trace_index *t,
		const struct interval *interval, struct json *j);

#endif
