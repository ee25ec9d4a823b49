/* The view that a request of the page asks for, from the values in its URL. */
#ifndef GLIMPSE_GORGE_SERVER_REQUEST_H
#define GLIMPSE_GORGE_SERVER_REQUEST_H

#include "viewers/gorge/scene/view.h"
#include "viewers/server.h"

struct query {
	struct view view;
	double room;            /* pixels for the lanes */
};

/*
 * base: what the command line asked for; it holds where the request says nothing. NULL on success,
 * else what is wrong (static).
 */
const char *query_read(const struct ask *a, const struct view *base, struct query *q);

/* What is to be picked; false: it has no two durations. */
bool query_pick(const struct ask *a, struct pick *pick);
/* The nanoseconds in the request; without any *ns stays. */
void query_duration(const struct ask *a, const char *name, int64_t *ns);
/* The number in the request, within [least, most]; false: there is none, or it is beyond. */
bool query_number(const struct ask *a, const char *name, double least, double most, double *number);
bool query_index(const struct ask *a, const char *name, size_t n, size_t *index);

#endif
