#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/draw/symbols.h"
#include <math.h>

enum { THIN, BOLD };

rgba strip_colour(const struct scene *s, rgba colour, unsigned level)
{
	return colour_mix(colour, s->theme->page, 0.52 + 0.16 * level);
}

static double mark_x(const struct layout *l, const struct mark *m)
{
	return l->x + m->x0 + 0.5;
}

static double mark_y(const struct scene *s, const struct layout *l, const struct mark *m)
{
	return layout_mark_y(s, l, m->lane, m->key, m->shift);
}

static double mark_radius(const struct layout *l, const struct mark *m)
{
	return fmin(l->density->radius, l->places[m->lane].track * 0.6);
}

/* The first mark of the key or of those behind it: they come key by key. */
static size_t marks_from(const struct mark_list *list, unsigned key)
{
	size_t low = 0, high = list->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list->at[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_symbols(struct drawing *d, const struct scene *s, const struct layout *l,
			unsigned key, bool bold)
{
	size_t end = marks_from(&s->marks, key + 1);

	for (size_t i = marks_from(&s->marks, key); i < end; i++) {
		const struct mark *m = &s->marks.at[i];
		if (m->level == 0 && (m->count > 1) == bold)
			symbol_add(d, s->events[key].symbol, mark_x(l, m), mark_y(s, l, m),
				   mark_radius(l, m) * (bold ? 1.3 : 1));
	}
}

/* A rim in the page's colour keeps symbols apart from what is below them. */
static void draw_symbols(struct drawing *d, const struct scene *s, const struct layout *l,
			 unsigned key, bool bold)
{
	enum symbol symbol = s->events[key].symbol;
	double pen = fmax(1, l->density->radius * (bold ? 0.55 : 0.38));

	drawing_brush(d, (struct brush){
		.colour = s->theme->page, .width = symbol_is_line(symbol) ? pen + 1.6 : 1.6});
	add_symbols(d, s, l, key, bold);
	drawing_brush(d, (struct brush){
		.colour = s->events[key].colour, .width = symbol_is_line(symbol) ? pen : 0});
	add_symbols(d, s, l, key, bold);
}

/* A strip is a line as broad as it is high: a third of a rectangle's size in a document. */
static void draw_strips(struct drawing *d, const struct scene *s, const struct layout *l,
			unsigned key, unsigned level)
{
	struct brush brush = {.colour = strip_colour(s, s->events[key].colour, level)};
	size_t end = marks_from(&s->marks, key + 1);

	for (size_t i = marks_from(&s->marks, key); i < end; i++) {
		const struct mark *m = &s->marks.at[i];
		double height;
		if (m->level != level)
			continue;
		height = fmax(l->places[m->lane].track - 1.5, 1);
		if (height != brush.width) {
			brush.width = height;
			drawing_brush(d, brush);
		}
		drawing_move(d, l->x + m->x0, mark_y(s, l, m));
		drawing_line(d, l->x + m->x1 + (m->x1 - m->x0 == 1 ? 0.5 : 0), mark_y(s, l, m));
	}
}

void draw_stub(struct drawing *d, double x, double y, double radius, bool backwards)
{
	double side = backwards ? -1 : 1;

	drawing_circle(d, x, y, radius);
	drawing_move(d, x + side * radius, y);
	drawing_line(d, x + side * (radius + 6), y);
}

/* More than so many have a pen of one pixel, with which a browser paints several times faster. */
enum { MOST_STUBS = 200 };

static void draw_stubs(struct drawing *d, const struct scene *s, const struct layout *l,
		       unsigned key)
{
	double pen = s->stubs.n > MOST_STUBS ? 1 : 1.3;
	size_t end = marks_from(&s->stubs, key + 1);

	drawing_brush(d, (struct brush){.colour = s->intervals[key].colour, .width = pen});
	for (size_t i = marks_from(&s->stubs, key); i < end; i++) {
		const struct mark *m = &s->stubs.at[i];
		double y = layout_track_y(l, m->lane, (unsigned)s->stub_track);
		double track = l->places[m->lane].track, height = fmax(track * 0.5, 1);
		if (m->level == 0)
			draw_stub(d, mark_x(l, m), y, fmin(l->density->radius * 0.7, track * 0.4),
				  s->intervals[key].backwards);
		else
			drawing_rect(d, l->x + m->x0, y - height / 2, m->x1 - m->x0, height);
	}
}

void compose_marks(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (unsigned key = 0; key < s->nevents; key++)
		for (unsigned level = 1; level <= 3; level++)
			draw_strips(d, s, l, key, level);
	for (unsigned key = 0; key < s->nintervals; key++)
		draw_stubs(d, s, l, key);
	for (unsigned key = 0; key < s->nevents; key++) {
		draw_symbols(d, s, l, key, false);
		draw_symbols(d, s, l, key, true);
	}
}
