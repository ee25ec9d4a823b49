/* What breaks an assertion: a sign above it where it begins, and a frame around it. */
#include "viewers/gorge/draw/compose.h"
#include <math.h>

/* The sign is so wide where there is room, so high as that, and a strip of many so thick. */
enum { WIDTH = 8, STRIP = 3 };
#define HEIGHT_OF(width) ((width) * 0.75)

static void add_sign(struct drawing *d, double x, double top, double width)
{
	drawing_move(d, x - width / 2, top);
	drawing_line(d, x + width / 2, top);
	drawing_line(d, x, top + HEIGHT_OF(width));
	drawing_close(d);
}

void draw_violation(struct drawing *d, const struct theme *theme, double x, double top)
{
	drawing_brush(d, (struct brush){.colour = theme->alarm});
	add_sign(d, x, top, WIDTH);
}

/* As wide as two symbols are high, at most. */
static double sign_width(const struct layout *l)
{
	return fmin(WIDTH, l->density->radius * 2.2);
}

/* Close above what is in the lane. */
static double sign_top(const struct layout *l, uint32_t lane)
{
	const struct place *p = &l->places[lane];

	return fmax(p->top, p->tracks - HEIGHT_OF(sign_width(l)) - 2);
}

double violation_y(const struct layout *l, uint32_t lane)
{
	return sign_top(l, lane) + HEIGHT_OF(sign_width(l)) / 2;
}

static void add_signs(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (size_t i = 0; i < s->violations.n; i++) {
		const struct mark *m = &s->violations.at[i];
		if (m->level == 0)
			add_sign(d, l->x + m->x0 + 0.5, sign_top(l, m->lane), sign_width(l));
	}
}

/* A rim in the page's colour keeps signs apart from what is below them. */
static void draw_signs(struct drawing *d, const struct scene *s, const struct layout *l)
{
	drawing_brush(d, (struct brush){.colour = s->theme->page, .width = 1.6});
	add_signs(d, s, l);
	drawing_brush(d, (struct brush){.colour = s->theme->alarm});
	add_signs(d, s, l);
	for (size_t i = 0; i < s->violations.n; i++) {
		const struct mark *m = &s->violations.at[i];
		if (m->level)
			drawing_rect(d, l->x + m->x0, sign_top(l, m->lane), m->x1 - m->x0, STRIP);
	}
}

static void draw_frames(struct drawing *d, const struct scene *s, const struct layout *l)
{
	double width = l->density->row > 8 ? 1.8 : 1.1;

	drawing_brush(d, (struct brush){.colour = s->theme->alarm, .width = width});
	for (size_t i = 0; i < s->bars.n; i++)
		if (s->bars.at[i].violates)
			compose_frame(d, l, &s->bars.at[i]);
	for (size_t i = 0; i < s->links.n; i++)
		if (s->links.at[i].violates)
			compose_link(d, s, l, &s->links.at[i]);
}

void compose_violations(struct drawing *d, const struct scene *s, const struct layout *l)
{
	draw_frames(d, s, l);
	draw_signs(d, s, l);
}
