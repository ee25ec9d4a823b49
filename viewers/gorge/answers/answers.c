/* The answers about the view: what there is, what it shows, and what is at a point. */
#include "viewers/gorge/answers/answers.h"
#include "base/array.h"
#include "viewers/gorge/answers/request.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/build/object_lanes.h"
#include "viewers/gorge/index/layer.h"
#include "viewers/gorge/paint/canvas.h"
#include "viewers/gorge/query/detail.h"
#include "viewers/gorge/query/lookup.h"
#include "viewers/gorge/query/presence.h"
#include "viewers/gorge/query/selection.h"
#include "viewers/gorge/scene/object_scene.h"
#include "viewers/gorge/scene/stack_scene.h"
#include <stdlib.h>
#include <string.h>

/* ---- what there is ---- */

static void write_entry(struct json *j, const char *name, const struct style *style, bool shown)
{
	json_string(j, "name", name);
	json_string(j, "label", style_label(style, name));
	json_bool(j, "shown", shown);
}

static void write_event_entry(const struct chosen *c, const struct trace *t, unsigned i,
			      struct json *j)
{
	const struct event_type *e = t->spec->events[i];

	json_object(j, NULL);
	write_entry(j, e->name, &e->style, c->events[i]);
	json_string(j, "layer", layer_name(LAYER_EVENTS));
	json_uint(j, "events", t->events_of_type[i]);
	json_bool(j, "absent", t->events_of_type[i] == 0);
	json_close(j);
}

static void write_interval_entry(const struct chosen *c, const struct trace *t, unsigned i,
				 struct json *j)
{
	const struct interval *n = t->spec->intervals[i];

	json_object(j, NULL);
	write_entry(j, n->name, &n->style, c->intervals[i]);
	json_string(j, "layer", layer_name(layer_of(n)));
	json_uint(j, "events", presence_events(t, n));
	json_bool(j, "absent", presence_lacks(t, n));
	json_close(j);
}

static void write_names(const struct chosen *c, const struct trace *t, struct json *j)
{
	json_array(j, "events");
	for (unsigned i = 0; i < t->spec->nevents; i++)
		write_event_entry(c, t, i, j);
	json_close(j);
	json_array(j, "intervals");
	for (unsigned i = 0; i < t->spec->nintervals; i++)
		write_interval_entry(c, t, i, j);
	json_close(j);
}

static void write_chosen_threads(const struct chosen *c, const struct trace *t,
				 const unsigned *places, struct json *j)
{
	json_array(j, "threads");
	for (unsigned i = 0; i < t->nthreads; i++) {
		json_object(j, NULL);
		json_uint(j, "number", t->threads[i].number);
		json_string(j, "name", t->threads[i].name);
		json_string(j, "label", t->threads[i].label);
		json_uint(j, "process", t->threads[i].process);
		json_uint(j, "events", t->threads[i].events);
		json_int(j, "first", t->threads[i].first);
		json_int(j, "last", t->threads[i].last);
		json_uint(j, "place", places[i]);
		json_bool(j, "shown", c->threads[i]);
		json_close(j);
	}
	json_close(j);
}

static void write_processes(const struct trace *t, struct json *j)
{
	json_array(j, "processes");
	for (unsigned i = 0; i < t->nprocesses; i++) {
		json_object(j, NULL);
		json_string(j, "path", t->processes[i].path);
		json_string(j, "program", t->processes[i].program);
		json_uint(j, "pid", t->processes[i].pid);
		json_uint(j, "first", t->processes[i].first_thread);
		json_uint(j, "threads", t->processes[i].nthreads);
		json_close(j);
	}
	json_close(j);
}

/* Writes the kinds of objects that can have lanes, as --lanes calls them. */
static void write_kinds(const struct trace *t, struct json *j)
{
	struct object_kinds kinds = object_kinds_of(t);

	json_array(j, "kinds");
	for (unsigned i = 0; i < kinds.list.n; i++) {
		char *plural = object_kind_plural(&kinds.list.at[i]);
		json_string(j, NULL, plural);
		free(plural);
	}
	json_close(j);
	free(kinds.list.at);
}

