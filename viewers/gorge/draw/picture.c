#include "viewers/gorge/build/build.h"
#include "viewers/gorge/draw/picture.h"
#include "viewers/gorge/draw/compose.h"
#include <math.h>
#include <stdlib.h>

/* Few lanes grow with the window, up to so many times the height that they need. */
#define MOST_STRETCH 1.6
enum { RULER = 34 };

static struct layout *lay_out(const struct scene *s, double width, double height, double room)
{
	struct layout *l = layout_new(s, width, 0, height);
	double natural = l->bottom;

	if (natural >= room || natural <= 0)
		return l;
	layout_free(l);
	return layout_new(s, width, 0, fmin(room, natural * MOST_STRETCH));
}

static void compose_plot(struct picture *p)
{
	lanes_draw(p->plot, p->scene, p->layout);
	grid_draw(p->plot, p->scene, p->layout);
	links_draw(p->plot, p->scene, p->layout);
	bars_draw(p->plot, p->scene, p->layout);
	marks_draw(p->plot, p->scene, p->layout);
	violations_draw(p->plot, p->scene, p->layout);
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
	compose_plot(p);
	p->picked = compose_picked(p);
	ruler_draw(p->ruler, s, p->layout);
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
	layout_free(p->layout);
	scene_free(p->scene);
	free(p);
}
