#include "base/path.h"
#include "base/units.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/build/object_lanes.h"
#include "viewers/gorge/index/layer.h"
#include "viewers/gorge/index/logical.h"
#include "viewers/gorge/scene/object_scene.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Lists name so many, and say how many more there are. */
enum { LISTED = 10, LISTED_ABSENT = 7, LISTED_DIRECTORIES = 4 };

/* Appends to a text, which is replaced. */
#define append(text, ...) \
	do { \
		char *before_ = (text), *more_ = text_format(__VA_ARGS__); \
		(text) = text_format("%s%s", before_, more_); \
		free(before_); \
		free(more_); \
	} while (0)

static const char *title_of(const struct building *g)
{
	const struct trace *t = g->trace;

	if (g->view->title)
		return g->view->title;
	if (g->view->command)
		return g->view->command;
	return t->nprocesses && *t->processes[0].program ? t->processes[0].program : t->spec->name;
}

static void append_directories(char **text, const struct trace *t)
{
	unsigned i;

	for (i = 0; i < t->nprocesses && i < LISTED_DIRECTORIES; i++) {
		char *name = path_name(t->processes[i].path);

		append(*text, "%s%s", i ? ", " : "", name);
		free(name);
	}
	if (i < t->nprocesses)
		append(*text, " and %u more", t->nprocesses - i);
	if (i)
		append(*text, "  \xc2\xb7  ");
}

static void append_size(char **text, const struct building *g)
{
	const struct trace *t = g->trace;
	char count[UNITS_TEXT];
	unsigned shown = 0;

	for (unsigned i = 0; i < t->nthreads; i++)
		shown += g->threads[i];
	if (shown < t->nthreads)
		append(*text, "%u of ", shown);
	append(*text, "%u thread%s  \xc2\xb7  ", t->nthreads, t->nthreads == 1 ? "" : "s");
	append(*text, "%s event%s  \xc2\xb7  ", units_count(count, t->events),
	       t->events == 1 ? "" : "s");
}

static void append_window(char **text, const struct building *g)
{
	const struct window *w = &g->scene->window;
	char from[UNITS_TEXT], to[UNITS_TEXT], all[UNITS_TEXT];

	if (g->view->logical) {
		append(*text, "%s columns in happened-before order",
		       units_count(all, event_index_order(g->view->logical)->last + UINT64_C(1)));
		return;
	}
	units_short_time(all, (double)g->trace->duration);
	if (w->from > 0 || w->to < g->trace->duration)
		append(*text, "from %s to %s of %s", units_exact_time(from, w->from),
		       units_exact_time(to, w->to), all);
	else
		append(*text, "%s", all);
}

static void append_date(char **text, const struct trace *t)
{
	time_t seconds = t->origin_real / 1000000000;
	char date[64];
	struct tm tm;

	if (t->origin_real == 0 || !gmtime_r(&seconds, &tm))
		return;
	strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", &tm);
	append(*text, "  \xc2\xb7  %s", date);
}

static const char *words_event_name(const struct spec *s, unsigned i)
{
	return s->events[i]->name;
}

static const char *words_interval_name(const struct spec *s, unsigned i)
{
	return s->intervals[i]->name;
}

/* Names of one kind, and those of them that a list is to have. */
struct names {
	const char *what; /* "events" */
	const char *(*name)(const struct spec *, unsigned);
	const bool *listed;
	unsigned n;
};

/* Appends "events A, B and 3 more", behind a semicolon where there is text. */
static void append_names(char **text, const struct spec *spec, const struct names *names,
			 unsigned most)
{
	unsigned listed = 0;

	for (unsigned i = 0; i < names->n; i++) {
		if (!names->listed[i] || listed++ >= most)
			continue;
		if (listed == 1)
			append(*text, "%s%s %s", **text ? "; " : "", names->what,
			       names->name(spec, i));
		else
			append(*text, ", %s", names->name(spec, i));
	}
	if (listed > most)
		append(*text, " and %u more", listed - most);
}

/* Returns "events A, B; intervals C"; "" if nothing is listed. */
static char *names_text(const struct spec *spec, const bool *events, const bool *intervals,
			unsigned most)
{
	struct names e = {"events", words_event_name, events, spec->nevents};
	struct names i = {"intervals", words_interval_name, intervals, spec->nintervals};
	char *text = text_format("%s", "");

	append_names(&text, spec, &e, most);
	append_names(&text, spec, &i, most);
	return text;
}

