/* Finds what is drawn at a point. */
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/draw/picture.h"
#include <math.h>

/* How many pixels beside a thing still mean it. */
#define NEAR_MARK 7.0
#define NEAR_LINK 5.0
#define NEAR_BAR 2.0

struct nearest {
	struct hit hit;
	double distance;
};

static void consider(struct nearest *n, enum thing thing, size_t index, double distance)
{
	if (distance < n->distance)
		*n = (struct nearest){{thing, index}, distance};
}

/* Returns the distance from x to the columns [x0, x1). */
static double beside(double x, double x0, double x1)
{
	return x < x0 ? x0 - x : x > x1 ? x - x1 : 0;
}

static struct nearest nearest_mark(const struct picture *p, double x, double y)
{
	const struct scene *s = p->scene;
	struct nearest n = {.distance = NEAR_MARK};

	for (size_t i = 0; i < s->marks.n; i++) {
		const struct mark *m = &s->marks.at[i];
		double my = layout_mark_y(s, p->layout, m->lane, m->key, m->shift);
		consider(&n, THING_MARK, i, hypot(beside(x, m->x0, m->x1), y - my));
	}
	for (size_t i = 0; i < s->stubs.n; i++) {
		const struct mark *m = &s->stubs.at[i];
		double my = layout_track_y(p->layout, m->lane, (unsigned)s->stub_track);
		consider(&n, THING_STUB, i, hypot(beside(x, m->x0, m->x1), y - my));
	}
	for (size_t i = 0; i < s->violations.n; i++) {
		const struct mark *m = &s->violations.at[i];
		double my = violation_sign_y(p->layout, m->lane);
		consider(&n, THING_VIOLATION, i, hypot(beside(x, m->x0, m->x1), y - my));
	}
	return n;
}

static struct nearest nearest_bar(const struct picture *p, double x, double y)
{
	struct nearest n = {.distance = NEAR_BAR};

	for (size_t i = 0; i < p->scene->bars.n; i++) {
		const struct bar *b = &p->scene->bars.at[i];
		double height = p->layout->places[b->lane].row / (b->slices ? b->slices : 1);
		double top = layout_row_y(p->layout, b->lane, b->row) + b->slice * height;
		if (y >= top && y < top + height)
			consider(&n, THING_BAR, i, beside(x, b->x0, b->x1));
	}
	return n;
}

static double from_line(double x, double y, double x0, double y0, double x1, double y1)
{
	double dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
	double t = length > 0 ? ((x - x0) * dx + (y - y0) * dy) / length : 0;

	t = fmin(fmax(t, 0), 1);
	return hypot(x - x0 - t * dx, y - y0 - t * dy);
}

static struct nearest nearest_link(const struct picture *p, double x, double y)
{
	const struct scene *s = p->scene;
	struct nearest n = {.distance = NEAR_LINK};

	for (size_t i = 0; i < s->links.n; i++) {
		const struct link_end *a = &s->links.at[i].start, *b = &s->links.at[i].end;
		double ya = layout_mark_y(s, p->layout, a->lane, a->event, a->shift);
		double yb = layout_mark_y(s, p->layout, b->lane, b->event, b->shift);
		consider(&n, THING_LINK, i, from_line(x, y, a->x, ya, b->x, yb));
	}
	return n;
}

struct hit picture_hit(const struct picture *p, double x, double y)
{
	double column = x - p->layout->x - 0.5;
	struct nearest n = nearest_mark(p, column, y);

	if (n.hit.thing == THING_NONE)
		n = nearest_bar(p, column, y);
	if (n.hit.thing == THING_NONE)
		n = nearest_link(p, column, y);
	return n.hit;
}
