/* Instances that answer a question: how many there are, and the first of them. */
#ifndef GLIMPSE_GORGE_QUERY_HITS_H
#define GLIMPSE_GORGE_QUERY_HITS_H

#include "base/array.h"
#include "base/json.h"
#include "viewers/gorge/index/trace_index.h"

/* So many are listed; all are counted. */
enum { RESULTS_LISTED = 500 };

struct result {
	uint64_t anchor;          /* as a scene of the model tells its anchor */
	int64_t time;           /* of the anchor */
	int64_t start, end;
	double excess;          /* the hits with more come first; then those with earlier anchors */
};

struct results {
	uint64_t count;
	VECTOR(struct result) list;
};

/* Brings the list into its order and leaves as many of it as are listed. */
void results_sort(struct results *h);
void results_clear(struct results *h);

/* As members of the open object. */
void results_write(const struct results *h, struct trace_index *m, struct json *j);

#endif
