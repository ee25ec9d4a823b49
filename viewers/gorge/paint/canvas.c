#include "viewers/gorge/paint/canvas.h"
#include "base/parallel.h"
#include "viewers/gorge/draw/drawing.h"
#include "viewers/gorge/draw/legend_line.h"
#include "viewers/gorge/draw/picture.h"
#include "viewers/gorge/paint/path.h"
#include "viewers/gorge/scene/stack_scene.h"
#include <stdlib.h>

/* ---- a drawing ---- */

/* Numbers are tenths of pixels, and relative after the first. */
enum { DECIMALS = 1 };

/* ---- strips: level lines, of which a dense picture has thousands ---- */

static bool are_strips(const struct drawing *d, const struct figure *f)
{
	const struct stroke *s = &d->strokes.at[f->first];

	if (f->brush.width <= 0 || f->brush.dashed || f->count % 2)
		return false;
	for (size_t i = 0; i < f->count; i += 2)
		if (s[i].op != OP_MOVE || s[i + 1].op != OP_LINE || s[i].y != s[i + 1].y ||
		    s[i + 1].x < s[i].x)
			return false;
	return true;
}

/*
 * Numbers of strips have digits of five bits, the lowest first: most numbers have one digit. The
 * last digit of a number is LAST plus its value, the others are OTHER plus theirs; LINE precedes a
 * line.
 */
enum { DIGIT = 5, LAST = '#', OTHER = ']', LINE = '!' };

static char *put_count(char *at, uint64_t n)
{
	for (; n >> DIGIT; n >>= DIGIT)
		*at++ = (char)(OTHER + (n & ((1 << DIGIT) - 1)));
	*at++ = (char)(LAST + n);
	return at;
}

/* Writes a signed number: those below zero are the odd ones. */
static char *canvas_put_signed(char *at, int64_t n)
{
	return put_count(at, n < 0 ? 2 * (uint64_t)-n - 1 : 2 * (uint64_t)n);
}

/* A strip with a line's begin takes no more: three numbers. */
enum { MOST_BYTES = 1 + 3 * 14 };

/* Writes of each strip the gap to the one before and its length; where another line begins, y. */
static void put_strips(struct path *p, const struct stroke *s, size_t count)
{
	for (size_t i = 0; i < count; i += 2) {
		int64_t x0 = path_measure(p, s[i].x), x1 = path_measure(p, s[i + 1].x),
			y = path_measure(p, s[i].y);
		char *at = path_room(p, MOST_BYTES);
		if (i == 0 || y != p->y) {
			*at++ = LINE;
			at = canvas_put_signed(at, y);
			p->x = 0;
			p->y = y;
		}
		at = put_count(canvas_put_signed(at, x0 - p->x), (uint64_t)(x1 - x0));
		p->n = (size_t)(at - p->text);
		p->x = x1;
	}
}

void json_colour(struct json *j, const char *key, rgba colour)
{
	char text[16];

	snprintf(text, sizeof text, "#%08x", colour);
	json_string(j, key, text);
}

/* The figures as text: most of the work of a picture, and done for all figures at once. */
struct figure_paths {
	const struct drawing *drawing;
	struct path *paths;
	bool *strips;
};

static void write_path(void *context, size_t i, unsigned worker)
{
	struct figure_paths *w = context;
	const struct figure *f = &w->drawing->figures.at[i];
	const struct stroke *strokes;

	(void)worker;
	if (f->count == 0)
		return;
	strokes = &w->drawing->strokes.at[f->first];
	w->paths[i] = path_new(DECIMALS);
	w->strips[i] = are_strips(w->drawing, f);
	if (w->strips[i])
		put_strips(&w->paths[i], strokes, f->count);
	for (size_t k = 0; !w->strips[i] && k < f->count; k++)
		path_stroke(&w->paths[i], &strokes[k]);
}

/* So few strokes are written sooner than threads are started. */
enum { FEW = 1000 };

