/* The answers to questions about the whole trace, and about tracks. */
#include "base/array.h"
#include "base/task.h"
#include "spec/qualified.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/answers/request.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/index/event_walk.h"
#include "viewers/gorge/index/object_index.h"
#include "viewers/gorge/paint/canvas.h"
#include "viewers/gorge/query/distribution.h"
#include "viewers/gorge/query/filter.h"
#include "viewers/gorge/query/find.h"
#include "viewers/gorge/query/notes.h"
#include "viewers/gorge/query/search.h"
#include "viewers/gorge/query/violations.h"
#include <stdlib.h>
#include <string.h>

/* Writes what there is of a name: the instances of the interval called so, and all else. */
static bool write_named(struct session *s, const char *question, const char *name, struct json *j,
			struct diag *diag)
{
	struct text_search found = search_new(s->index, name);
	struct diag quiet = {.program = diag->program};
	bool others = found.things.n > 0 || found.pending;
	const struct interval *interval = NULL;
	bool good = find_write(s->index, question, j, others ? &quiet : diag);

	if (good)
		interval = find_interval(s->index->trace, name, &quiet);
	else if (others && found.things.n == 0)
		json_string(j, "waiting", "functions and objects");
	search_write(&found, interval, j);
	search_clear(&found);
	return good || others;
}

struct reply answer_find(struct session *s, const struct http_request *request)
{
	const char *question = http_value(request, "question");
	char *name = find_plain(question ? question : "");
	struct reply_stream complaints, w;
	struct diag diag = {.out = reply_begin(&complaints), .program = "gorge"};
	struct json json = reply_begin_json(&w);
	struct reply said, found;
	bool good;

	if (name)
		good = write_named(s, question, name, &json, &diag);
	else
		good = find_write(s->index, question ? question : "", &json, &diag);
	free(name);
	said = reply_end(&complaints, "text/plain; charset=utf-8");
	found = reply_end_json(&w, &json);
	said.status = 400;
	free(good ? said.body : found.body);
	return good ? found : said;
}

/* Answers with the notes of an html document; the server reads their file (server/notes_file.h). */
struct reply answer_notes(struct session *s, const struct http_request *request)
{
	struct notes notes = notes_read(s->notes, s->index->trace);
	struct reply_stream w;
	struct json json = reply_begin_json(&w);

	(void)request;
	notes_write(&notes, s->index->trace, &json);
	notes_free(&notes);
	return reply_end_json(&w, &json);
}

/* Answers with the first events of a type. */
struct reply answer_events(struct session *s, const struct http_request *request)
{
	const char *name = http_value(request, "event");
	const struct trace *t = s->index->trace;
	const struct event_type *type = name ? spec_event(t->spec, name) : NULL;
	uint64_t count = type ? t->events_of_type[type->index] : 0;
	struct reply_stream w;
	struct json json;
	event_id id;

	if (!type)
		return reply_text(400, "Unknown event.");
	json = reply_begin_json(&w);
	json_string(&json, "event", type->name);
	json_array(&json, "hits");
	for (uint64_t i = 0; i < count && i < RESULTS_LISTED && !task_stopped(); i++) {
		if (!event_index_select(s->index->events, type, i, &id))
			break;
		json_array(&json, NULL);
		json_uint(&json, NULL, i);
		json_int(&json, NULL, event_index_time(s->index->events, id));
		json_int(&json, NULL, event_index_time(s->index->events, id));
		json_string(&json, NULL, t->threads[event_id_thread(id)].label);
		json_null(&json, NULL);
		json_close(&json);
	}
	json_close(&json);
	json_uint(&json, "count", count);
	return reply_end_json(&w, &json);
}

/* Answers whether an object of a name can have a lane. */
struct reply answer_object(struct session *s, const struct http_request *request)
{
	const char *name = http_value(request, "name");
	const struct object_index *x = trace_index_objects(s->index, -1);
	struct reply_stream w;
	struct json json = reply_begin_json(&w);
	bool there = false;

	for (size_t i = 0; name && x && i < x->objects.n && !there; i++)
		there = !strcmp(name, x->objects.at[i].name);
	json_bool(&json, "there", there);
	return reply_end_json(&w, &json);
}

/*
 * Checks the assertions, unless that is done; pictures that were made before do not show what
 * breaks them. Returns NULL if it was stopped. Nothing changes the index while a slow request is
 * answered.
 */
static const struct violations *known_violations(struct session *s)
{
	struct session *common = s->common;
	struct violations *found;

	if (common->violations)
		return common->violations;
	found = violations_new(s->index);
	if (task_stopped()) {
		violations_free(found);
		return NULL;
	}
	pthread_mutex_lock(&common->lock);
	common->violations = found;
	session_forget(common);
	pthread_mutex_unlock(&common->lock);
	return found;
}

