/* Questions that take long are answered one at a time, beside the pictures. */
#include "base/array.h"
#include "viewers/gorge/server/session.h"
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* How much they give way to pictures: see nice(2). */
enum { NICE = 5 };
/* The status of a question that was stopped: it conflicts with a newer one. */
enum { STOPPED = 409 };

struct slow {
	struct session own;
	const struct http_request *ask;
	session_part *answer;
	struct queued_request asked;
	struct reply reply;
};

/* Holds what there is now. False: there is no such picture, and the reply says why. */
static bool begin(struct slow *q, struct session *s, bool pictured)
{
	bool good;

	pthread_mutex_lock(&s->lock);
	good = !pictured || session_picture(s, q->ask, &q->reply);
	if (good) {
		q->own = (struct session){
		    .common = s,
		    .options = s->options,
		    .index = trace_index_hold(s->index),
		    .picture = pictured ? picture_hold(s->picture) : NULL,
		    .asked = pictured ? text_format("%s", s->asked) : NULL,
		};
	}
	pthread_mutex_unlock(&s->lock);
	return good;
}

static void end(struct slow *q)
{
	picture_free(q->own.picture);
	free(q->own.asked);
	trace_index_free(q->own.index);
}

/* A thread of its own, for what gives way once never gets its rank back. */
static void *run(void *context)
{
	struct slow *q = context;

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
	task_current = &q->asked.task;
	q->reply = q->answer(&q->own, q->ask);
	return NULL;
}

struct reply session_answer_slowly(struct session *s, const struct http_request *a, bool pictured, session_part *answer)
{
	const char *place = http_value(a, "place");
	struct slow q = {.ask = a, .answer = answer,
			 .asked = {.page = http_value(a, "page"), .place = place ? place : a->path}};
	pthread_t thread;

	if (request_queue_enter(s->queue, &q.asked) && begin(&q, s, pictured)) {
		if (pthread_create(&thread, NULL, run, &q) == 0)
			pthread_join(thread, NULL);
		else
			q.reply = answer(&q.own, a);
		end(&q);
	}
	request_queue_leave(s->queue, &q.asked);
	if (!q.asked.task.stopped)
		return q.reply;
	free(q.reply.body);
	return reply_text(STOPPED, "stopped");
}

struct reply answer_requests(struct session *s, const struct http_request *a)
{
	struct reply_stream w;
	struct json json = json_begin(reply_begin(&w), 0);

	json_object(&json, NULL);
	json_array(&json, "requests");
	request_queue_write(s->queue, http_value(a, "page"), &json);
	json_close(&json);
	json_close(&json);
	return reply_end(&w, "application/json");
}

struct reply answer_stop(struct session *s, const struct http_request *a)
{
	request_queue_stop(s->queue, http_value(a, "page"), http_value(a, "place"));
	return answer_requests(s, a);
}