static struct figure_paths write_paths(const struct drawing *d)
{
	struct figure_paths w = {d, array_zero(d->figures.n, sizeof *w.paths),
				 array_zero(d->figures.n, sizeof *w.strips)};

	for (size_t i = 0; d->strokes.n <= FEW && i < d->figures.n; i++)
		write_path(&w, i, 0);
	if (d->strokes.n > FEW)
		parallel_for(d->figures.n, write_path, &w);
	return w;
}

static void paint_figure(const struct figure_paths *w, size_t i, struct json *j)
{
	const struct figure *f = &w->drawing->figures.at[i];

	if (f->count == 0)
		return;
	json_array(j, NULL);
	json_colour(j, NULL, f->brush.colour);
	json_real(j, NULL, f->brush.width);
	if (!w->strips[i])
		json_bool(j, NULL, f->brush.dashed);
	json_bytes(j, NULL, w->paths[i].text, w->paths[i].n);
	json_close(j);
}

static void paint_label(const struct label *l, struct json *j)
{
	json_array(j, NULL);
	json_colour(j, NULL, l->colour);
	json_string(j, NULL, l->text);
	json_real(j, NULL, l->x);
	json_real(j, NULL, l->y);
	json_real(j, NULL, l->size);
	json_bool(j, NULL, l->bold);
	json_int(j, NULL, l->align);
	json_real(j, NULL, l->width);
	json_close(j);
}

void canvas_write(const struct drawing *d, struct json *j, const char *key)
{
	struct figure_paths w = write_paths(d);

	json_array(j, key);
	for (size_t i = 0; i < d->items.n; i++) {
		const struct drawing_item *item = &d->items.at[i];
		if (item->kind == ITEM_FIGURE)
			paint_figure(&w, item->index, j);
		else
			paint_label(&d->labels.at[item->index], j);
	}
	json_close(j);
	for (size_t i = 0; i < d->figures.n; i++)
		path_free(&w.paths[i]);
	free(w.paths);
	free(w.strips);
}

/* ---- a picture ---- */

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

static void write_lane_threads(const struct lane *lane, struct json *j)
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
		write_lane_threads(lane, j);
		json_bool(j, "heading", lane->heading);
		if (lane->object)
			json_uint(j, "kind", lane->kind);
		if (lane->processors)
			json_bool(j, "processors", true);
		json_bool(j, "collapsed", lane->collapsed);
		json_bool(j, "grown", lane->grown);
		if (p->scene->stacks && p->scene->stacks->rows[i].frames) {
			json_uint(j, "frames", p->scene->stacks->rows[i].frames);
			json_uint(j, "frameRows", lane->bands[BAND_STACKS]);
		}
		json_string(j, "group", lane->group);
		json_real(j, "top", p->layout->places[i].top);
		json_real(j, "height", p->layout->places[i].height);
		json_uint(j, "events", lane->events);
		json_uint(j, "lost", lane->lost);
		json_close(j);
	}
	json_close(j);
}

/* Writes the symbol of an event, in the middle of a square. */
static void write_icon(const struct scene *s, const struct event_key *key, struct json *j)
{
	struct drawing *d = drawing_new(2 * ICON, 2 * ICON, 0, "");
	bool line = symbol_is_line(key->symbol);

	drawing_brush(d, (struct brush){.colour = line ? theme_line_colour(s->theme, key->colour)
						       : key->colour,
					.width = line ? 1.8 : 0});
	symbol_add(d, key->symbol, ICON, ICON, 5.5);
	canvas_write(d, j, "icon");
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
		json_bool(j, "absent", key->absent);
		write_icon(s, key, j);
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
		json_colour(j, "colour",
			    key->form == FORM_LINE ? theme_line_colour(s->theme, key->colour)
						   : key->colour);
		json_bool(j, "line", key->form == FORM_LINE);
		json_string(j, "layer", layer_name(key->layer));
		json_uint(j, "count", key->count);
		json_uint(j, "unmatched", key->unmatched);
		json_bool(j, "waiting", key->waiting);
		json_bool(j, "absent", key->absent);
		if (key->count) {
			json_int(j, "shortest", key->shortest);
			json_int(j, "longest", key->longest);
			json_real(j, "total", key->total);
		}
		json_close(j);
	}
	json_close(j);
}

