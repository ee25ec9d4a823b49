/*
 * Draws the lanes of objects: bars in the colours of threads, the events that name the object, and
 * arrows from who lets go to who goes on; the threads' colours beside their names.
 */
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/scene/object_scene.h"
#include "viewers/gorge/style/text_width.h"
#include <math.h>

/* Beside the name of a thread; the head of an arrow; in the legend. */
enum { CHIP = 3, HEAD = 4, LETTERS = 10, LINE = 17, SAMPLE = 22, GAP = 16 };

/* ---- arrows ---- */

static double row_middle(const struct scene *s, const struct layout *l, uint32_t lane, unsigned row)
{
	return layout_row_y(s, l, lane, row) + layout_row_height(s, l, lane, row) / 2;
}

static double within(const struct scene *s, double x)
{
	return fmin(fmax(x, 0), s->columns);
}

static void draw_arrow(struct drawing *d, double x0, double y0, double x1, double y1)
{
	drawing_move(d, x0, y0);
	drawing_line(d, x1, y1);
}

/* Draws a triangle whose tip is the end of the line. */
static void draw_head(struct drawing *d, double x0, double y0, double x1, double y1)
{
	double length = hypot(x1 - x0, y1 - y0), ux, uy;

	if (length < HEAD)
		return;
	ux = (x1 - x0) / length * HEAD;
	uy = (y1 - y0) / length * HEAD;
	drawing_move(d, x1, y1);
	drawing_line(d, x1 - ux - uy * 0.55, y1 - uy + ux * 0.55);
	drawing_line(d, x1 - ux + uy * 0.55, y1 - uy - ux * 0.55);
	drawing_close(d);
}

static void draw_links(struct drawing *d, const struct scene *s, const struct layout *l)
{
	const struct object_scene *o = s->objects;

	for (int heads = 0; heads < 2; heads++) {
		drawing_brush(d, (struct brush){.colour = s->theme->ink, .width = heads ? 0 : 1});
		for (size_t i = 0; i < o->links.n; i++) {
			const struct object_link *k = &o->links.at[i];
			double x0 = l->x + 0.5 + within(s, k->x0),
			       x1 = l->x + 0.5 + within(s, k->x1);
			double y0 = row_middle(s, l, k->lane, k->from_row);
			double y1 = row_middle(s, l, k->lane, k->to_row);

			if (!heads)
				draw_arrow(d, x0, y0, x1, y1);
			else if (k->x1 <= s->columns)
				draw_head(d, x0, y0, x1, y1);
		}
	}
}

/* ---- events ---- */

static void draw_mark(struct drawing *d, const struct scene *s, const struct layout *l,
		      const struct object_mark *m, bool halo)
{
	bool line = symbol_is_line(m->type->symbol);
	double radius = fmin(l->density->radius, layout_row_height(s, l, m->lane, 0) * 0.4);
	rgba colour = halo ? s->theme->page : s->objects->threads.at[m->thread].colour;

	drawing_brush(d, (struct brush){.colour = colour, .width = line ? halo ? 4 : 1.8 : 0});
	symbol_add(d, m->type->symbol, l->x + 0.5 + m->x, row_middle(s, l, m->lane, 0),
		   radius + (halo && !line ? 1.2 : 0));
}

void objects_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	if (!s->objects || !s->objects->bars->nintervals)
		return;
	bars_draw(d, s->objects->bars, l);
	draw_links(d, s, l);
	for (size_t i = 0; i < s->objects->marks.n; i++) {
		draw_mark(d, s, l, &s->objects->marks.at[i], true);
		draw_mark(d, s, l, &s->objects->marks.at[i], false);
	}
}

/* ---- the threads' colours ---- */

static bool has_thread(const struct lane *lane, uint32_t number)
{
	return lane->threads.n == 1 && lane->threads.at[0].first == number &&
	       lane->threads.at[0].last == number;
}

void object_chips_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (size_t i = 0; s->objects && i < s->objects->threads.n; i++) {
		const struct object_thread *t = &s->objects->threads.at[i];

		drawing_brush(d, (struct brush){.colour = t->colour});
		for (unsigned lane = 0; lane < s->nlanes; lane++)
			if (has_thread(&s->lanes[lane], t->number))
				drawing_rect(d, PAGE_MARGIN - 1, l->places[lane].top + 1, CHIP,
					     l->places[lane].height - 2);
	}
}

/* ---- the legend ---- */

struct legend_place {
	double x, y;
};

