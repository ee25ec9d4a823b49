/*
 * Queues slow requests: they are answered one at a time, in the order of their arrival. A new
 * request from the same page and place cancels the previous one; a page may also cancel its
 * requests itself.
 */
#ifndef GLIMPSE_GORGE_SERVER_REQUEST_QUEUE_H
#define GLIMPSE_GORGE_SERVER_REQUEST_QUEUE_H

#include "base/json.h"
#include "base/task.h"

struct request_queue;
struct request_queue *request_queue_new(void);
void request_queue_free(struct request_queue *q);

/* A request, from its arrival to its answer. */
struct queued_request {
	struct task task;
	const char *page, *place; /* where it was made; NULL: nobody cancels it */
	int64_t since;
	bool begun;
	struct queued_request *next;
};

/*
 * Waits for the request's turn. Returns false if it was cancelled meanwhile. Either way, it ends
 * with request_queue_leave().
 */
bool request_queue_enter(struct request_queue *q, struct queued_request *r);
void request_queue_leave(struct request_queue *q, struct queued_request *r);
/* Takes the turn, to be left, if the queue is empty. */
bool request_queue_try(struct request_queue *q, struct queued_request *r);

/* Cancels the requests of a place in a page; place: NULL for all of the page. */
void request_queue_stop(struct request_queue *q, const char *page, const char *place);
/* Writes the requests of a page that are not answered yet, as members of an array. */
void request_queue_write(struct request_queue *q, const char *page, struct json *j);

#endif
