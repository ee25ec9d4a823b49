/* The answers of a session, address by address. */
#include "base/array.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/paint/canvas.h"
#include "viewers/gorge/query/detail.h"
#include "viewers/gorge/query/lookup.h"
#include "viewers/gorge/query/selection.h"
#include "viewers/gorge/server/reopen.h"
#include "viewers/gorge/server/request.h"
#include "viewers/gorge/server/session.h"
#include <stdlib.h>
#include <string.h>

#define JSON_TYPE "application/json"

/* Whether it was drawn when not all was known: then it is drawn anew. */
static bool is_partial(const struct picture *p)
{
	for (unsigned i = 0; p && i < p->scene->nintervals; i++)
		if (p->scene->intervals[i].waiting)
			return true;
	return p && p->scene->picking;
}

/* What counts a new pick for longer is asked again, so that nobody else waits for it. */
enum { PATIENCE = 20 };

static bool is_counted(struct session *s, const struct http_request *a)
{
	struct selection pick;

	return !request_pick(a, &pick) || selection_count(s->index, &pick, PATIENCE);
}

static struct reply answer_picking(void)
{
	struct reply_stream w;
	struct json json = json_begin(reply_begin(&w), 0);

	json_object(&json, NULL);
	json_bool(&json, "picking", true);
	json_close(&json);
	return reply_end(&w, JSON_TYPE);
}

struct reply answer_view(struct session *s, const struct http_request *a)
{
	const struct picture *p;
	struct reply failure;
	struct reply_stream w;

	if (is_partial(s->picture))
		session_forget(s);
	if (!is_counted(s, a))
		return answer_picking();
	p = session_picture(s, a, &failure);
	if (!p)
		return failure;
	picture_write(p, s->index, reply_begin(&w));
	return reply_end(&w, JSON_TYPE);
}

/* What is still being looked for: when it is found, pictures show more. */
struct reply answer_state(struct session *s, const struct http_request *a)
{
	const struct spec *spec = s->index->trace->spec;
	struct matcher *matcher = s->index->matcher;
	struct reply_stream w;
	struct json json = json_begin(reply_begin(&w), 0);

	(void)a;
	json_object(&json, NULL);
	json_array(&json, "waiting");
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (matcher_seeks(matcher, spec->intervals[i]))
			json_string(&json, NULL, spec->intervals[i]->name);
	json_close(&json);
	json_close(&json);
	return reply_end(&w, JSON_TYPE);
}

/* The whole trace, which the page squeezes into a strip. */
struct reply answer_overview(struct session *s, const struct http_request *a)
{
	struct view_request q;
	const char *wrong = request_view(a, &s->options->view, &q);
	struct diag diag = {0};
	struct picture *p;
	struct reply_stream w;

	if (wrong)
		return reply_text(400, wrong);
	p = picture_new(&q.view, 0, s->index, &diag);
	if (!p)
		return reply_text(400, "There is no such view.");
	picture_write(p, s->index, reply_begin(&w));
	picture_free(p);
	return reply_end(&w, JSON_TYPE);
}

static void write_instances(struct session *s, const char *name, uint64_t count, uint64_t anchor,
			    struct json *j)
{
	json_uint(j, "count", count);
	detail_instance(s->index, session_interval(s, name), lookup_id(s->index, anchor), j,
			"instance");
}

static void write_hit(struct session *s, const struct picture *p, struct hit hit, struct json *j)
{
	const struct scene *scene = p->scene;
	const struct event_type *type;
	const struct mark *mark;

	switch (hit.thing) {
	case THING_NONE:
		break;
	case THING_MARK:
		mark = &scene->marks.at[hit.index];
		json_uint(j, "count", mark->count);
		type = spec_event(s->index->trace->spec, scene->events[mark->key].name);
		detail_event(s->index, type, lookup_marked(s->index, type, mark->first, mark->shift), j, "event");
		break;
	case THING_STUB:
		mark = &scene->stubs.at[hit.index];
		write_instances(s, scene->intervals[mark->key].name, mark->count, mark->first, j);
		break;
	case THING_VIOLATION:
		mark = &scene->violations.at[hit.index];
		write_instances(s, scene->intervals[mark->key].name, mark->count, mark->first, j);
		break;
	case THING_BAR:
		write_instances(s, scene->intervals[scene->bars.at[hit.index].key].name,
				scene->bars.at[hit.index].count, scene->bars.at[hit.index].anchor, j);
		break;
	case THING_LINK:
		write_instances(s, scene->intervals[scene->links.at[hit.index].key].name,
				scene->links.at[hit.index].count,
				scene->links.at[hit.index].anchor, j);
		break;
	}
}

