#include "viewers/gorge/draw/picture.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/scene/object_scene.h"
#include "viewers/gorge/scene/stack_scene.h"
#include <math.h>
#include <stdlib.h>

/* Few lanes grow with the window, each by so many pixels. */
enum { MOST_SPARE = 24, RULER = 34 };

static struct layout *lay_out(const struct scene *s, double width, double height, double room)
{
	struct layout *l = layout_new(s, width, 0, height);
	double natural = l->bottom;

	if (natural >= room || natural <= 0)
		return l;
	layout_free(l);
	return layout_new(s, width, 0, fmin(room, natural + s->nlanes * MOST_SPARE));
}

static void compose_plot(struct picture *p)
{
	lanes_draw(p->plot, p->scene, p->layout);
	grid_draw(p->plot, p->scene, p->layout);
	links_draw(p->plot, p->scene, p->layout);
	merges_draw(p->plot, p->scene, p->layout);
	bars_draw(p->plot, p->scene, p->layout);
	stacks_draw(p->plot, p->scene, p->layout);
	objects_draw(p->plot, p->scene, p->layout);
	marks_draw(p->plot, p->scene, p->layout);
	violations_draw(p->plot, p->scene, p->layout);
	remarks_draw(p->plot, p->scene, p->layout);
}

static struct drawing *compose_picked(const struct picture *p)
{
	struct drawing *d;

	if (!p->scene->picked)
		return NULL;
	d = drawing_new(p->width, p->height, p->scene->theme->page, p->scene->title);
	links_draw(d, p->scene->picked, p->layout);
	bars_draw(d, p->scene->picked, p->layout);
	return d;
}

struct picture *picture_new(const struct view *v, double room, struct trace_index *m,
			    struct diag *diag)
{
	struct scene *s = scene_build(v, m, diag);
	struct picture *p;

	if (!s)
		return NULL;
	p = array_zero(1, sizeof *p);
	p->holders = 1;
	p->scene = s;
	p->layout = lay_out(s, v->width, v->height, room);
	p->width = v->width;
	p->height = p->layout->bottom;
	p->ground = drawing_new(p->width, p->height, s->theme->page, s->title);
	p->plot = drawing_new(p->width, p->height, s->theme->page, s->title);
	p->ruler = drawing_new(p->width, RULER, s->theme->page, s->title);
	ground_draw(p->ground, s, p->layout);
	object_chips_draw(p->ground, s, p->layout);
	compose_plot(p);
	p->picked = compose_picked(p);
	ruler_draw(p->ruler, s, p->layout);
	remarks_draw_flags(p->ruler, s, p->layout, RULER);
	p->shares = drawing_new(p->width, p->height, s->theme->page, s->title);
	p->shares_head = drawing_new(p->width, RULER, s->theme->page, s->title);
	shares_draw(p->shares, s, p->layout);
	ruler_draw_shares(p->shares_head, s, p->layout, "this time");
	return p;
}

struct picture *picture_hold(struct picture *p)
{
	if (p)
		p->holders++;
	return p;
}

void picture_free(struct picture *p)
{
	if (!p || --p->holders)
		return;
	drawing_free(p->ground);
	drawing_free(p->plot);
	if (p->picked)
		drawing_free(p->picked);
	drawing_free(p->ruler);
	drawing_free(p->shares);
	drawing_free(p->shares_head);
	layout_free(p->layout);
	scene_free(p->scene);
	free(p);
}

/* ---- what is at a point ---- */

/* How many pixels beside a thing still mean it. */
#define NEAR_MARK 7.0
#define NEAR_LINK 5.0
#define NEAR_BAR 2.0

struct nearest_thing {
	struct hit hit;
	double distance;
};

static void picture_consider(struct nearest_thing *n, enum thing thing, size_t index,
			     double distance)
{
	if (distance < n->distance)
		*n = (struct nearest_thing){{thing, index}, distance};
}

/* Returns the distance from x to the columns [x0, x1). */
static double beside(double x, double x0, double x1)
{
	return x < x0 ? x0 - x : x > x1 ? x - x1 : 0;
}

static struct nearest_thing nearest_mark(const struct picture *p, double x, double y)
{
	const struct scene *s = p->scene;
	struct nearest_thing n = {.distance = NEAR_MARK};

