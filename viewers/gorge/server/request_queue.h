/*
 * Questions that take long: one at a time, in the order in which they came. A page that asks anew in the same place does not
 * want the answer to what it asked there before, which is stopped; it may also say so.
 */
#ifndef GLIMPSE_GORGE_SERVER_REQUEST_QUEUE_H
#define GLIMPSE_GORGE_SERVER_REQUEST_QUEUE_H

#include "base/json.h"
#include "base/task.h"

struct errands;
struct errands *errands_new(void);
void errands_free(struct errands *e);

/* One question, from its coming to its answer. */
struct asked {
	struct task task;
	const char *page, *place;       /* which asks, and where in it; NULL: nobody will stop it */
	int64_t since;
	bool begun;
	struct asked *next;
};

/* Waits for its turn. False: it was stopped meanwhile. Either way it ends with errands_leave(). */
bool errands_enter(struct errands *e, struct asked *a);
void errands_leave(struct errands *e, struct asked *a);
/* Takes the turn when it is nobody's; then errands_leave(). */
bool errands_try(struct errands *e, struct asked *a);

/* place: NULL for all of the page. */
void errands_stop(struct errands *e, const char *page, const char *place);
/* What the page has asked and is not answered: members of an array. */
void errands_write(struct errands *e, const char *page, struct json *j);

#endif
