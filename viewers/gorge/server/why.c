/* The search for bottlenecks, and the critical path in the picture. */
#include "base/array.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/server/reopen.h"
#include "viewers/gorge/server/why_search.h"
#include <stdlib.h>

/* Searches, unless that is done. Nothing changes the index while a slow request is answered. */
static const struct found_why *known_why(struct session *s)
{
	struct session *common = s->common;
	struct found_why *made;

	if (common->why)
		return common->why;
	matcher_lend(s->index->matcher);
	matcher_lock(s->index->matcher);
	made = found_why_new(s->index->trace, s->source->directories[0]);
	matcher_unlock(s->index->matcher);
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

static void piece_write(const struct trace *t, const struct path_piece *p, int64_t from, int64_t to,
			uint64_t count, struct json *j)
{
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

/* Pieces that are shorter than a pixel: in each pixel the longest one stands for all. */
struct short_pieces {
	const struct path_piece *longest;
	int64_t from, to;
	uint64_t count;
};

static void short_end(struct short_pieces *s, const struct trace *t, struct json *j)
{
	if (s->count)
		piece_write(t, s->longest, s->from, s->to, s->count, j);
	*s = (struct short_pieces){0};
}

static void short_add(struct short_pieces *s, const struct path_piece *p)
{
	if (!s->count++) {
		s->longest = p;
		s->from = p->from;
	} else if (p->to - p->from > s->longest->to - s->longest->from) {
		s->longest = p;
	}
	s->to = p->to;
}

/* Returns the first piece that ends behind a time. */
static size_t piece_at(const struct critical_path *c, int64_t time)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->pieces[middle].to <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void path_write(const struct critical_path *c, const struct trace *t, const struct window *w,
		       int64_t pixel, struct json *j)
{
	struct short_pieces few = {0};

	json_array(j, "pieces");
	for (size_t i = piece_at(c, w->from); i < c->n && c->pieces[i].from < w->to; i++) {
		const struct path_piece *p = &c->pieces[i];

		if (few.count && (p->to - p->from >= pixel || p->from >= few.from + pixel))
			short_end(&few, t, j);
		if (p->to - p->from >= pixel)
			piece_write(t, p, p->from, p->to, 1, j);
		else
			short_add(&few, p);
	}
	short_end(&few, t, j);
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
	path_write(w->path, s->index->trace, &scene->window,
		   (scene->window.to - scene->window.from) / (scene->columns ? scene->columns : 1), &json);
	return reply_end_json(&stream, &json);
}
