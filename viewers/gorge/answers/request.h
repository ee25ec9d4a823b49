/* Reads what a request of the page asks for from the values in its URL. */
#ifndef GLIMPSE_GORGE_ANSWERS_REQUEST_H
#define GLIMPSE_GORGE_ANSWERS_REQUEST_H

#include "viewers/gorge/query/view.h"
#include "viewers/web/server.h"

struct view_request {
	struct view view;
	double room; /* pixels for the lanes */
};

/*
 * Reads a view. base: what holds where the request says nothing. Returns NULL, or what is wrong, a
 * static text.
 */
const char *request_view(const struct http_request *request, const struct view *base,
			 struct view_request *q);

/* Reads a selection. Returns false if the request names an interval, but not two durations. */
bool request_pick(const struct http_request *request, struct duration_selection *selection);
/* Reads nanoseconds; leaves *ns if there are none. */
void request_duration(const struct http_request *request, const char *name, int64_t *ns);
/* Read a number. Return false if the request has none in [least, most], or below n. */
bool request_number(const struct http_request *request, const char *name, double least, double most,
		    double *number);
bool request_index(const struct http_request *request, const char *name, size_t n, size_t *index);

#endif
