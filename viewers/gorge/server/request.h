/* The view that a request of the page asks for, from the values in its URL. */
#ifndef GLIMPSE_GORGE_SERVER_REQUEST_H
#define GLIMPSE_GORGE_SERVER_REQUEST_H

#include "viewers/gorge/query/view.h"
#include "viewers/server.h"

struct view_request {
	struct view view;
	double room;            /* pixels for the lanes */
};

/*
 * base: what the command line asked for; it holds where the request says nothing. NULL on success,
 * else what is wrong (static).
 */
const char *request_view(const struct http_request *a, const struct view *base, struct view_request *q);

/* What is to be picked; false: it has no two durations. */
bool request_pick(const struct http_request *a, struct selection *pick);
/* The nanoseconds in the request; without any *ns stays. */
void request_duration(const struct http_request *a, const char *name, int64_t *ns);
/* The number in the request, within [least, most]; false: there is none, or it is beyond. */
bool request_number(const struct http_request *a, const char *name, double least, double most, double *number);
bool request_index(const struct http_request *a, const char *name, size_t n, size_t *index);

#endif