struct reply answer_assertions(struct session *s, const struct http_request *request)
{
	const struct violations *found = known_violations(s);
	struct reply_stream w;
	struct json json = reply_begin_json(&w);

	(void)request;
	if (found)
		violations_write(found, &json, "assertions");
	return reply_end_json(&w, &json);
}

struct reply answer_violations(struct session *s, const struct http_request *request)
{
	struct reply_stream w;
	const struct violations *found;
	struct json json;
	size_t assertion;

	if (!request_index(request, "assertion", s->index->trace->spec->nassertions, &assertion))
		return reply_text(400, "Unknown assertion.");
	found = known_violations(s);
	json = reply_begin_json(&w);
	if (found)
		violations_write_worst(found, (unsigned)assertion, &json);
	return reply_end_json(&w, &json);
}

bool *answers_threads(const struct scene *s, const struct trace *t)
{
	bool *shown = array_zero(t->nthreads + 1, sizeof *shown);

	for (unsigned i = 0; i < s->nlanes; i++)
		for (size_t r = 0; r < s->lanes[i].threads.n; r++) {
			const struct thread_run *run = &s->lanes[i].threads.at[r];
			for (uint64_t number = run->first; number <= run->last; number++)
				shown[trace_thread_index(t, (uint32_t)number)] = true;
		}
	return shown;
}

struct reply answer_durations(struct session *s, const struct http_request *request)
{
	const struct interval *interval = session_interval(s, http_value(request, "interval"));
	struct duration_query of = {.least = 0, .most = -1};
	struct reply failure;
	const struct picture *p = interval ? session_picture(s, request, &failure) : NULL;
	struct window selected;
	struct reply_stream w;
	struct json json;
	bool *threads;

	if (!interval)
		return reply_text(400, "Unknown interval.");
	if (!p)
		return failure;
	of.window = request_selects(request, &selected) ? &selected : &p->scene->window;
	of.threads = threads = answers_threads(p->scene, s->index->trace);
	request_duration(request, "least", &of.least);
	request_duration(request, "most", &of.most);
	json = reply_begin_json(&w);
	json_string(&json, "interval", interval->name);
	distribution_write(s->index, interval, &of, &json);
	free(threads);
	return reply_end_json(&w, &json);
}

/* Writes the name to search an interval by, which is longer than its own if that is ambiguous. */
static void write_searched(const struct spec *spec, const char *name,
			   const struct interval *interval, struct json *j)
{
	struct diag quiet = {.out = NULL};
	bool longer = interval && is_ambiguous(spec, name, DIAG_NOWHERE, &quiet);
	char *whole = longer ? text_format("%s.%s", interval->home, interval->declared) : NULL;

	json_string(j, "searched", whole ? whole : name);
	free(whole);
}

/*
 * Writes statistics of the time that the intervals have in the picture; what has no partner is
 * counted there.
 */
static void write_statistics(struct session *s, const struct scene *scene, struct json *j)
{
	bool *threads = answers_threads(scene, s->index->trace);
	struct duration_query of = {.window = &scene->window, .threads = threads, .cut = true};

	json_array(j, "intervals");
	for (unsigned i = 0; i < scene->nintervals; i++) {
		const struct interval_key *key = &scene->intervals[i];
		const struct interval *interval = session_interval(s, key->name);

		json_object(j, NULL);
		json_string(j, "name", key->name);
		write_searched(s->index->trace->spec, key->name, interval, j);
		json_uint(j, "unmatched", key->unmatched);
		distribution_write_numbers(s->index, interval, &of, j);
		json_close(j);
	}
	json_close(j);
	free(threads);
}

/* Adds how many events of each kind a thread has in a window. */
static void count_in_thread(const struct event_index *x, unsigned thread,
			    const struct window *window, uint64_t *counts)
{
	unsigned n = event_index_kinds(x);
	uint64_t *at = array_zero(n + 1, sizeof *at);
	struct event_walk w;

	event_walk_begin(&w, x, thread, at);
	event_walk_to_time(&w, window->from);
	for (unsigned i = 0; i < n; i++)
		counts[i] -= at[i];
	event_walk_to_time(&w, window->to < INT64_MAX ? window->to + 1 : window->to);
	for (unsigned i = 0; i < n; i++)
		counts[i] += at[i];
	free(at);
}

