/* The search for bottlenecks, and the critical path in the picture. */
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/answers/path.h"
#include "viewers/gorge/query/found_why.h"
#include "viewers/gorge/server/reopen.h"
#include "viewers/gorge/server/why_run.h"
#include <stdlib.h>
#include <string.h>

/*
 * Waits for the search; NULL if the request is cancelled. Nothing changes the index while a slow
 * request is answered.
 */
static const struct found_why *known_why(struct session *s)
{
	struct session *common = s->common;
	struct why_run *run;

	pthread_mutex_lock(&common->lock);
	run = why_run_of(common);
	pthread_mutex_unlock(&common->lock);
	return why_run_await(run);
}

static struct reply text_reply(const char *text, size_t size)
{
	struct reply_stream w;

	fwrite(text, 1, size, reply_begin(&w));
	return reply_end(&w, "application/json");
}

/* Nobody reads the answer to a request that was cancelled. */
static struct reply failed(const struct found_why *w)
{
	return reply_text(w ? 400 : 409, w ? w->said : "stopped");
}

struct reply answer_why(struct session *s, const struct http_request *request)
{
	const struct found_why *w = known_why(s);

	(void)request;
	return w && w->path ? text_reply(w->said, w->size) : failed(w);
}

/* The headline of what a program that runs has logged so far, once there is one. */
static struct reply headline_so_far(struct session *s)
{
	const struct found_why *w = why_run_so_far(s);
	struct reply_stream stream;
	struct json json;

	if (w && w->headline) {
		fprintf(reply_begin(&stream), "{\"live\": true, %s", w->headline + strlen("{"));
		return reply_end(&stream, "application/json");
	}
	json = reply_begin_json(&stream);
	json_bool(&json, "ready", false);
	json_bool(&json, "live", true);
	return reply_end_json(&stream, &json);
}

/*
 * What there is of the headline: its lines, or how far the search is. It begins with the first
 * request.
 */
struct reply answer_headline(struct session *s, const struct http_request *request)
{
	const struct found_why *w;
	struct reply_stream stream;
	struct json json;
	double done = 0;

	(void)request;
	if (!s->source)
		return reply_text(404, "The logical order has no headline.");
	if (s->run == RUN_LIVE)
		return headline_so_far(s);
	w = why_run_look(why_run_of(s), &done);
	if (w)
		return text_reply(w->headline, strlen(w->headline));
	json = reply_begin_json(&stream);
	json_bool(&json, "ready", false);
	json_int(&json, "progress", done < 0.99 ? (int)(100 * done) : 99);
	return reply_end_json(&stream, &json);
}

struct reply answer_path(struct session *s, const struct http_request *request)
{
	struct reply failure;
	const struct picture *p = session_picture(s, request, &failure);
	const struct found_why *w = p ? known_why(s) : NULL;

	if (!p)
		return failure;
	return w && w->path ? path_reply(s, p->scene, w->path) : failed(w);
}
