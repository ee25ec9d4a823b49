#include "viewers/gorge/build/build.h"
#include "viewers/gorge/build/scene_tracks.h"
#include "viewers/gorge/draw/layout.h"
#include "viewers/units.h"
#include <math.h>
#include <stdlib.h>

/* Symbols that an attribute shifts need so many tracks to be told apart. */
enum { SHIFTED_TRACKS = 3 };

/* Within 73 years of the trace's begin the length of a window is a number of 64 bits. */
static int64_t limited(int64_t time)
{
	const int64_t limit = INT64_C(1) << 61;

	return time < -limit ? -limit : time > limit ? limit : time;
}

bool gather_window(struct gather *g, struct window *w)
{
	int64_t duration = g->trace->duration;
	char from[UNITS_TEXT], to[UNITS_TEXT];

	w->from = limited(g->view->has_from ? g->view->window.from : 0);
	w->to = limited(g->view->has_to ? g->view->window.to : duration);
	/* a trace of one moment is shown as a microsecond */
	if (w->to == w->from && !g->view->has_from && !g->view->has_to)
		w->to = w->from + 1000;
	if (w->from < w->to) {
		if (w->from > duration || w->to < 0)
			diag_warning(g->diag, "empty", DIAG_NOWHERE,
				     "the window is outside of the trace, which goes from 0 to %s",
				     time_text(to, duration));
		return true;
	}
	diag_error(g->diag, DIAG_NOWHERE,
		   "the window from %s to %s is empty; --from must be before --to, and the trace "
		   "ends at %s",
		   time_text(from, w->from), time_text(to, w->to),
		   time_text((char[UNITS_TEXT]){0}, duration));
	return false;
}

/*
 * Tracks for the symbols of a lane: one for each event type while there is room, and one for
 * unmatched anchors.
 */
static void share_tracks(struct gather *g)
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

/* How many events and anchors will be looked at. */
static uint64_t count_work(const struct gather *g)
{
	const struct spec *spec = g->trace->spec;
	uint64_t total = 0;

	for (unsigned i = 0; i < spec->nevents; i++)
		if (g->events[i])
			total += g->trace->events_of_type[i];
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (g->intervals[i] && spec->intervals[i]->anchor.event)
			total += g->trace->events_of_type[spec->intervals[i]->anchor.event->index];
	return total;
}

/* Whether there is one that an instance can break which is drawn. */
static bool has_assertions(const struct gather *g)
{
	const struct spec *spec = g->trace->spec;

	for (unsigned i = 0; i < spec->nassertions; i++)
		if (spec->assertions[i]->interval && g->intervals[spec->assertions[i]->interval->index])
			return true;
	return false;
}

static struct scene *build(struct gather *g)
{
	const struct density *density = density_for(g->scene->nlanes);

	gather_lanes(g);
	gather_keys(g);
	gather_pick_begin(g);
	g->scene->columns = layout_columns(g->scene, g->view->width);
	g->scene->near = (int)ceil(2 * density->radius) + 2;
	g->ranges = array_zero(g->scene->nevents, sizeof *g->ranges);
	g->total = count_work(g);
	progress_begin("drawing");
	gather_gaps(g);
	if (!g->model->keep && has_assertions(g))
		model_violations(g->model);
	if (g->model->pyramid) {
		gather_pyramid(g);
	} else {
		gather_events(g);
		gather_intervals(g);
	}
	if (g->model->violations)
		gather_violations(g);
	gather_pick(g);
	gather_pyramid_end(g);
	progress_end();
	share_tracks(g);
	gather_words(g);
	return g->scene;
}

static unsigned count_chosen(const bool *chosen, unsigned n)
{
	unsigned count = 0;

	for (unsigned i = 0; i < n; i++)
		count += chosen[i];
	return count;
}

struct scene *view_scene(const struct view *v, struct model *m, struct diag *diag)
{
	struct trace *t = m->trace;
	const struct spec *spec = t->spec;
	struct choice chosen = choice_new(v, t, diag);
	struct gather g = {
		.threads = chosen.threads, .events = chosen.events, .intervals = chosen.intervals,
		.view = v, .model = m, .trace = t, .diag = diag,
		.lane_of = array_zero(t->nthreads, sizeof(uint32_t)),
		.event_key = array_zero(spec->nevents, sizeof(uint32_t)),
	};
	struct scene *scene = NULL;
	struct window window;

	if (chosen.good && gather_window(&g, &window)) {
		gather_order(&g);
		g.scene = scene_new(v->theme, window, (unsigned)g.plan.n,
				    count_chosen(g.events, spec->nevents),
				    count_chosen(g.intervals, spec->nintervals));
		scene = build(&g);
		if (!tracks_gather(scene, v->tracks, m, chosen.threads, diag)) {
			scene_free(scene);
			scene = NULL;
		}
	}
	choice_free(&chosen);
	free(g.order);
	free(g.plan.at);
	free(g.lane_of);
	free(g.event_key);
	free(g.ranges);
	return scene;
}

bool view_check(const struct view *v, struct model *m, struct diag *diag)
{
	struct choice chosen = choice_new(v, m->trace, diag);
	struct gather g = {.view = v, .trace = m->trace, .diag = diag};
	struct window window;
	bool good = chosen.good && gather_window(&g, &window);

	choice_free(&chosen);
	return good;
}
