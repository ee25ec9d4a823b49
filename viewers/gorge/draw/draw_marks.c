#include "base/search.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/draw/drawing.h"
#include <math.h>

/* ---- events and unmatched anchors ---- */

enum { THIN, BOLD };

rgba strip_colour(const struct scene *s, rgba colour, unsigned level)
{
	return colour_mix(colour, s->theme->page, 0.52 + 0.16 * level);
}

static double mark_x(const struct layout *l, const struct scene_mark *m)
{
	return l->x + m->x0 + 0.5;
}

static double mark_y(const struct scene *s, const struct layout *l, const struct scene_mark *m)
{
	return layout_mark_y(s, l, m->lane, m->key, m->shift);
}

static double mark_radius(const struct layout *l, const struct scene_mark *m)
{
	return fmin(l->density->radius, l->places[m->lane].track * 0.6);
}

/* Returns the first mark of the key or of those after it; marks come key by key. */
static size_t marks_from(const struct mark_list *list, unsigned key)
{
	return lower_bound(i, 0, list->n, list->at[i].key < key);
}

static void add_symbols(struct drawing *d, const struct scene *s, const struct layout *l,
			unsigned key, bool bold)
{
	size_t end = marks_from(&s->marks, key + 1);

	for (size_t i = marks_from(&s->marks, key); i < end; i++) {
		const struct scene_mark *m = &s->marks.at[i];
		if (m->level == 0 && (m->count > 1) == bold)
			symbol_add(d, s->events[key].symbol, mark_x(l, m), mark_y(s, l, m),
				   mark_radius(l, m) * (bold ? 1.3 : 1));
	}
}

/* Draws symbols with a rim in the page's colour, which keeps them apart from what is below. */
static void draw_symbols(struct drawing *d, const struct scene *s, const struct layout *l,
			 unsigned key, bool bold)
{
	enum symbol symbol = s->events[key].symbol;
	rgba colour = s->events[key].colour;
	double pen = fmax(1, l->density->radius * (bold ? 0.55 : 0.38));

	drawing_brush(d, (struct brush){.colour = s->theme->page,
					.width = symbol_is_line(symbol) ? pen + 1.6 : 1.6});
	add_symbols(d, s, l, key, bold);
	drawing_brush(d, (struct brush){.colour = symbol_is_line(symbol)
						      ? theme_line_colour(s->theme, colour)
						      : colour,
					.width = symbol_is_line(symbol) ? pen : 0});
	add_symbols(d, s, l, key, bold);
}

/*
 * Draws a strip as a line as broad as it is high: a third of the size of a rectangle in a document.
 */
static void draw_strips(struct drawing *d, const struct scene *s, const struct layout *l,
			unsigned key, unsigned level)
{
	struct brush brush = {.colour = strip_colour(s, s->events[key].colour, level)};
	size_t end = marks_from(&s->marks, key + 1);

	for (size_t i = marks_from(&s->marks, key); i < end; i++) {
		const struct scene_mark *m = &s->marks.at[i];
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

void stub_draw(struct drawing *d, double x, double y, double radius, bool backwards)
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

	drawing_brush(d, (struct brush){.colour = line_colour(s, key), .width = pen});
	for (size_t i = marks_from(&s->stubs, key); i < end; i++) {
		const struct scene_mark *m = &s->stubs.at[i];
		double y = layout_track_y(l, m->lane, (unsigned)s->stub_track);
		double track = l->places[m->lane].track, height = fmax(track * 0.5, 1);
		if (m->level == 0)
			stub_draw(d, mark_x(l, m), y, fmin(l->density->radius * 0.7, track * 0.4),
				  s->intervals[key].backwards);
		else
			drawing_rect(d, l->x + m->x0, y - height / 2, m->x1 - m->x0, height);
	}
}

void marks_draw(struct drawing *d, const struct scene *s, const struct layout *l)
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

/* ---- what breaks an assertion: a sign above it where it begins, and a frame around it ---- */

/* The width of a sign where there is room, and the thickness of a strip of many. */
enum { WIDTH = 8, STRIP = 3 };
#define HEIGHT_OF(width) ((width)*0.75)

static void add_violation_sign(struct drawing *d, double x, double top, double width)
{
	drawing_move(d, x - width / 2, top);
	drawing_line(d, x + width / 2, top);
	drawing_line(d, x, top + HEIGHT_OF(width));
	drawing_close(d);
}

void violation_sign_draw(struct drawing *d, const struct theme *theme, double x, double top)
{
	drawing_brush(d, (struct brush){.colour = theme->alarm});
	add_violation_sign(d, x, top, WIDTH);
}

/* Returns the width of a sign: at most two symbols. */
static double sign_width(const struct layout *l)
{
	return fmin(WIDTH, l->density->radius * 2.2);
}

/* Returns the top of a sign, close above the contents of the lane. */
static double sign_top(const struct layout *l, uint32_t lane)
{
	const struct lane_place *p = &l->places[lane];

	return fmax(p->top, p->tracks - HEIGHT_OF(sign_width(l)) - 2);
}

double violation_sign_y(const struct layout *l, uint32_t lane)
{
	return sign_top(l, lane) + HEIGHT_OF(sign_width(l)) / 2;
}

static void add_violation_signs(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (size_t i = 0; i < s->violations.n; i++) {
		const struct scene_mark *m = &s->violations.at[i];
		if (m->level == 0)
			add_violation_sign(d, l->x + m->x0 + 0.5, sign_top(l, m->lane),
					   sign_width(l));
	}
}

/* Draws signs with a rim in the page's colour, which keeps them apart from what is below. */
static void draw_violation_signs(struct drawing *d, const struct scene *s, const struct layout *l)
{
	drawing_brush(d, (struct brush){.colour = s->theme->page, .width = 1.6});
	add_violation_signs(d, s, l);
	drawing_brush(d, (struct brush){.colour = s->theme->alarm});
	add_violation_signs(d, s, l);
	for (size_t i = 0; i < s->violations.n; i++) {
		const struct scene_mark *m = &s->violations.at[i];
		if (m->level)
			drawing_rect(d, l->x + m->x0, sign_top(l, m->lane), m->x1 - m->x0, STRIP);
	}
}

static void draw_violation_frames(struct drawing *d, const struct scene *s, const struct layout *l)
{
	double width = l->density->row > 8 ? 1.8 : 1.1;

	drawing_brush(d, (struct brush){.colour = s->theme->alarm, .width = width});
	for (size_t i = 0; i < s->bars.n; i++)
		if (s->bars.at[i].violates)
			bar_frame_draw(d, s, l, &s->bars.at[i]);
	for (size_t i = 0; i < s->links.n; i++)
		if (s->links.at[i].violates)
			link_draw(d, s, l, &s->links.at[i]);
}

void violations_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	draw_violation_frames(d, s, l);
	draw_violation_signs(d, s, l);
}
