/* Which threads, events and intervals are shown, and the legend's keys of them. */
#include "spec/qualified.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/index/layer.h"
#include "viewers/select.h"
#include <stdlib.h>

/* Takes a list of names, also with their specifications. */
static bool choose_names(const char *option, const char *list, const struct spec *spec,
			 const char *const *names, unsigned n, bool *chosen, struct diag *diag)
{
	char *plain = qualified_replace(spec, list);
	bool good = plain && select_names(option, plain, names, n, chosen, diag);

	free(plain);
	return good;
}

static bool choose_events(struct chosen *c, const struct view *v, const struct trace *t,
			  unsigned layers, struct diag *diag)
{
	const struct spec *spec = t->spec;
	const char **names = array_zero(spec->nevents, sizeof *names);
	bool good = true;

	for (unsigned i = 0; i < spec->nevents; i++)
		names[i] = spec->events[i]->name;
	if (v->events)
		good = choose_names("--events", v->events, spec, names, spec->nevents, c->events,
				    diag);
	for (unsigned i = 0; i < spec->nevents && !v->events; i++)
		c->events[i] = layers_show_event(t, layers, spec->events[i]);
	free(names);
	return good;
}

static bool choose_intervals(struct chosen *c, const struct view *v, const struct trace *t,
			     unsigned layers, struct diag *diag)
{
	const struct spec *spec = t->spec;
	const char **names = array_zero(spec->nintervals, sizeof *names);
	bool good = true;

	for (unsigned i = 0; i < spec->nintervals; i++)
		names[i] = spec->intervals[i]->name;
	if (v->intervals)
		good = choose_names("--intervals", v->intervals, spec, names, spec->nintervals,
				    c->intervals, diag);
	for (unsigned i = 0; i < spec->nintervals && !v->intervals; i++)
		c->intervals[i] = layers_show_interval(t, layers, spec->intervals[i]);
	free(names);
	return good;
}

static bool choice_choose_threads(struct chosen *c, const struct view *v, const struct trace *t,
				  struct diag *diag)
{
	if (v->threads)
		return select_threads(v->threads, t, c->threads, diag);
	for (unsigned i = 0; i < t->nthreads; i++)
		c->threads[i] = true;
	return true;
}

static bool interval_is_absent(const struct chosen *c, const struct interval *n)
{
	while (n->anchor.interval)
		n = n->anchor.interval;
	return c->absent_events[n->anchor.event->index];
}

struct chosen chosen_new(const struct view *v, const struct trace *t, struct diag *diag)
{
	struct chosen c = {
	    .threads = array_zero(t->nthreads, 1),
	    .events = array_zero(t->spec->nevents, 1),
	    .intervals = array_zero(t->spec->nintervals, 1),
	    .absent_events = array_zero(t->spec->nevents, 1),
	    .absent_intervals = array_zero(t->spec->nintervals, 1),
	};
	unsigned layers;

	layers_read(v->layers, &layers);
	c.good = choose_events(&c, v, t, layers, diag);
	c.good &= choose_intervals(&c, v, t, layers, diag);
	c.good = choice_choose_threads(&c, v, t, diag) && c.good;
	for (unsigned i = 0; i < t->spec->nevents; i++)
		c.absent_events[i] = t->events_of_type[i] == 0;
	for (unsigned i = 0; i < t->spec->nintervals; i++)
		c.absent_intervals[i] = interval_is_absent(&c, t->spec->intervals[i]);
	return c;
}

void chosen_free(struct chosen *c)
{
	free(c->threads);
	free(c->events);
	free(c->intervals);
	free(c->absent_events);
	free(c->absent_intervals);
}

