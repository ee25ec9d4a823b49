#include "viewers/gorge/server/request_queue.h"
#include "base/array.h"
#include "base/monotonic.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct request_queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct queued_request *first; /* in order of arrival */
};

struct request_queue *request_queue_new(void)
{
	struct request_queue *q = array_zero(1, sizeof *q);

	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->changed, NULL);
	return q;
}

void request_queue_free(struct request_queue *q)
{
	pthread_mutex_destroy(&q->lock);
	pthread_cond_destroy(&q->changed);
	free(q);
}

static bool is_of(const struct queued_request *r, const char *page, const char *place)
{
	return r->page && page && !strcmp(r->page, page) &&
	       (!place || (r->place && !strcmp(r->place, place)));
}

/* ---- under the lock ---- */

static void stop(struct request_queue *q, const char *page, const char *place)
{
	for (struct queued_request *r = q->first; r; r = r->next)
		if (is_of(r, page, place))
			r->task.stopped = true;
	pthread_cond_broadcast(&q->changed);
}

static void queue_append(struct request_queue *q, struct queued_request *r)
{
	struct queued_request **end = &q->first;

	while (*end)
		end = &(*end)->next;
	r->since = monotonic_now();
	r->next = NULL;
	*end = r;
}

/* Returns whether all requests before r are stopped, and none of them is being answered. */
static bool has_turn(const struct request_queue *q, const struct queued_request *r)
{
	for (const struct queued_request *i = q->first; i != r; i = i->next)
		if (i->begun || !i->task.stopped)
			return false;
	return true;
}

bool request_queue_enter(struct request_queue *q, struct queued_request *r)
{
	pthread_mutex_lock(&q->lock);
	if (r->place)
		stop(q, r->page, r->place);
	queue_append(q, r);
	while (!has_turn(q, r) && !r->task.stopped)
		pthread_cond_wait(&q->changed, &q->lock);
	r->begun = !r->task.stopped;
	pthread_mutex_unlock(&q->lock);
	return r->begun;
}

bool request_queue_try(struct request_queue *q, struct queued_request *r)
{
	bool unmatched;

	pthread_mutex_lock(&q->lock);
	unmatched = !q->first;
	if (unmatched) {
		queue_append(q, r);
		r->begun = true;
	}
	pthread_mutex_unlock(&q->lock);
	return unmatched;
}

void request_queue_leave(struct request_queue *q, struct queued_request *r)
{
	struct queued_request **at = &q->first;

	pthread_mutex_lock(&q->lock);
	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
}

void request_queue_stop(struct request_queue *q, const char *page, const char *place)
{
	pthread_mutex_lock(&q->lock);
	stop(q, page, place);
	pthread_mutex_unlock(&q->lock);
}

void request_queue_write(struct request_queue *q, const char *page, struct json *j)
{
	pthread_mutex_lock(&q->lock);
	for (struct queued_request *r = q->first; r; r = r->next) {
		if (!is_of(r, page, NULL) || r->task.stopped)
			continue;
		json_object(j, NULL);
		json_string(j, "place", r->place ? r->place : "");
		json_int(j, "for", monotonic_now() - r->since);
		json_uint(j, "done", r->task.done);
		json_uint(j, "all", r->task.all);
		json_close(j);
	}
	pthread_mutex_unlock(&q->lock);
}