	for (size_t i = 0; i < s->marks.n; i++) {
		const struct scene_mark *m = &s->marks.at[i];
		double my = layout_mark_y(s, p->layout, m->lane, m->key, m->shift);
		picture_consider(&n, THING_MARK, i, hypot(beside(x, m->x0, m->x1), y - my));
	}
	for (size_t i = 0; i < s->stubs.n; i++) {
		const struct scene_mark *m = &s->stubs.at[i];
		double my = layout_track_y(p->layout, m->lane, (unsigned)s->stub_track);
		picture_consider(&n, THING_STUB, i, hypot(beside(x, m->x0, m->x1), y - my));
	}
	for (size_t i = 0; i < s->violations.n; i++) {
		const struct scene_mark *m = &s->violations.at[i];
		double my = violation_sign_y(p->layout, m->lane);
		picture_consider(&n, THING_VIOLATION, i, hypot(beside(x, m->x0, m->x1), y - my));
	}
	return n;
}

static struct nearest_thing nearest_bar(const struct picture *p, const struct scene *s,
					enum thing thing, double x, double y)
{
	struct nearest_thing n = {.distance = NEAR_BAR};

	for (size_t i = 0; i < s->bars.n; i++) {
		const struct bar *b = &s->bars.at[i];
		double top, height;

		layout_bar(s, p->layout, b, &top, &height);
		/* what is low is meant by what is empty above it, too */
		if (s->intervals[b->key].band == BAND_STATES && b->slices == LOW_PARTS)
			top -= 2 * height;
		if (y >= top && y < top + fmax(height, 1))
			picture_consider(&n, thing, i, beside(x, b->x0, b->x1));
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

static struct nearest_thing nearest_link(const struct picture *p, double x, double y)
{
	const struct scene *s = p->scene;
	struct nearest_thing n = {.distance = NEAR_LINK};

	for (size_t i = 0; i < s->links.n; i++) {
		const struct link_end *a = &s->links.at[i].start, *b = &s->links.at[i].end;
		double ya = layout_mark_y(s, p->layout, a->lane, a->event, a->shift);
		double yb = layout_mark_y(s, p->layout, b->lane, b->event, b->shift);
		picture_consider(&n, THING_LINK, i, from_line(x, y, a->x, ya, b->x, yb));
	}
	return n;
}

/* ---- in the lanes of objects ---- */

static double object_row_y(const struct picture *p, uint32_t lane, unsigned row)
{
	return layout_row_y(p->scene, p->layout, lane, row) +
	       layout_row_height(p->scene, p->layout, lane, row) / 2;
}

static struct nearest_thing nearest_object_bar(const struct picture *p, double x, double y)
{
	const struct scene *s = p->scene->objects->bars;
	struct nearest_thing n = {.distance = NEAR_BAR};

	for (size_t i = 0; i < s->bars.n; i++) {
		const struct bar *b = &s->bars.at[i];
		double height =
		    layout_row_height(s, p->layout, b->lane, b->row) / (b->slices ? b->slices : 1);
		double top = layout_row_y(s, p->layout, b->lane, b->row) + b->slice * height;
		if (y >= top && y < top + height)
			picture_consider(&n, THING_OBJECT_BAR, i, beside(x, b->x0, b->x1));
	}
	return n;
}

static struct nearest_thing nearest_in_objects(const struct picture *p, double x, double y)
{
	const struct object_scene *o = p->scene->objects;
	struct nearest_thing n = {.distance = NEAR_MARK};

	if (!o)
		return n;
	for (size_t i = 0; i < o->marks.n; i++) {
		const struct object_mark *m = &o->marks.at[i];
		picture_consider(&n, THING_OBJECT_MARK, i,
				 hypot(x - m->x, y - object_row_y(p, m->lane, 0)));
	}
	if (n.hit.thing == THING_NONE)
		n = nearest_object_bar(p, x, y);
	if (n.hit.thing != THING_NONE)
		return n;
	n.distance = NEAR_LINK;
	for (size_t i = 0; i < o->links.n; i++) {
		const struct object_link *k = &o->links.at[i];
		picture_consider(&n, THING_OBJECT_LINK, i,
				 from_line(x, y, k->x0, object_row_y(p, k->lane, k->from_row),
					   k->x1, object_row_y(p, k->lane, k->to_row)));
	}
	return n;
}

struct hit picture_hit(const struct picture *p, double x, double y)
{
	double column = x - p->layout->x - 0.5;
	struct nearest_thing n = nearest_mark(p, column, y);

	if (n.hit.thing == THING_NONE)
		n = nearest_bar(p, p->scene, THING_BAR, column, y);
	if (n.hit.thing == THING_NONE && p->scene->stacks)
		n = nearest_bar(p, p->scene->stacks->bars, THING_STACK, column, y);
	if (n.hit.thing == THING_NONE)
		n = nearest_in_objects(p, column, y);
	if (n.hit.thing == THING_NONE)
		n = nearest_link(p, column, y);
	return n.hit;
}
