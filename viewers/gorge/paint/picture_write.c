/* A picture as JSON for the page. */
#include "viewers/gorge/draw/picture.h"
#include "viewers/gorge/draw/drawing.h"
#include "viewers/gorge/paint/canvas.h"
#include <stdlib.h>

enum { ICON = 9 };

static void write_theme(const struct theme *t, struct json *j)
{
	json_object(j, "theme");
	json_string(j, "name", t->name);
	json_colour(j, "page", t->page);
	json_colour(j, "band", t->band);
	json_colour(j, "grid", t->grid);
	json_colour(j, "ink", t->ink);
	json_colour(j, "muted", t->muted);
	json_close(j);
}

static void write_threads(const struct lane *lane, struct json *j)
{
	json_array(j, "threads");
	for (size_t i = 0; i < lane->threads.n; i++) {
		json_array(j, NULL);
		json_uint(j, NULL, lane->threads.at[i].first);
		json_uint(j, NULL, lane->threads.at[i].last);
		json_close(j);
	}
	json_close(j);
}

static void write_lanes(const struct picture *p, struct json *j)
{
	json_array(j, "lanes");
	for (unsigned i = 0; i < p->scene->nlanes; i++) {
		const struct lane *lane = &p->scene->lanes[i];
		json_object(j, NULL);
		json_string(j, "name", lane->name);
		write_threads(lane, j);
		json_bool(j, "heading", lane->heading);
		json_bool(j, "collapsed", lane->collapsed);
		json_uint(j, "process", lane->process);
		json_real(j, "top", p->layout->places[i].top);
		json_real(j, "height", p->layout->places[i].height);
		json_uint(j, "events", lane->events);
		json_uint(j, "lost", lane->lost);
		json_close(j);
	}
	json_close(j);
}

/* The event's symbol as the canvas paints it, about the middle of a square. */
static void write_icon(const struct event_key *key, struct json *j)
{
	struct drawing *d = drawing_new(2 * ICON, 2 * ICON, 0, "");
	bool line = symbol_is_line(key->symbol);

	drawing_brush(d, (struct brush){.colour = key->colour, .width = line ? 1.8 : 0});
	symbol_add(d, key->symbol, ICON, ICON, 5.5);
	paint_page(d, j, "icon");
	drawing_free(d);
}

static void write_events(const struct scene *s, struct json *j)
{
	json_array(j, "events");
	for (unsigned i = 0; i < s->nevents; i++) {
		const struct event_key *key = &s->events[i];
		json_object(j, NULL);
		json_string(j, "name", key->name);
		json_string(j, "label", key->label);
		json_colour(j, "colour", key->colour);
		json_uint(j, "count", key->count);
		write_icon(key, j);
		json_close(j);
	}
	json_close(j);
}

static void write_intervals(const struct scene *s, struct json *j)
{
	json_array(j, "intervals");
	for (unsigned i = 0; i < s->nintervals; i++) {
		const struct interval_key *key = &s->intervals[i];
		json_object(j, NULL);
		json_string(j, "name", key->name);
		json_string(j, "label", key->label);
		json_colour(j, "colour", key->colour);
		json_bool(j, "line", key->form == FORM_LINE);
		json_uint(j, "count", key->count);
		json_uint(j, "unmatched", key->unmatched);
		json_bool(j, "waiting", key->waiting);
		if (key->count) {
			json_int(j, "shortest", key->shortest);
			json_int(j, "longest", key->longest);
			json_real(j, "total", key->total);
		}
		json_close(j);
	}
	json_close(j);
}

static void write_window(const struct picture *p, struct json *j)
{
	json_int(j, "from", p->scene->window.from);
	json_int(j, "to", p->scene->window.to);
	json_uint(j, "columns", p->scene->columns);
	json_real(j, "left", p->layout->x);
	json_uint(j, "indent", PLOT_INDENT);
	json_real(j, "width", p->width);
	json_real(j, "height", p->height);
	json_real(j, "rulerHeight", p->ruler->height);
}

void picture_write(const struct picture *p, const struct trace_index *m, FILE *out)
{
	struct json json = json_begin(out, 1), *j = &json;

	json_object(j, NULL);
	json_string(j, "title", p->scene->title);
	json_string(j, "subtitle", p->scene->subtitle);
	json_int(j, "duration", m->trace->duration);
	json_uint(j, "eventsInTrace", m->trace->events);
	write_window(p, j);
	write_theme(p->scene->theme, j);
	write_lanes(p, j);
	write_events(p->scene, j);
	write_intervals(p->scene, j);
	json_array(j, "notes");
	for (size_t i = 0; i < p->scene->notes.n; i++)
		json_string(j, NULL, p->scene->notes.at[i]);
	json_close(j);
	if (p->scene->picking)
		json_bool(j, "picking", true);
	paint_page(p->ground, j, "ground");
	paint_page(p->plot, j, "plot");
	if (p->picked)
		paint_page(p->picked, j, "picked");
	paint_page(p->ruler, j, "ruler");
	json_close(j);
}
