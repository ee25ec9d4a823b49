#include "viewers/gorge/build/build.h"
#include "base/units.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/build/object_lanes.h"
#include "viewers/gorge/query/notes.h"
#include "viewers/gorge/style/density.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Symbols that an attribute shifts need so many tracks to be told apart. */
enum { SHIFTED_TRACKS = 3 };

/*
 * Limits a time to 73 years around the beginning of the trace: then the length of a window fits
 * into 64 bits.
 */
static int64_t limited(int64_t time)
{
	const int64_t limit = INT64_C(1) << 61;

	return time < -limit ? -limit : time > limit ? limit : time;
}

bool view_window(const struct view *v, const struct trace *t, struct window *w, struct diag *diag)
{
	int64_t duration = v->logical ? event_index_duration(v->logical) : t->duration;
	char from[UNITS_TEXT], to[UNITS_TEXT];

	w->from = limited(v->has_from ? v->window.from : 0);
	w->to = limited(v->has_to ? v->window.to : duration);
	/* a trace of one moment is shown as a microsecond */
	if (w->to == w->from && !v->has_from && !v->has_to)
		w->to = w->from + 1000;
	if (w->from < w->to) {
		if (w->from > duration || w->to < 0)
			diag_warning(diag, "empty", DIAG_NOWHERE,
				     "the window is outside the trace, which spans 0 to %s",
				     units_exact_time(to, duration));
		return true;
	}
	diag_error(diag, DIAG_NOWHERE,
		   "the window from %s to %s is empty; --from must be before --to, and the trace "
		   "ends at %s",
		   units_exact_time(from, w->from), units_exact_time(to, w->to),
		   units_exact_time((char[UNITS_TEXT]){0}, duration));
	return false;
}

/*
 * Gives the symbols of a lane their tracks: one for each event type while there is room, and one
 * for unmatched anchors.
 */
static void share_tracks(struct building *g)
{
	struct scene *s = g->scene;
	unsigned most = density_for(s->nlanes)->tracks, plain = 0, shifted = 0,
		 stubs = s->stubs.n > 0 || s->stubbed;

	for (unsigned i = 0; i < s->nevents; i++)
		shifted |= s->events[i].shifted;
	for (unsigned i = 0; i < s->nevents; i++)
		plain += !s->events[i].shifted;
	s->tracks = (shifted && plain < SHIFTED_TRACKS ? SHIFTED_TRACKS : plain) + stubs;
	s->tracks = s->tracks > most ? most : s->tracks ? s->tracks : 1;
	s->stub_track = stubs ? (int)s->tracks - 1 : -1;
	if (s->tracks == 1)
		return;
	for (unsigned i = 0, track = 0; i < s->nevents; i++)
		if (!s->events[i].shifted)
			s->events[i].track = track++ % (s->tracks - stubs);
}

static unsigned count_chosen(const bool *chosen, unsigned n)
{
	unsigned count = 0;

	for (unsigned i = 0; i < n; i++)
		count += chosen[i];
	return count;
}

static void building_free(struct building *g)
{
	chosen_free(&g->chosen);
	groups_free(&g->groups);
	folds_free(&g->folds);
	free(g->folded);
	free(g->order);
	free(g->plan.at);
	free(g->lane_of);
	free(g->event_key);
	free(g->ranges);
}

bool building_begin(struct building *g, const struct view *v, struct trace *t, struct diag *diag)
{
	const struct spec *spec = t->spec;
	struct window window;

	*g = (struct building){
	    .view = v, .trace = t, .diag = diag, .chosen = chosen_new(v, t, diag)};
	if (!g->chosen.good || !view_window(v, t, &window, diag)) {
		chosen_free(&g->chosen);
		return false;
	}
	g->window = window;
	g->threads = g->chosen.threads;
	g->events = g->chosen.events;
	g->intervals = g->chosen.intervals;
	g->lane_of = array_zero(t->nthreads, sizeof *g->lane_of);
	g->event_key = array_zero(spec->nevents, sizeof *g->event_key);
	if (!building_order(g)) {
		building_free(g);
		return false;
	}
	g->scene =
	    scene_new(v->theme, window, (unsigned)g->plan.n, count_chosen(g->events, spec->nevents),
		      count_chosen(g->intervals, spec->nintervals));
	building_lanes(g);
	building_keys(g);
	building_merge(g);
	g->scene->names_least = v->names;
	g->scene->logical = v->logical;
	g->scene->columns = scene_columns_for(g->scene, v->width);
	g->scene->near = (int)ceil(2 * density_for(g->scene->nlanes)->radius) + 2;
	g->ranges = array_zero(g->scene->nevents, sizeof *g->ranges);
	if (!v->logical)
		building_gaps(g);
	return true;
}