static void write_picture_window(const struct picture *p, struct json *j)
{
	json_int(j, "from", p->scene->window.from);
	json_int(j, "to", p->scene->window.to);
	json_uint(j, "columns", p->scene->columns);
	json_real(j, "left", p->layout->x);
	json_real(j, "names", scene_names_need(p->scene, p->width));
	json_uint(j, "indent", PLOT_INDENT);
	json_real(j, "width", p->width);
	json_real(j, "height", p->height);
	json_real(j, "rulerHeight", p->ruler->height);
}

/* Writes the legend of one line: each entry with a sample, 2 ICON wide and high. */
static void write_legend(const struct scene *s, struct json *j)
{
	struct legend_line l = legend_line_of(s);

	json_array(j, "legend");
	for (size_t i = 0; i < l.entries.n; i++) {
		struct drawing *d = drawing_new(2 * ICON, 2 * ICON, 0, "");

		json_object(j, NULL);
		json_string(j, "text", l.entries.at[i].text);
		legend_sample_draw(d, &l.entries.at[i], 1, ICON + 3);
		canvas_write(d, j, "icon");
		json_close(j);
		drawing_free(d);
	}
	json_close(j);
	if (s->hidden)
		json_string(j, "hidden", s->hidden);
	legend_line_free(&l);
}

void picture_write(const struct picture *p, const struct trace_index *m, FILE *out)
{
	struct json json = json_begin(out, 1), *j = &json;

	json_object(j, NULL);
	json_string(j, "title", p->scene->title);
	json_string(j, "subtitle", p->scene->subtitle);
	json_int(j, "duration", event_index_duration(m->events));
	json_uint(j, "eventsInTrace", m->trace->events);
	write_picture_window(p, j);
	write_theme(p->scene->theme, j);
	write_lanes(p, j);
	write_events(p->scene, j);
	write_intervals(p->scene, j);
	json_array(j, "notes");
	for (size_t i = 0; i < p->scene->notes.n; i++)
		json_string(j, NULL, p->scene->notes.at[i]);
	json_close(j);
	if (p->scene->stacks && p->scene->stacks->pending)
		json_bool(j, "pendingStacks", true);
	json_bool(j, "states", p->scene->states);
	write_legend(p->scene, j);
	if (p->scene->picking)
		json_bool(j, "picking", true);
	canvas_write(p->ground, j, "ground");
	canvas_write(p->plot, j, "plot");
	if (p->picked)
		canvas_write(p->picked, j, "picked");
	canvas_write(p->ruler, j, "ruler");
	canvas_write(p->shares, j, "shares");
	canvas_write(p->shares_head, j, "sharesHead");
	json_close(j);
}

/* ---- a track ---- */

static void write_curve(const struct scene *s, const struct series_track *t, size_t number,
			struct json *j)
{
	const struct track_curve *c = &t->curves.at[number];

	json_object(j, NULL);
	if (c->name)
		json_string(j, "name", c->name);
	json_colour(j, "colour", scene_track_colour(s, t, number));
	json_bool(j, "points", c->points);
	json_array(j, "vertices");
	for (size_t i = 0; i < c->vertices.n; i++) {
		json_real(j, NULL, c->vertices.at[i].x);
		json_real(j, NULL, c->vertices.at[i].y / t->divisor);
	}
	json_close(j);
	json_close(j);
}

void track_write(const struct scene *s, const struct series_track *t, struct json *j)
{
	json_string(j, "axis", t->axis ? t->axis : "");
	json_string(j, "unit", t->unit ? t->unit : "");
	json_array(j, "curves");
	for (size_t i = 0; i < t->curves.n; i++)
		write_curve(s, t, i, j);
	json_close(j);
}
