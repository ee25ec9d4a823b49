/* Instances that answer a question: how many there are, and the first of them. */
#ifndef GLIMPSE_GORGE_QUERY_HITS_H
#define GLIMPSE_GORGE_QUERY_HITS_H

#include "base/array.h"
#include "base/json.h"
#include "viewers/gorge/query/model.h"

/* So many are listed; all are counted. */
enum { HITS_LISTED = 500 };

struct hit_place {
	uint64_t told;          /* as a scene of the model tells its anchor */
	int64_t time;           /* of the anchor */
	int64_t start, end;
	double excess;          /* the hits with more come first; then those with earlier anchors */
};

struct hits {
	uint64_t count;
	VECTOR(struct hit_place) list;
};

/* Brings the list into its order and leaves as many of it as are listed. */
void hits_settle(struct hits *h);
void hits_clear(struct hits *h);

/* As members of the open object. */
void hits_write(const struct hits *h, struct model *m, struct json *j);

#endif