struct scene *building_end(struct building *g)
{
	share_tracks(g);
	building_words(g);
	building_free(g);
	return g->scene;
}

/* Returns who created the threads, if the view asks for it; to be freed. */
static uint32_t *view_creators(const struct view *v, const struct trace_index *m)
{
	return v->group == GROUP_CREATOR ? trace_creators(m) : NULL;
}

/* Returns how long each thread ran, if the view folds lanes by that: waits for it. To be freed. */
static int64_t *view_running(const struct view *v, const struct trace_index *m)
{
	const struct spec *spec = m->trace->spec;
	int64_t *running;

	if (v->fold || v->sort != SORT_SPEC || v->group == GROUP_CREATOR ||
	    v->group == GROUP_NAME || v->logical || !trace_has_states(m->trace))
		return NULL;
	running = array_zero(m->trace->nthreads, sizeof *running);
	for (unsigned i = 0; i < spec->nintervals; i++) {
		const struct interval *n = spec->intervals[i];
		const struct instances *found;

		if (n->kind != KIND_STATE || role_of(n).state != STATE_RUNNING)
			continue;
		found = trace_index_use(m, n);
		for (unsigned t = 0; t < found->nthreads; t++)
			for (size_t k = 0; k < found->within[t].rows.n; k++)
				running[t] += (int64_t)found->within[t].rows.at[k].total;
		trace_index_used();
	}
	return running;
}

/* ---- tracks ---- */

/* The rows of pixels in which the points of a track are told apart. */
enum { ROWS = 56 };

static const struct matches *lend(void *lender, const struct interval *interval)
{
	return trace_index_matches(lender, interval);
}

/* Evaluates an expression. listed: there are several, so that it pays to list the events. */
static struct series_track *make(const char *expression, const struct scene *s,
				 struct trace_index *m, const bool *threads, bool listed,
				 struct diag *diag)
{
	struct track_view view = {
	    .trace = m->trace,
	    .from = (double)s->window.from,
	    .to = (double)s->window.to,
	    .columns = s->columns,
	    .rows = ROWS,
	    .listed = listed,
	    .lend = lend,
	    .lender = m,
	};

	matcher_lend(m->matcher);
	for (unsigned i = 0; threads && i < m->trace->nthreads; i++)
		if (!threads[i])
			view.threads = threads;
	return track_new(expression, &view, diag);
}

struct series_track *track_build(const char *expression, const struct scene *s,
				 struct trace_index *m, const bool *threads, struct diag *diag)
{
	return make(expression, s, m, threads, true, diag);
}

/*
 * Adds a track for each of the view's expressions. Returns false, and diag is told with the place
 * in the expression, if one has no meaning.
 */
static bool tracks_build(struct scene *s, const struct view *v, struct trace_index *m,
			 const bool *threads, struct diag *diag)
{
	char *copy = text_format("%s", v->tracks ? v->tracks : ""), *rest = copy, *line;
	bool good = true;

	while ((line = strsep(&rest, "\n"))) {
		struct series_track *t;

		if (!line[strspn(line, " \t\r")])
			continue;
		t = make(line, s, m, threads, !v->complete, diag);
		if (t)
			*vector_add(&s->series) = t;
		good = good && t;
	}
	free(copy);
	return good;
}

/* ---- scenes ---- */

