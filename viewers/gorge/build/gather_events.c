#include "viewers/gorge/build/build.h"
#include "viewers/gorge/scene/marks.h"
#include <stdlib.h>

static rgba key_colour(struct gather *g, const struct style *style, struct span where,
		       unsigned *next)
{
	rgba colour;

	if (style->colour && colour_read(style->colour, &colour))
		return theme_colour(g->view->theme, colour);
	if (style->colour)
		diag_warning(g->diag, "colour", where,
			     "'%s' is not a colour that gorge knows; write \"#rrggbb\" or a name "
			     "such as \"red\"",
			     style->colour);
	return g->view->theme->hues[(*next)++ % NHUES];
}

static char *key_label(const struct style *style, const char *name)
{
	return text_format("%s", style->label ? style->label : name);
}

static void interval_keys(struct gather *g, unsigned *next)
{
	const struct spec *spec = g->trace->spec;
	struct interval_key *key = g->scene->intervals;

	for (unsigned i = 0; i < spec->nintervals; i++) {
		const struct interval *n = spec->intervals[i];
		if (!g->intervals[i]) {
			*next += g->view->steady && !n->style.colour;
			continue;
		}
		*key++ = (struct interval_key){
			.name = text_format("%s", n->name), .label = key_label(&n->style, n->name),
			.colour = key_colour(g, &n->style, n->where, next),
			.form = n->connection == CONNECTION_LINE ? FORM_LINE : FORM_BAR,
			.backwards = n->direction == BACKWARDS,
			.shortest = INT64_MAX, .longest = INT64_MIN,
		};
	}
}

/* Intervals come first, for their areas are large: they get the palette's best colours. */
void gather_keys(struct gather *g)
{
	const struct spec *spec = g->trace->spec;
	unsigned next = 0, n = 0;

	interval_keys(g, &next);
	for (unsigned i = 0; i < spec->nevents; i++) {
		const struct event_type *e = spec->events[i];
		g->event_key[i] = NO_KEY;
		if (!g->events[i]) {
			next += g->view->steady && !e->style.colour;
			continue;
		}
		g->event_key[i] = n;
		g->scene->events[n++] = (struct event_key){
			.name = text_format("%s", e->name), .label = key_label(&e->style, e->name),
			.symbol = e->symbol, .colour = key_colour(g, &e->style, e->where, &next),
			.shifted = e->offset_attribute >= 0,
		};
	}
}

uint8_t gather_shift(const struct gather *g, const struct event *e)
{
	uint32_t key = g->event_key[e->type->index];

	if (key == NO_KEY || !g->scene->events[key].shifted)
		return 0;
	return range_shift(&g->ranges[key], e);
}

static void gather_type(struct gather *g, const struct event_type *type, uint32_t index)
{
	const struct event_list *list = trace_events(g->trace, type);
	struct event_key *key = &g->scene->events[index];
	struct marks *marks = marks_begin(g->scene, index);
	struct event e;

	if (!list)
		array_exhausted();
	if (key->shifted)
		g->ranges[index] = shift_range(list);
	for (size_t i = event_list_from(list, g->scene->window.from); i < event_list_size(list); i++) {
		event_list_look(list, i, &e);
		gather_step(g);
		if (e.time > g->scene->window.to)
			break;
		uint32_t lane = gather_lane(g, e.thread);
		if (lane == NO_KEY)
			continue;
		key->count++;
		g->scene->lanes[lane].events++;
		marks_put(marks, lane, scene_column(g->scene, e.time), gather_shift(g, &e),
			  i);
	}
	marks_end(marks, &g->scene->marks);
}

void gather_events(struct gather *g)
{
	const struct spec *spec = g->trace->spec;

	for (unsigned i = 0; i < spec->nevents; i++)
		if (g->events[i])
			trace_announce(g->trace, spec->events[i]);
	for (unsigned i = 0; i < spec->nevents; i++)
		if (g->events[i])
			gather_type(g, spec->events[i], g->event_key[i]);
}
