/* What breaks an assertion: a sign at the top of the lane where it begins, and a frame around it. */
#include "viewers/gorge/compose.h"
#include <math.h>

/* A sign's half width, its height, and how thick a strip of many is. */
enum { HALF = 4, HEIGHT = 6, STRIP = 3 };

static void add_sign(struct drawing *d, double x, double top)
{
	drawing_move(d, x - HALF, top);
	drawing_line(d, x + HALF, top);
	drawing_line(d, x, top + HEIGHT);
	drawing_close(d);
}

void draw_violation(struct drawing *d, const struct theme *theme, double x, double top)
{
	drawing_brush(d, (struct brush){.colour = theme->alarm});
	add_sign(d, x, top);
}

static void draw_signs(struct drawing *d, const struct scene *s, const struct layout *l)
{
	drawing_brush(d, (struct brush){.colour = s->theme->page, .width = 1.6});
	for (size_t i = 0; i < s->violations.n; i++) {
		const struct mark *m = &s->violations.at[i];
		if (m->level == 0)
			add_sign(d, l->x + m->x0 + 0.5, l->places[m->lane].top);
	}
	drawing_brush(d, (struct brush){.colour = s->theme->alarm});
	for (size_t i = 0; i < s->violations.n; i++) {
		const struct mark *m = &s->violations.at[i];
		if (m->level == 0)
			add_sign(d, l->x + m->x0 + 0.5, l->places[m->lane].top);
		else
			drawing_rect(d, l->x + m->x0, l->places[m->lane].top, m->x1 - m->x0, STRIP);
	}
}

static void draw_frames(struct drawing *d, const struct scene *s, const struct layout *l)
{
	drawing_brush(d, (struct brush){.colour = s->theme->alarm, .width = 1.8});
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

double violation_y(const struct layout *l, uint32_t lane)
{
	return l->places[lane].top + HEIGHT / 2;
}