/* Columns of the logical order have no times. */
static void building_remarks(struct building *g)
{
	struct scene *s = g->scene;
	struct notes notes = notes_read(g->view->notes, g->trace);

	for (size_t i = 0; i < notes.list.n && !g->view->logical; i++) {
		struct note *n = &notes.list.at[i];

		if (n->from > s->window.to || n->to < s->window.from)
			continue;
		*vector_add(&s->remarks) = (struct scene_remark){
		    .x0 = scene_x(s, n->from),
		    .x1 = scene_x(s, n->to),
		    .lane = n->thread == NOTE_NO_THREAD || g->lane_of[n->thread] == NO_KEY
				? NO_LANE
				: g->lane_of[n->thread],
		    .text = n->text,
		};
		n->text = NULL;
	}
	notes_free(&notes);
}

static struct scene *build_scene(const struct view *v, struct trace_index *m, struct diag *diag)
{
	struct building g;
	struct view view = *v;
	struct object_lanes *objects;
	struct scene *scene;
	bool good;

	view.objects = objects = object_lanes_new(v, m, diag, &good);
	if (objects && !objects->threads)
		view.events = view.intervals = "none";
	if (!good || !building_begin(&g, &view, m->trace, diag)) {
		object_lanes_free(objects);
		return NULL;
	}
	g.index = m;
	g.losses = m->losses;
	g.scene->processors = m->processors;
	g.scene->full_legend = v->full_legend;
	building_remarks(&g);
	building_pick_begin(&g);
	building_fill(&g);
	if (v->violations && !v->logical)
		building_violations(&g);
	building_pick(&g);
	building_names(&g);
	building_reason_names(&g);
	building_release(&g);
	good = v->logical || tracks_build(g.scene, v, m, g.threads, diag);
	scene = building_end(&g);
	object_lanes_free(objects);
	if (good)
		return scene;
	scene_free(scene);
	return NULL;
}

struct scene *scene_build(const struct view *v, struct trace_index *m, struct diag *diag)
{
	uint32_t *creators = view_creators(v, m);
	struct view view = *v;
	struct scene *scene;
	int64_t *running;

	view.creators = creators;
	view.places = m->places;
	view.logical = event_index_order(m->events) ? m->events : NULL;
	view.running = running = view_running(&view, m);
	scene = build_scene(&view, m, diag);
	free(running);
	free(creators);
	return scene;
}

const char *view_lanes(const struct trace *t)
{
	bool many = t->nthreads > FEW_THREADS;

	if (trace_has_states(t))
		return many ? "alive,contended" : "threads,contended";
	return many ? "alive" : "threads";
}

/* Appends the keys by which a page knows a folded lane. */
static void lane_keys(const struct lane *lane, char **keys)
{
	size_t n = lane->heading ? 1 : lane->threads.n;

	for (size_t i = 0; i < n; i++) {
		uint64_t first = lane->heading ? 0 : lane->threads.at[i].first,
			 last = lane->heading ? 0 : lane->threads.at[i].last;
		for (uint64_t number = first; number <= last; number++) {
			char *before = *keys;
			*keys = lane->heading ? text_format("%s%s,", before, lane->group)
					      : text_format("%s%" PRIu64 ",", before, number);
			free(before);
		}
	}
}

char *view_folded(const struct view *v, struct trace_index *m)
{
	uint32_t *creators = view_creators(v, m);
	struct view view = *v;
	struct building g;
	char *keys = text_format("%s", "");
	int64_t *running;

	view.creators = creators;
	view.places = m->places;
	view.logical = event_index_order(m->events) ? m->events : NULL;
	view.running = running = view_running(&view, m);
	if (building_begin(&g, &view, m->trace, &(struct diag){0})) {
		struct scene *s = building_end(&g);
		for (unsigned i = 0; i < s->nlanes; i++)
			if (s->lanes[i].collapsed)
				lane_keys(&s->lanes[i], &keys);
		scene_free(s);
	}
	free(running);
	free(creators);
	return keys;
}

bool view_check(const struct view *v, struct trace_index *m, struct diag *diag)
{
	struct chosen chosen = chosen_new(v, m->trace, diag);
	struct window window;
	struct view view = *v;
	bool good;

	view.logical = event_index_order(m->events) ? m->events : NULL;
	good = chosen.good && view_window(&view, m->trace, &window, diag);

	chosen_free(&chosen);
	return good;
}
