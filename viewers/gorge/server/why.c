/* The search for bottlenecks, and the critical path in the picture. */
#include "base/array.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/query/path_pieces.h"
#include "viewers/gorge/server/reopen.h"
#include "viewers/gorge/server/why_run.h"
#include "viewers/gorge/server/why_search.h"
#include <stdlib.h>
#include <string.h>

/* Waits for the search; NULL if the request is cancelled. Nothing changes the index while a slow request is answered. */
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

/* What there is of the headline: its lines, or how far the search is. It begins with the first request. */
struct reply answer_headline(struct session *s, const struct http_request *request)
{
	const struct found_why *w = NULL;
	struct reply_stream stream;
	struct json json;
	double done = 0;

	(void)request;
	if (!s->source)
		return reply_text(404, "Columns of a logical order have no headline.");
	if (s->run != RUN_LIVE)
		w = why_run_look(why_run_of(s), &done);
	if (w)
		return text_reply(w->headline, strlen(w->headline));
	json = reply_begin_json(&stream);
	json_bool(&json, "ready", false);
	if (s->run == RUN_LIVE)
		json_bool(&json, "live", true);
	else
		json_int(&json, "progress", done < 0.99 ? (int)(100 * done) : 99);
	return reply_end_json(&stream, &json);
}

/* ---- the critical path ---- */

static const char *const kinds[] = {
	[PATH_STRETCH] = "stretch", [PATH_HANDOVER] = "handover", [PATH_START] = "start", [PATH_NOBODY] = "nobody"};
static const char *const activities[NACTIVITIES] = {
	[ACTIVITY_RUNNING] = "running", [ACTIVITY_READY] = "ready", [ACTIVITY_WAITING] = "waiting",
	[ACTIVITY_BLOCKED] = "blocked"};

struct path_writing {
	const struct trace *trace;
	struct json *json;
};

static void piece_write(void *context, const struct path_piece *p, int64_t from, int64_t to, uint64_t count)
{
	const struct path_writing *w = context;
	const struct trace *t = w->trace;
	struct json *j = w->json;

	json_object(j, NULL);
	json_int(j, "from", from);
	json_int(j, "to", to);
	json_string(j, "kind", kinds[p->kind]);
	json_string(j, "activity", activities[p->activity]);
	if (p->thread != NO_THREAD)
		json_uint(j, "thread", t->threads[p->thread].number);
	if (p->other != NO_THREAD)
		json_uint(j, "other", t->threads[p->other].number);
	if (count > 1)
		json_uint(j, "count", count);
	json_close(j);
}

struct reply answer_path(struct session *s, const struct http_request *request)
{
	struct reply failure;
	const struct picture *p = session_picture(s, request, &failure);
	const struct found_why *w = p ? known_why(s) : NULL;
	const struct scene *scene = p ? p->scene : NULL;
	struct reply_stream stream;
	struct json json;

	if (!p)
		return failure;
	if (!w || !w->path)
		return failed(w);
	json = reply_begin_json(&stream);
	json_array(&json, "pieces");
	path_pieces(w->path, scene->window.from, scene->window.to,
		    (scene->window.to - scene->window.from) / (scene->columns ? scene->columns : 1), piece_write,
		    &(struct path_writing){s->index->trace, &json});
	json_close(&json);
	return reply_end_json(&stream, &json);
}
