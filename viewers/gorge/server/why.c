/* The search for bottlenecks, and the critical path in the picture. */
#include "base/array.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/query/path_pieces.h"
#include "viewers/gorge/server/reopen.h"
#include "viewers/gorge/server/why_search.h"
#include <stdlib.h>

/* Searches, unless that is done. Nothing changes the index while a slow request is answered. */
static const struct found_why *known_why(struct session *s)
{
	struct session *common = s->common;
	struct found_why *made;
	struct task *task;

	if (common->why)
		return common->why;
	task = analysis_begin(s);
	made = found_why_new(s->index->trace, s->source->directories[0]);
	analysis_end(s, task);
	pthread_mutex_lock(&common->lock);
	common->why = made;
	pthread_mutex_unlock(&common->lock);
	return made;
}

struct reply answer_why(struct session *s, const struct http_request *request)
{
	const struct found_why *found = known_why(s);
	struct reply_stream w;

	(void)request;
	if (!found->path)
		return reply_text(400, found->said);
	fwrite(found->said, 1, found->size, reply_begin(&w));
	return reply_end(&w, "application/json");
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
	if (!w->path)
		return answer_why(s, request);
	json = reply_begin_json(&stream);
	json_array(&json, "pieces");
	path_pieces(w->path, scene->window.from, scene->window.to,
		    (scene->window.to - scene->window.from) / (scene->columns ? scene->columns : 1), piece_write,
		    &(struct path_writing){s->index->trace, &json});
	json_close(&json);
	return reply_end_json(&stream, &json);
}