struct reply answer_start(struct session *s, const struct http_request *request)
{
	const struct view *v = s->view;
	const struct trace *t = s->index->trace;
	struct chosen chosen = chosen_new(v, t, &(struct diag){0});
	char *folded = view_folded(v, s->index);
	struct reply_stream w;
	struct json json = json_begin(reply_begin(&w), 1), *j = &json;

	(void)request;
	json_object(j, NULL);
	json_int(j, "duration", event_index_duration(s->index->events));
	json_uint(j, "count", t->events);
	json_string(j, "theme", v->theme->name);
	json_bool(j, "followed", s->followed);
	json_string(j, "spec", t->spec->text);
	json_uint(j, "redefined", s->redefined);
	write_names(&chosen, t, j);
	write_chosen_threads(&chosen, t, s->index->places, j);
	write_processes(t, j);
	write_kinds(t, j);
	if (s->upper) {
		json_string(j, "before", s->upper->directory);
		json_string(j, "after", s->directory);
	}
	json_string(j, "lanes", v->lanes ? v->lanes : view_lanes(t));
	json_string(j, "sort", sort_name(v->sort));
	json_string(j, "order", order_name(v->order));
	json_string(j, "tracks", v->tracks ? v->tracks : "");
	json_string(j, "group", grouping_name(v->group));
	json_string(j, "collapsed", folded);
	if (v->has_from)
		json_int(j, "from", v->window.from);
	if (v->has_to)
		json_int(j, "to", v->window.to);
	if (v->open)
		json_string(j, "open", v->open);
	chosen_free(&chosen);
	free(folded);
	return reply_end_json(&w, &json);
}

/* ---- pictures ---- */

/* Returns whether a picture was drawn before all was found: then it is drawn again. */
static bool is_partial(const struct picture *p)
{
	for (unsigned i = 0; p && i < p->scene->nintervals; i++)
		if (p->scene->intervals[i].waiting)
			return true;
	return p && (p->scene->picking || (p->scene->objects && p->scene->objects->pending) ||
		     (p->scene->stacks && p->scene->stacks->pending));
}

/* Milliseconds. The page asks again for a selection that takes longer to count. */
enum { PATIENCE = 20 };

struct reply answer_view(struct session *s, const struct http_request *request)
{
	const struct picture *p;
	struct reply failure;
	struct reply_stream w;
	struct duration_selection pick;

	if (is_partial(s->picture))
		session_forget(s);
	if (request_pick(request, &pick) && !selection_count(s->index, &pick, PATIENCE)) {
		struct json json = reply_begin_json(&w);

		json_bool(&json, "picking", true);
		return reply_end_json(&w, &json);
	}
	p = session_picture(s, request, &failure);
	if (!p)
		return failure;
	picture_write(p, s->index, reply_begin(&w));
	return reply_end(&w, "application/json");
}

/* Returns whether the functions that the last picture has no bars of are still being found. */
static bool stacks_pending(struct session *s)
{
	bool pending =
	    s->picture && s->picture->scene->stacks && s->picture->scene->stacks->pending;

	if (pending)
		stack_times_release(trace_index_stacks(s->index, 0, &pending));
	return pending;
}

/* Answers with the intervals that are still being found; pictures show more then. */
struct reply answer_state(struct session *s, const struct http_request *request)
{
	const struct spec *spec = s->index->trace->spec;
	struct matcher *matcher = s->index->matcher;
	struct reply_stream w;
	struct json json = reply_begin_json(&w);

	(void)request;
	json_array(&json, "waiting");
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (matcher_seeks(matcher, spec->intervals[i]))
			json_string(&json, NULL, spec->intervals[i]->name);
	if (stacks_pending(s))
		json_string(&json, NULL, "functions");
	json_close(&json);
	return reply_end_json(&w, &json);
}

/* Answers with the whole trace, for the page's overview. */
struct reply answer_overview(struct session *s, const struct http_request *request)
{
	struct view_request q;
	const char *wrong = request_view(request, s->view, &q);
	struct diag diag = {0};
	struct picture *p;
	struct reply_stream w;

	if (wrong)
		return reply_text(400, wrong);
	p = picture_new(&q.view, 0, s->index, &diag);
	if (!p)
		return reply_text(400, "Unknown view.");
	picture_write(p, s->index, reply_begin(&w));
	picture_free(p);
	return reply_end(&w, "application/json");
}

