/*
 * Questions that take long: one at a time, in the order in which they came. A page that asks anew in the same place does not
 * want the answer to what it asked there before, which is stopped; it may also say so.
 */
#ifndef GLIMPSE_GORGE_SERVER_REQUEST_QUEUE_H
#define GLIMPSE_GORGE_SERVER_REQUEST_QUEUE_H

#include "base/json.h"
#include "base/task.h"

struct request_queue;
struct request_queue *request_queue_new(void);
void request_queue_free(struct request_queue *e);

/* One question, from its coming to its answer. */
struct queued_request {
	struct task task;
	const char *page, *place;       /* which asks, and where in it; NULL: nobody will stop it */
	int64_t since;
	bool begun;
	struct queued_request *next;
};

/* Waits for its turn. False: it was stopped meanwhile. Either way it ends with request_queue_leave(). */
bool request_queue_enter(struct request_queue *e, struct queued_request *a);
void request_queue_leave(struct request_queue *e, struct queued_request *a);
/* Takes the turn when it is nobody's; then request_queue_leave(). */
bool request_queue_try(struct request_queue *e, struct queued_request *a);

/* place: NULL for all of the page. */
void request_queue_stop(struct request_queue *e, const char *page, const char *place);
/* What the page has asked and is not answered: members of an array. */
void request_queue_write(struct request_queue *e, const char *page, struct json *j);

#endif
