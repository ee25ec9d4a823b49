/* Draws what readers noted: a flag on the ruler, a line through the lanes, and the text. */
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/style/text_width.h"
#include <math.h>

enum { TEXT_SIZE = 10, TEXT_HEIGHT = 14, MOST_TEXT = 220, FLAG = 7 };

static rgba remark_colour(const struct scene *s)
{
	return s->theme->alarm;
}

/* The part of a range in the window; of a time both are the same. */
static void remark_range(const struct scene *s, const struct layout *l,
			 const struct scene_remark *r, double *from, double *to)
{
	*from = l->x + fmax(r->x0, 0);
	*to = l->x + fmin(fmax(r->x1, r->x0), s->columns);
}

static void remark_lines(struct drawing *d, const struct scene *s, const struct layout *l)
{
	drawing_brush(d, (struct brush){.colour = remark_colour(s), .width = 1, .dashed = true});
	for (size_t i = 0; i < s->remarks.n; i++) {
		double from, to;

		remark_range(s, l, &s->remarks.at[i], &from, &to);
		drawing_move(d, from, l->top);
		drawing_line(d, from, l->bottom);
		if (to > from) {
			drawing_move(d, to, l->top);
			drawing_line(d, to, l->bottom);
		}
	}
}

static void remark_box(struct drawing *d, const struct scene *s, const struct typeface *face,
		       double x, double y, const char *text)
{
	double width = fmin(text_width(text, TEXT_SIZE, false), MOST_TEXT - 8) + 8;

	drawing_brush(d,
		      (struct brush){.colour = colour_mix(remark_colour(s), s->theme->page, 0.15)});
	drawing_rect(d, x, y, width, TEXT_HEIGHT);
	drawing_text(d, face, x + 4, y + TEXT_HEIGHT - 4, width - 4, text);
}

/* At the top of its lane, or of all; those at nearly the same time are one below the other. */
static void remark_text(struct drawing *d, const struct scene *s, const struct layout *l, size_t i)
{
	const struct scene_remark *r = &s->remarks.at[i];
	struct typeface face = {.size = TEXT_SIZE, .colour = s->theme->ink};
	double from, to, y = r->lane == NO_LANE ? l->top : l->places[r->lane].top;

	remark_range(s, l, r, &from, &to);
	for (size_t k = 0; k < i; k++)
		if (s->remarks.at[k].lane == r->lane &&
		    fabs(s->remarks.at[k].x0 - r->x0) < MOST_TEXT)
			y += TEXT_HEIGHT;
	from = fmax(l->x, fmin(from, l->x + s->columns - MOST_TEXT));
	remark_box(d, s, &face, from, y, r->text);
}

void remarks_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	if (!s->remarks.n)
		return;
	remark_lines(d, s, l);
	for (size_t i = 0; i < s->remarks.n; i++)
		remark_text(d, s, l, i);
}

void remarks_draw_flags(struct drawing *d, const struct scene *s, const struct layout *l,
			double bottom)
{
	if (!s->remarks.n)
		return;
	drawing_brush(d, (struct brush){.colour = remark_colour(s)});
	for (size_t i = 0; i < s->remarks.n; i++) {
		double from, to;

		remark_range(s, l, &s->remarks.at[i], &from, &to);
		drawing_move(d, from, bottom - FLAG);
		drawing_line(d, from + FLAG, bottom - FLAG / 2.0);
		drawing_line(d, from, bottom);
		drawing_close(d);
		if (to > from)
			drawing_rect(d, from, bottom - 2, to - from, 2);
	}
}