static void write_instances(struct session *s, const char *name, uint64_t count, uint64_t anchor,
			    struct json *j)
{
	json_uint(j, "count", count);
	detail_instance(s->index, session_interval(s, name), lookup_id(s->index, anchor), j,
			"instance");
}

/* Writes the instance whose bar in the lane of an object was hit, or what stands for it. */
static void write_object_bar(struct session *s, const struct scene *scene, size_t i, struct json *j)
{
	struct object_index *x = trace_index_objects(s->index, -1);
	const struct bar *b = &scene->objects->bars->bars.at[i];
	const struct traced_object *o = &x->objects.at[scene->objects->objects[b->lane]];
	const struct object_span *span = &o->spans.at[b->anchor];
	event_id anchor;

	if (!object_anchor(x, s->index, span, &anchor))
		return;
	json_uint(j, "count", b->count);
	detail_instance(s->index, x->roles.at[span->role].interval, lookup_id(s->index, anchor), j,
			"instance");
}

static void write_object_mark(struct session *s, const struct object_mark *m, struct json *j)
{
	json_uint(j, "count", 1);
	detail_event(s->index, m->type, lookup_id(s->index, m->id), j, "event");
}

static void write_hit(struct session *s, const struct picture *p, struct hit hit, struct json *j)
{
	const struct scene *scene = p->scene;
	const struct event_type *type;
	const struct scene_mark *mark;

	switch (hit.thing) {
	case THING_NONE:
		break;
	case THING_MARK:
		mark = &scene->marks.at[hit.index];
		json_uint(j, "count", mark->count);
		type = spec_event(s->index->trace->spec, scene->events[mark->key].name);
		detail_event(s->index, type,
			     lookup_marked(s->index, type, mark->first, mark->shift), j, "event");
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
				scene->bars.at[hit.index].count, scene->bars.at[hit.index].anchor,
				j);
		break;
	case THING_LINK:
		write_instances(s, scene->intervals[scene->links.at[hit.index].key].name,
				scene->links.at[hit.index].count, scene->links.at[hit.index].anchor,
				j);
		break;
	case THING_STACK:
		write_stack(s, scene, hit.index, j);
		break;
	case THING_OBJECT_BAR:
		write_object_bar(s, scene, hit.index, j);
		break;
	case THING_OBJECT_MARK:
		write_object_mark(s, &scene->objects->marks.at[hit.index], j);
		break;
	case THING_OBJECT_LINK:
		write_instances(s, scene->objects->links.at[hit.index].interval->name, 1,
				scene->objects->links.at[hit.index].anchor, j);
		break;
	}
}

/* Writes what the threads of a merged lane do at a point, on average of the column. */
static void write_merged(const struct picture *p, double x, double y, struct json *j)
{
	const struct scene *s = p->scene;
	double column = x - p->layout->x, states[2] = {0};
	unsigned i = 0;

	while (i < s->nlanes && (y < p->layout->places[i].top ||
				 y >= p->layout->places[i].top + p->layout->places[i].height))
		i++;
	if (i == s->nlanes || !s->lanes[i].merged || column < 0 || column >= s->columns)
		return;
	for (size_t m = 0; m < s->merges.n; m++) {
		const struct merged_state *merge = &s->merges.at[m];
		enum thread_state state = s->intervals[merge->key].state;

		if (merge->lane == i && (state == STATE_RUNNING || state == STATE_READY))
			states[state == STATE_READY] += merge->threads[(unsigned)column];
	}
	json_object(j, "merged");
	json_string(j, "name", s->lanes[i].name);
	json_int(j, "time",
		 s->window.from +
		     (int64_t)((double)(s->window.to - s->window.from) * column / s->columns));
	json_real(j, "running", states[0]);
	json_real(j, "ready", states[1]);
	if (s->lanes[i].processors && s->processors)
		json_uint(j, "processors", s->processors);
	json_close(j);
}

struct reply answer_at(struct session *s, const struct http_request *request)
{
	struct reply failure;
	const struct picture *p = session_picture(s, request, &failure);
	struct reply_stream w;
	struct json json;
	struct hit hit;
	double x, y;