/* Those for which both are so. */
static bool *both(const bool *chosen, const bool *absent, unsigned n, bool so)
{
	bool *list = array_zero(n + 1, sizeof *list);

	for (unsigned i = 0; i < n; i++)
		list[i] = chosen[i] == so && absent[i] == so;
	return list;
}

static char *keys_text(const struct building *g, bool absent, unsigned most)
{
	const struct spec *spec = g->trace->spec;
	bool *events = both(g->events, g->chosen.absent_events, spec->nevents, absent);
	bool *intervals = both(g->intervals, g->chosen.absent_intervals, spec->nintervals, absent);
	char *text = names_text(spec, events, intervals, most);

	free(events);
	free(intervals);
	return text;
}

static void note_omitted(struct building *g)
{
	char *list = keys_text(g, false, LISTED);

	if (*list && (!g->view->objects || g->view->objects->threads))
		scene_note(g->scene, text_format("Not drawn: %s.", list));
	free(list);
}

/* A wait that its specification hides: the states of threads show it. */
static bool is_hidden_wait(const struct interval *n)
{
	return n->style.shown == SHOWN_NO && layer_of(n) == LAYER_WAITS;
}

/* Names what the trace has and the picture hides: "11,248 events, locks, wake-ups". */
static char *hidden_text(const struct building *g)
{
	const struct spec *spec = g->trace->spec;
	bool layers[ALL_LAYERS] = {0};
	uint64_t events = 0;
	char *text = text_format("%s", ""), count[UNITS_TEXT];

	for (unsigned i = 0; i < spec->nevents; i++)
		if (!g->events[i] && spec->events[i]->symbol != SYMBOL_NONE)
			events += g->trace->events_of_type[i];
	if (events)
		append(text, "%s events", units_count(count, events));
	for (unsigned i = 0; i < spec->nintervals; i++) {
		const struct interval *n = spec->intervals[i];
		const char *comma = *text ? ", " : "";
		enum layer layer = layer_of(n);

		if (g->intervals[i] || n->kind == KIND_LIFE || g->chosen.absent_intervals[i] ||
		    layers[layer] || is_hidden_wait(n))
			continue;
		layers[layer] = layer != LAYER_OWN;
		if (layer == LAYER_OWN)
			append(text, "%s%s", comma, style_label(&n->style, n->name));
		else
			append(text, "%s%s", comma, layer_name(layer));
	}
	return text;
}

/* Returns the most threads that a lane stands for, but for those of processes. */
static unsigned threads_in_lane(const struct building *g)
{
	unsigned most = 0;

	for (size_t i = 0; i < g->plan.n; i++)
		if (!g->plan.at[i].heading && !g->plan.at[i].shared && !g->plan.at[i].processors &&
		    g->plan.at[i].n > most)
			most = g->plan.at[i].n;
	return most;
}

void building_words(struct building *g)
{
	struct scene *s = g->scene;
	char count[UNITS_TEXT];
	unsigned most = threads_in_lane(g);

	s->title = text_format("%s", title_of(g));
	s->subtitle = text_format("%s", "");
	append_directories(&s->subtitle, g->trace);
	append_size(&s->subtitle, g);
	append_window(&s->subtitle, g);
	append_date(&s->subtitle, g->trace);
	s->absent = keys_text(g, true, LISTED_ABSENT);
	if (g->losses)
		scene_note(s, text_format("%s.", g->losses));
	if (most > 1)
		scene_note(s, text_format("Each lane combines up to %u threads.", most));
	if (g->dead)
		scene_note(s,
			   text_format("%s threads are not alive in this window and have no lane.",
				       units_count(count, g->dead)));
	if (g->hidden)
		scene_note(s,
			   text_format("%s intervals lead to or from threads that are not shown.",
				       units_count(count, g->hidden)));
	if (g->view->logical && event_index_order(g->view->logical)->against)
		scene_note(
		    s,
		    text_format("%s pairs of events form a cycle, which no order allows. "
				"They are left out, and the columns there follow the clock. "
				"The specification or a clock is wrong.",
				units_count(count, event_index_order(g->view->logical)->against)));
	if (s->deep)
		scene_note(s, text_format("%s intervals overlap more others than there are rows; "
					  "the last row holds them.",
					  units_count(count, s->deep)));
	if (s->deep_calls)
		scene_note(s, text_format("%s calls are nested deeper than there are rows; the "
					  "last row holds them.",
					  units_count(count, s->deep_calls)));
	if (s->objects && s->objects->crowded)
		scene_note(s,
			   text_format("This window has too many events for the lanes of objects: "
				       "they show only bars."));
	if (s->states && !s->full_legend)
		s->hidden = hidden_text(g);
	else
		note_omitted(g);
}
