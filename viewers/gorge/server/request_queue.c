#include "viewers/gorge/server/request_queue.h"
#include "base/array.h"
#include "base/monotonic.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct request_queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct queued_request *first;    /* in their order; the first that begun is being answered */
};

struct request_queue *request_queue_new(void)
{
	struct request_queue *e = array_zero(1, sizeof *e);

	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->changed, NULL);
	return e;
}

void request_queue_free(struct request_queue *e)
{
	pthread_mutex_destroy(&e->lock);
	pthread_cond_destroy(&e->changed);
	free(e);
}

static bool is_of(const struct queued_request *a, const char *page, const char *place)
{
	return a->page && page && !strcmp(a->page, page) &&
	       (!place || (a->place && !strcmp(a->place, place)));
}

/* ---- under the lock ---- */

static void stop(struct request_queue *e, const char *page, const char *place)
{
	for (struct queued_request *a = e->first; a; a = a->next)
		if (is_of(a, page, place))
			a->task.stopped = true;
	pthread_cond_broadcast(&e->changed);
}

static void append(struct request_queue *e, struct queued_request *a)
{
	struct queued_request **end = &e->first;

	while (*end)
		end = &(*end)->next;
	a->since = monotonic_now();
	a->next = NULL;
	*end = a;
}

/* Nobody before it goes on. */
static bool has_turn(const struct request_queue *e, const struct queued_request *a)
{
	for (const struct queued_request *i = e->first; i != a; i = i->next)
		if (i->begun || !i->task.stopped)
			return false;
	return true;
}

/* ---- all of them ---- */

bool request_queue_enter(struct request_queue *e, struct queued_request *a)
{
	pthread_mutex_lock(&e->lock);
	if (a->place)
		stop(e, a->page, a->place);
	append(e, a);
	while (!has_turn(e, a) && !a->task.stopped)
		pthread_cond_wait(&e->changed, &e->lock);
	a->begun = !a->task.stopped;
	pthread_mutex_unlock(&e->lock);
	return a->begun;
}

bool request_queue_try(struct request_queue *e, struct queued_request *a)
{
	bool unmatched;

	pthread_mutex_lock(&e->lock);
	unmatched = !e->first;
	if (unmatched) {
		append(e, a);
		a->begun = true;
	}
	pthread_mutex_unlock(&e->lock);
	return unmatched;
}

void request_queue_leave(struct request_queue *e, struct queued_request *a)
{
	struct queued_request **at = &e->first;

	pthread_mutex_lock(&e->lock);
	while (*at != a)
		at = &(*at)->next;
	*at = a->next;
	pthread_cond_broadcast(&e->changed);
	pthread_mutex_unlock(&e->lock);
}

void request_queue_stop(struct request_queue *e, const char *page, const char *place)
{
	pthread_mutex_lock(&e->lock);
	stop(e, page, place);
	pthread_mutex_unlock(&e->lock);
}

void request_queue_write(struct request_queue *e, const char *page, struct json *j)
{
	pthread_mutex_lock(&e->lock);
	for (struct queued_request *a = e->first; a; a = a->next) {
		if (!is_of(a, page, NULL) || a->task.stopped)
			continue;
		json_object(j, NULL);
		json_string(j, "place", a->place ? a->place : "");
		json_int(j, "for", monotonic_now() - a->since);
		json_uint(j, "done", a->task.done);
		json_uint(j, "all", a->task.all);
		json_close(j);
	}
	pthread_mutex_unlock(&e->lock);
}