	if (!p)
		return failure;
	if (!request_number(request, "x", -1e6, 1e6, &x) ||
	    !request_number(request, "y", -1e6, 1e6, &y))
		return reply_text(400, "x and y must be pixels");
	json = reply_begin_json(&w);
	hit = picture_hit(p, x, y);
	write_hit(s, p, hit, &json);
	if (hit.thing == THING_NONE)
		write_merged(p, x, y, &json);
	return reply_end_json(&w, &json);
}

static const char *const step_names[] = {"next",      "previous", "longest",
					 "unmatched", "itself",   NULL};

static int step_of(const char *name)
{
	for (int i = 0; name && step_names[i]; i++)
		if (!strcmp(step_names[i], name))
			return i;
	return -1;
}

/* Steps to the next or the previous event of the type. */
static struct reply step_event(struct session *s, const struct http_request *request,
			       const struct event_type *type, int step)
{
	size_t index, n = s->index->trace->events_of_type[type->index];
	struct reply_stream w;
	struct json json;

	if (!request_index(request, "index", n, &index))
		return reply_text(400, "Unknown event.");
	if (step == STEP_NEXT && index + 1 < n)
		index++;
	if (step == STEP_PREVIOUS && index > 0)
		index--;
	json = reply_begin_json(&w);
	detail_event(s->index, type, index, &json, "event");
	detail_ends(s->index, type, index, &json, "instances");
	detail_neighbours(s->index, type, index, &json);
	return reply_end_json(&w, &json);
}

struct reply answer_step(struct session *s, const struct http_request *request)
{
	const struct interval *interval = session_interval(s, http_value(request, "interval"));
	const char *event = http_value(request, "event");
	const struct event_type *type = event ? spec_event(s->index->trace->spec, event) : NULL;
	int step = step_of(http_value(request, "to"));
	struct reply_stream w;
	struct json json;
	bool good;
	size_t index;

	if (type)
		return step_event(s, request, type, step);
	if (!interval)
		return reply_text(400, "Unknown interval.");
	if (step < 0)
		return reply_text(400,
				  "A step must be next, previous, longest, unmatched or itself.");
	if (!request_index(request, "index", lookup_instances(s->index, interval), &index))
		return reply_text(400, "Unknown instance.");
	json = reply_begin_json(&w);
	good = detail_instance(s->index, interval,
			       lookup_step(s->index, interval, index, (enum instance_step)step),
			       &json, "instance");
	if (!good) {
		free(reply_end_json(&w, &json).body);
		return reply_text(400, "Unknown instance.");
	}
	return reply_end_json(&w, &json);
}

/* Definitions with errors change nothing; the answer has the messages. */
struct reply answer_definitions(struct session *s, const struct http_request *request)
{
	struct reply_stream w;
	struct diag diag = {.out = reply_begin(&w), .program = "gorge"};
	struct trace_index *m = reopen_index(s->source, s->index, request->body, &diag);
	struct reply said = reply_end(&w, "text/plain; charset=utf-8");
	struct session *all = s->common;

	if (!m) {
		said.status = 400;
		return said;
	}
	free(said.body);
	pthread_mutex_lock(&all->lock);
	free(all->definitions);
	all->definitions = text_format("%s", m->trace->spec->text);
	all->redefined++;
	session_replace(all, m);
	said = answer_start(all, request);
	pthread_mutex_unlock(&all->lock);
	return said;
}

struct reply answer_presence(struct session *s, const struct http_request *request)
{
	s->presence = strcmp(request->path, "left") ? PRESENCE_OPEN : PRESENCE_LEFT;
	return reply_text(200, "");
}

/* ---- whether it has changed ---- */

static const char *const run_names[] = {"past", "running", "ended", "died"};

struct reply answer_pulse(struct session *s, const struct http_request *request)
{
	struct matcher_state state = matcher_state(s->index->matcher);
	struct reply_stream w;
	struct json json = json_begin(reply_begin(&w), 1);

	(void)request;
	json_object(&json, NULL);
	json_string(&json, "run", run_names[s->run]);
	json_uint(&json, "revision", s->revision);
	json_uint(&json, "redefined", s->redefined);
	json_uint(&json, "count", s->index->trace->events);
	json_int(&json, "duration", s->index->trace->duration);
	if (state.old)
		json_int(&json, "until", state.until);
	return reply_end_json(&w, &json);
}
