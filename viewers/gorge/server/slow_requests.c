/* Requests that take long are answered one at a time, beside the pictures. */
#include "base/array.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/server/request_queue.h"
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* How far they give way to pictures: see nice(2). */
enum { NICE = 5 };
/* The status of a request that was cancelled: it conflicts with a newer one. */
enum { STOPPED = 409 };

struct slow_request {
	struct session own;
	const struct http_request *request;
	answer_function *answer;
	struct queued_request queued;
	struct reply reply;
};

/* Holds what there is now. Returns false if there is no such picture; the reply says why. */
static bool hold(struct slow_request *q, struct session *s, bool pictured)
{
	bool good;

	pthread_mutex_lock(&s->lock);
	good = !pictured || session_picture(s, q->request, &q->reply);
	if (good) {
		q->own = (struct session){
		    .common = s,
		    .view = s->view,
		    .source = s->source,
		    .followed = s->followed,
		    .index = trace_index_hold(s->index),
		    .picture = pictured ? picture_hold(s->picture) : NULL,
		    .notes = s->notes ? text_format("%s", s->notes) : NULL,
		    .asked = pictured ? text_format("%s", s->asked) : NULL,
		};
	}
	pthread_mutex_unlock(&s->lock);
	return good;
}

static void release(struct slow_request *q)
{
	picture_free(q->own.picture);
	free(q->own.asked);
	free(q->own.notes);
	trace_index_free(q->own.index);
}

void thread_give_way(void)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
}

/* Answers in a thread of its own: one that has given way cannot take it back. */
static void *answer_thread(void *context)
{
	struct slow_request *q = context;

	thread_give_way();
	task_current = &q->queued.task;
	q->reply = q->answer(&q->own, q->request);
	return NULL;
}

struct reply answer_slowly(struct session *s, const struct http_request *request, bool pictured,
			   answer_function *answer)
{
	const char *place = http_value(request, "place");
	struct slow_request q = {.request = request,
				 .answer = answer,
				 .queued = {.page = http_value(request, "page"),
					    .place = place ? place : request->path}};
	pthread_t thread;

	if (request_queue_enter(s->queue, &q.queued) && hold(&q, s, pictured)) {
		if (pthread_create(&thread, NULL, answer_thread, &q) == 0)
			pthread_join(thread, NULL);
		else
			q.reply = answer(&q.own, request);
		release(&q);
	}
	request_queue_leave(s->queue, &q.queued);
	if (!q.queued.task.stopped)
		return q.reply;
	free(q.reply.body);
	return reply_text(STOPPED, "stopped");
}

struct task *analysis_begin(struct session *s)
{
	struct task *task = task_current;

	matcher_lend(s->index->matcher);
	matcher_lock(s->index->matcher);
	task_current = NULL;
	return task;
}

void analysis_end(struct session *s, struct task *task)
{
	task_current = task;
	matcher_unlock(s->index->matcher);
}

struct reply answer_requests(struct session *s, const struct http_request *request)
{
	struct reply_stream w;
	struct json json = reply_begin_json(&w);

	json_array(&json, "requests");
	request_queue_write(s->queue, http_value(request, "page"), &json);
	json_close(&json);
	return reply_end_json(&w, &json);
}

struct reply answer_stop(struct session *s, const struct http_request *request)
{
	request_queue_stop(s->queue, http_value(request, "page"), http_value(request, "place"));
	return answer_requests(s, request);
}