struct reply answer_at(struct session *s, const struct http_request *a)
{
	struct reply failure;
	const struct picture *p = session_picture(s, a, &failure);
	struct reply_stream w;
	struct json json;
	double x, y;

	if (!p)
		return failure;
	if (!request_number(a, "x", -1e6, 1e6, &x) || !request_number(a, "y", -1e6, 1e6, &y))
		return reply_text(400, "x and y are pixels");
	json = json_begin(reply_begin(&w), 0);
	json_object(&json, NULL);
	write_hit(s, p, picture_hit(p, x, y), &json);
	json_close(&json);
	return reply_end(&w, JSON_TYPE);
}

static const char *const step_names[] = {"next", "previous", "longest", "unmatched", "itself", NULL};

static int step_of(const char *name)
{
	for (int i = 0; name && step_names[i]; i++)
		if (!strcmp(step_names[i], name))
			return i;
	return -1;
}

/* To the event of the type that stands before or behind it. */
static struct reply step_event(struct session *s, const struct http_request *a, const struct event_type *type,
			       int step)
{
	size_t index, n = s->index->trace->events_of_type[type->index];
	struct reply_stream w;
	struct json json;

	if (!request_index(a, "index", n, &index))
		return reply_text(400, "There is no such event.");
	if (step == STEP_NEXT && index + 1 < n)
		index++;
	if (step == STEP_PREVIOUS && index > 0)
		index--;
	json = json_begin(reply_begin(&w), 0);
	json_object(&json, NULL);
	detail_event(s->index, type, index, &json, "event");
	detail_ends(s->index, type, index, &json, "instances");
	json_close(&json);
	return reply_end(&w, JSON_TYPE);
}

struct reply answer_step(struct session *s, const struct http_request *a)
{
	const struct interval *interval = session_interval(s, http_value(a, "interval"));
	const char *event = http_value(a, "event");
	const struct event_type *type = event ? spec_event(s->index->trace->spec, event) : NULL;
	int step = step_of(http_value(a, "to"));
	struct reply_stream w;
	struct json json;
	bool good;
	size_t index;

	if (type)
		return step_event(s, a, type, step);
	if (!interval)
		return reply_text(400, "There is no such interval.");
	if (step < 0)
		return reply_text(400, "A step is next, previous, longest, unmatched or itself.");
	if (!request_index(a, "index", lookup_instances(s->index, interval), &index))
		return reply_text(400, "There is no such instance.");
	json = json_begin(reply_begin(&w), 0);
	json_object(&json, NULL);
	good = detail_instance(s->index, interval, lookup_step(s->index, interval, index, (enum step)step),
			       &json, "instance");
	json_close(&json);
	if (!good) {
		free(reply_end(&w, JSON_TYPE).body);
		return reply_text(400, "There is no such instance.");
	}
	return reply_end(&w, JSON_TYPE);
}

/* Definitions with errors change nothing; the answer is what the compiler says of them. */
struct reply answer_definitions(struct session *s, const struct http_request *a)
{
	struct reply_stream w;
	struct diag diag = {.out = reply_begin(&w), .program = "gorge"};
	struct trace_index *m = reopen_model(s->options, s->index, a->body, &diag);
	struct reply said = reply_end(&w, "text/plain; charset=utf-8");
	struct session *all = s->common;

	if (!m) {
		said.status = 400;
		return said;
	}
	free(said.body);
	pthread_mutex_lock(&all->lock);
	free(all->definitions);
	all->definitions = text_format("%s", a->body);
	all->redefined++;
	session_replace(all, m);
	said = answer_start(all, a);
	pthread_mutex_unlock(&all->lock);
	return said;
}

struct reply answer_presence(struct session *s, const struct http_request *a)
{
	s->presence = strcmp(a->path, "left") ? PRESENCE_OPEN : PRESENCE_LEFT;
	return reply_text(200, "");
}