/* Writes how many events of each type of the trace are in the picture, also of those not drawn. */
static void write_event_counts(struct session *s, const struct scene *scene, struct json *j)
{
	const struct event_index *x = s->index->events;
	const struct trace *t = s->index->trace;
	bool *threads = answers_threads(scene, t);
	uint64_t *counts = array_zero(event_index_kinds(x) + 1, sizeof *counts);

	for (unsigned i = 0; i < t->nthreads; i++)
		if (threads[i])
			count_in_thread(x, i, &scene->window, counts);
	json_array(j, "events");
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		unsigned n, first = event_index_kind(x, t->spec->events[i], &n);
		uint64_t count = 0;

		for (unsigned k = first; k < first + n; k++)
			count += counts[k];
		if (t->events_of_type[i] == 0)
			continue;
		json_object(j, NULL);
		json_string(j, "name", t->spec->events[i]->name);
		json_uint(j, "count", count);
		json_close(j);
	}
	json_close(j);
	free(counts);
	free(threads);
}

struct reply answer_statistics(struct session *s, const struct http_request *request)
{
	struct reply failure;
	const struct picture *p = session_picture(s, request, &failure);
	struct scene *selected = NULL;
	const struct scene *scene;
	struct reply_stream w;
	struct window window;
	struct json json;

	if (!p)
		return failure;
	if (request_selects(request, &window))
		selected = answers_selected(s, request, &window);
	scene = selected ? selected : p->scene;
	json = reply_begin_json(&w);
	write_statistics(s, scene, &json);
	write_event_counts(s, scene, &json);
	if (selected)
		scene_free(selected);
	return reply_end_json(&w, &json);
}

/* ---- tracks ---- */

/* The tracks that have a meaning, in their order. */
struct drawn_tracks {
	VECTOR(struct series_track *) tracks;
};

/* Writes the track of one expression, or what is wrong with the expression. */
static void write_track(struct session *s, const struct scene *scene, const char *expression,
			const bool *threads, struct drawn_tracks *drawn, struct json *j)
{
	struct reply_stream complaints;
	struct diag diag = {.out = reply_begin(&complaints), .program = "gorge"};
	struct series_track *t = track_build(expression, scene, s->index, threads, &diag);
	struct reply said = reply_end(&complaints, "text/plain");

	json_object(j, NULL);
	json_string(j, "expression", expression);
	if (t) {
		json_real(j, "top", tracks_height(drawn->tracks.n));
		track_write(scene, t, j);
		*vector_add(&drawn->tracks) = t;
	} else {
		json_string(j, "said", said.body);
	}
	json_close(j);
	free(said.body);
}

static void write_tracks(struct session *s, const struct scene *scene, const char *expressions,
			 const bool *threads, struct drawn_tracks *drawn, struct json *j)
{
	char *copy = text_format("%s", expressions), *rest = copy, *line;

	json_array(j, "tracks");
	while ((line = strsep(&rest, "\n")))
		if (*line && !task_stopped())
			write_track(s, scene, line, threads, drawn, j);
	json_close(j);
	free(copy);
}

static void write_drawings(const struct picture *p, const struct drawn_tracks *drawn,
			   struct json *j)
{
	double height = tracks_height(drawn->tracks.n);
	rgba page = p->scene->theme->page;
	struct drawing *ground = drawing_new(p->width, height, page, "tracks");
	struct drawing *plot = drawing_new(p->width, height, page, "tracks");

	tracks_draw_ground(ground, p->scene, p->layout, drawn->tracks.at, drawn->tracks.n, 0);
	tracks_draw_curves(plot, p->scene, p->layout, drawn->tracks.at, drawn->tracks.n, 0);
	json_int(j, "from", p->scene->window.from);
	json_int(j, "to", p->scene->window.to);
	json_real(j, "height", height);
	canvas_write(ground, j, "ground");
	canvas_write(plot, j, "plot");
	drawing_free(ground);
	drawing_free(plot);
}

struct reply answer_tracks(struct session *s, const struct http_request *request)
{
	const char *expressions = http_value(request, "expressions");
	struct reply failure;
	const struct picture *p = session_picture(s, request, &failure);
	struct drawn_tracks drawn = {0};
	struct chosen chosen;
	struct reply_stream w;
	struct json json;
	struct view_request q;

	if (!p)
		return failure;
	request_view(request, s->view, &q);
	chosen = chosen_new(&q.view, s->index->trace, &(struct diag){0});
	json = reply_begin_json(&w);
	write_tracks(s, p->scene, expressions ? expressions : "", chosen.threads, &drawn, &json);
	write_drawings(p, &drawn, &json);
	for (size_t i = 0; i < drawn.tracks.n; i++)
		track_free(drawn.tracks.at[i]);
	free(drawn.tracks.at);
	chosen_free(&chosen);
	return reply_end_json(&w, &json);
}