/* Makes room for a sample and its text; returns where it is. */
static struct legend_place next_place(struct drawing *d, struct legend_place *at, const char *text)
{
	double width = SAMPLE + text_width(text, LETTERS, false) + GAP;
	struct legend_place here;

	if (at->x > PAGE_MARGIN && at->x + width - GAP > d->width - PAGE_MARGIN) {
		at->x = PAGE_MARGIN;
		at->y += LINE;
	}
	here = *at;
	at->x += width;
	return here;
}

static void add_sample(struct drawing *d, const struct scene *s, struct legend_place *at, rgba fill,
		       const char *text)
{
	struct typeface face = {.size = LETTERS, .colour = s->theme->ink};
	struct legend_place p = next_place(d, at, text);

	drawing_brush(d, (struct brush){.colour = fill});
	drawing_rect(d, p.x, p.y - 8, 16, 9);
	drawing_brush(d,
		      (struct brush){.colour = colour_mix(fill, s->theme->ink, 0.7), .width = 0.6});
	drawing_rect(d, p.x + 0.3, p.y - 7.7, 15.4, 8.4);
	drawing_text(d, &face, p.x + SAMPLE, p.y, 0, text);
}

static void add_arrow(struct drawing *d, const struct scene *s, struct legend_place *at)
{
	const char *text = "wakes it up";
	struct typeface face = {.size = LETTERS, .colour = s->theme->ink};
	struct legend_place p = next_place(d, at, text);

	drawing_brush(d, (struct brush){.colour = s->theme->ink, .width = 1});
	draw_arrow(d, p.x, p.y - 7, p.x + 16, p.y - 1);
	drawing_brush(d, (struct brush){.colour = s->theme->ink});
	draw_head(d, p.x, p.y - 7, p.x + 16, p.y - 1);
	drawing_text(d, &face, p.x + SAMPLE, p.y, 0, text);
}

/* Adds the threads in the order of the trace. */
static void add_threads(struct drawing *d, const struct scene *s, struct legend_place *at)
{
	enum { NAMED = 24 };
	const struct object_scene *o = s->objects;
	const struct object_thread *last = NULL, *next;

	for (unsigned n = 0; n < o->threads.n && n < NAMED; n++, last = next) {
		next = NULL;
		for (size_t i = 0; i < o->threads.n; i++) {
			const struct object_thread *t = &o->threads.at[i];
			if ((!last || t->thread > last->thread) &&
			    (!next || t->thread < next->thread))
				next = t;
		}
		if (!next)
			return;
		add_sample(d, s, at, next->colour, next->name);
	}
}

/* Returns whether the type of mark i is one that no mark before it has. */
static bool is_new_type(const struct object_scene *o, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (o->marks.at[k].type == o->marks.at[i].type)
			return false;
	return true;
}

static void add_symbols(struct drawing *d, const struct scene *s, struct legend_place *at)
{
	enum { SEARCHED = 1000 };
	struct typeface face = {.size = LETTERS, .colour = s->theme->ink};

	for (size_t i = 0; i < s->objects->marks.n && i < SEARCHED; i++) {
		const struct event_type *type = s->objects->marks.at[i].type;
		const char *name = style_label(&type->style, type->name);
		struct legend_place p;

		if (!is_new_type(s->objects, i))
			continue;
		p = next_place(d, at, name);
		drawing_brush(d, (struct brush){.colour = s->theme->muted,
						.width = symbol_is_line(type->symbol) ? 1.7 : 0});
		symbol_add(d, type->symbol, p.x + 8, p.y - 3.5, 4.2);
		drawing_text(d, &face, p.x + SAMPLE, p.y, 0, name);
	}
}

double objects_legend_draw(struct drawing *d, const struct scene *s, double y)
{
	const struct object_scene *o = s->objects;
	struct typeface head = {.size = LETTERS, .colour = s->theme->muted};
	struct legend_place at = {PAGE_MARGIN, y + LINE};

	if (!o || !o->threads.n)
		return y;
	at.x += drawing_text(d, &head, at.x, at.y, 0,
			     "bars of objects have the colour of the thread:") +
		GAP;
	add_threads(d, s, &at);
	at = (struct legend_place){PAGE_MARGIN, at.y + LINE};
	add_sample(d, s, &at, s->theme->muted, "holds it");
	add_sample(d, s, &at, object_wait_colour(s->theme, s->theme->muted), "waits for it");
	if (o->links.n)
		add_arrow(d, s, &at);
	add_symbols(d, s, &at);
	return at.y;
}
