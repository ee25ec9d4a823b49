/*
 * Writes what a question found, as JSON: where each hit is, in which thread, and on which object.
 */
#ifndef GLIMPSE_GORGE_QUERY_HITS_H
#define GLIMPSE_GORGE_QUERY_HITS_H

#include "base/json.h"
#include "viewers/gorge/query/filter.h"

/*
 * Writes members of the open object: "hits", and the "count" of all results. Each hit is an array
 * of the instance's index, its start and its end, the label of its anchor's thread, and the object
 * that it is about or null. The hits are the first of the results.
 */
void hits_write(const struct results *r, const struct trace_index *t,
		const struct interval *interval, struct json *j);

#endif