/* ours: the colour of its kind; 0: it has none, and gets the hue of that number. */
static rgba key_colour(struct building *g, const struct style *style, struct span where, rgba ours,
		       unsigned hue)
{
	rgba colour;

	if (style->colour && colour_read(style->colour, &colour))
		return theme_colour(g->view->theme, colour);
	if (style->colour)
		diag_warning(g->diag, "colour", where,
			     "unknown colour '%s'; write \"#rrggbb\" or a name "
			     "such as \"red\"",
			     style->colour);
	return ours ? ours : g->view->theme->hues[hue % PALETTE_HUES];
}

static char *key_label(const struct style *style, const char *name)
{
	return text_format("%s", style_label(style, name));
}

static enum thread_state state_of(const struct interval *n)
{
	struct role role;

	if (n->kind != KIND_STATE)
		return STATE_OTHER;
	role = role_of(n);
	return role.state;
}

/* Whether blocked states are shown, which waits then explain. */
static bool shows_blocked(const struct building *g)
{
	for (unsigned i = 0; i < g->trace->spec->nintervals; i++)
		if (g->intervals[i] && state_of(g->trace->spec->intervals[i]) == STATE_BLOCKED)
			return true;
	return false;
}

static void interval_keys(struct building *g, unsigned *next)
{
	const struct spec *spec = g->trace->spec;
	const struct theme *theme = g->view->theme;
	struct interval_key *key = g->scene->intervals;
	bool explained = shows_blocked(g);

	for (unsigned i = 0; i < spec->nintervals; i++) {
		const struct interval *n = spec->intervals[i];
		enum thread_state state = state_of(n);
		enum wait_class wait = wait_class_of(spec, n);
		bool explains = explained && wait != WAIT_NONE;
		rgba ours = explains ? theme->waits[wait] : theme->states[state];

		unsigned hue = *next;

		*next += !n->style.colour && state == STATE_OTHER;
		if (!g->intervals[i])
			continue;
		*key++ = (struct interval_key){
		    .name = text_format("%s", n->name),
		    .label = key_label(&n->style, n->name),
		    .colour = key_colour(g, &n->style, n->where, ours, hue),
		    .form = n->connection == CONNECTION_LINE ? FORM_LINE : FORM_BAR,
		    .band = explains ? BAND_STATES : band_of(n),
		    .state = state,
		    .layer = layer_of(n),
		    .wait = wait,
		    .explains = explains,
		    .backwards = n->direction == BACKWARDS,
		    .absent = g->chosen.absent_intervals[i],
		    .shortest = INT64_MAX,
		    .longest = INT64_MIN,
		};
	}
}

/* Lets lines that are there without anybody's asking be drawn only where they are few. */
static void settle_few(struct building *g)
{
	const struct spec *spec = g->trace->spec;
	unsigned layers;

	layers_read(g->view->layers, &layers);
	if (!trace_has_states(g->trace) || layers_have(layers, LAYER_WAKEUPS) ||
	    (g->view->intervals && !g->view->switched))
		return;
	for (unsigned i = 0, key = 0; i < spec->nintervals; key += g->intervals[i++])
		if (g->intervals[i])
			g->scene->intervals[key].few = is_handover(spec, spec->intervals[i]);
}

/*
 * Intervals come first, for their areas are large: they get the palette's best colours. What is not
 * shown has its colour, too: the page and pictures of whatever choice have the same.
 */
void building_keys(struct building *g)
{
	const struct spec *spec = g->trace->spec;
	unsigned next = 0, n = 0;

	interval_keys(g, &next);
	settle_few(g);
	for (unsigned i = 0; i < spec->nevents; i++) {
		const struct event_type *e = spec->events[i];
		unsigned hue = next;

		next += !e->style.colour;
		g->event_key[i] = NO_KEY;
		if (!g->events[i])
			continue;
		g->event_key[i] = n;
		g->scene->events[n++] = (struct event_key){
		    .name = text_format("%s", e->name),
		    .label = key_label(&e->style, e->name),
		    .symbol = e->symbol,
		    .colour = key_colour(g, &e->style, e->where, 0, hue),
		    .shifted = e->offset_attribute >= 0,
		    .absent = g->chosen.absent_events[i],
		};
	}
}
