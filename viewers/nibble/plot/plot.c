#include "viewers/nibble/plot/plot.h"
#include "base/array.h"
#include "viewers/nibble/plot/axis.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Plain numbers have no unit to tell them apart: those of different things share no axis. */
static bool same_thing(const struct curve *a, const struct curve *b)
{
	return !dimension_equal(a->dimension, DIMENSION_NONE) || !a->quantity || !b->quantity ||
	       strcmp(a->quantity, b->quantity) == 0;
}

/* Boxes share a panel if they stand on one another. */
static bool stacks_on(const struct panel *p, const struct curve *s)
{
	const struct curve *last = p->at[p->n - 1];

	return s->shape != SHAPE_BOXES ||
	       (last->shape == SHAPE_BOXES && s->x[0] > 0 && s->x[0] == curve_last(last));
}

/* Parts share a panel with those of the same whole. */
static bool same_whole(const struct curve *a, const struct curve *b)
{
	if (!a->part || !b->part)
		return !a->part && !b->part;
	return strcmp(a->whole, b->whole) == 0 && strcmp(a->title, b->title) == 0;
}

/* Tests whether a curve may share the axes of a panel. */
static bool panel_takes(const struct panel *p, const struct curve *s)
{
	const struct curve *first = p->at[0];

	return s->shape != SHAPE_TILES && first->shape != SHAPE_TILES &&
	       s->distribution == first->distribution &&
	       (s->shape == SHAPE_BOXES) == (first->shape == SHAPE_BOXES) && stacks_on(p, s) &&
	       same_whole(s, first) && dimension_equal(s->xdimension, first->xdimension) &&
	       dimension_equal(s->dimension, first->dimension) && same_thing(s, first);
}

static struct panel *panel_for(struct plot *p, const struct curve *s, size_t first)
{
	for (size_t i = first; i < p->n; i++)
		if (panel_takes(&p->at[i], s))
			return &p->at[i];
	return vector_add(p);
}

static void panel_add(struct panel *p, struct curve *s, unsigned expression)
{
	size_t n = p->n;

	p->expressions =
	    vector_grow(p->expressions, n, &p->expressions_room, sizeof *p->expressions);
	p->expressions[n] = expression;
	*vector_add(p) = s;
}

/* Tests whether each member of the one expression's family has a panel of its own. */
static bool is_family_grid(const struct plot *p, size_t nexpressions)
{
	return p->options.grid && nexpressions == 1 && p->n > 1;
}

/* Gives the panels of a family, whose members are compared, the same height of axis. */
static void share_y(struct plot *p)
{
	struct limits all = {INFINITY, -INFINITY};

	for (size_t i = 0; i < p->n; i++) {
		all.from = fmin(all.from, p->at[i].y.range.from);
		all.to = fmax(all.to, p->at[i].y.range.to);
	}
	curve_set_string(&p->title, p->at[0].title);
	for (size_t i = 0; i < p->n; i++) {
		free(p->at[i].y.label);
		axis_fit_y(&p->at[i], &p->options, all);
		curve_set_string(&p->at[i].title, p->at[i].at[0]->group);
	}
}

/* Gives curves their panels, in the order of the expressions; sections share none. */
static void distribute(struct plot *p, const struct plot_content *c)
{
	size_t first = 0;

	for (size_t e = 0; e < c->n; e++) {
		if (p->options.grid || (e > 0 && c->sections[e] != c->sections[e - 1]))
			first = p->n;
		for (size_t i = 0; i < c->families[e].n; i++) {
			if (p->options.grid && c->n == 1 && !c->families[e].at[i]->part)
				first = p->n;
			panel_add(panel_for(p, c->families[e].at[i], first), c->families[e].at[i],
				  (unsigned)e);
		}
	}
}

static bool is_of_one_expression(const struct panel *p)
{
	for (size_t i = 1; i < p->n; i++)
		if (p->expressions[i] != p->expressions[0])
			return false;
	return true;
}

/* Returns the heading of the section that panel i begins; NULL: it begins none. */
static const char *heading_of(const struct plot *p, size_t i, const struct plot_content *c)
{
	unsigned section = c->sections[p->at[i].expressions[0]];

	if (i > 0 && c->sections[p->at[i - 1].expressions[0]] == section)
		return NULL;
	return c->headings[section];
}

/* Titles a panel by its expression; of several the legend tells them apart. */
static void panel_title(struct panel *p, const char *heading)
{
	if (heading)
		curve_set_string(&p->title, heading);
	else if (p->at[0]->part && *p->at[0]->whole)
		curve_set_string(&p->title, p->at[0]->whole);
	else if (is_of_one_expression(p))
		curve_set_string(&p->title, p->at[0]->title);
	p->legend =
	    (p->n > 1 || heading) && p->n <= PLOT_LEGEND_MOST && p->at[0]->shape != SHAPE_TILES;
}

/* Tests whether all panels have parts of one expression, which is then the page's title. */
static bool is_of_parts(const struct plot *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->at[i].parts || p->at[i].expressions[0] != p->at[0].expressions[0])
			return false;
	return true;
}

/* A panel is of parts if their curves can be laid on one another. */
static void panel_settle_parts(struct panel *p)
{
	p->parts = true;
	for (size_t i = 0; i < p->n; i++)
		p->parts = p->parts && p->at[i]->part && p->at[i]->shape == SHAPE_CELLS &&
			   p->at[i]->n == p->at[0]->n;
}

static void plot_titles(struct plot *p, const char *subject)
{
	if (p->options.title)
		curve_set_string(&p->title, p->options.title);
	else if (p->n == 1 && !p->at[0].title)
		curve_set_string(&p->at[0].title, subject);
	else if (p->n > 1 && !p->title)
		curve_set_string(&p->title, is_of_parts(p) ? p->at[0].at[0]->title : subject);
	/* One panel needs no more than one title. */
	if (p->n == 1 && p->title) {
		curve_set_string(&p->at[0].title, p->title);
		curve_set_string(&p->title, NULL);
	}
}

enum { WIDTH = 1200, WIDE = 1600, HEIGHT = 675, ROW = 300 };

struct canvas plot_canvas(const struct plot_options *options)
{
	return (struct canvas){
	    .columns = options->width > 0 ? options->width : WIDE,
	    .rows = options->width > 0 ? options->height : HEIGHT,
	    .log_x = options->log_x,
	    .log_y = options->log_y,
	};
}

/* A page without a given size grows with the rows of its panels. */
static void settle_size(struct plot *p)
{
	unsigned rows = (unsigned)(p->n + p->columns - 1) / p->columns;

	if (p->options.width > 0)
		return;
	p->options.width = p->columns > 1 ? WIDE : WIDTH;
	p->options.height = rows > 2 ? ROW * rows : HEIGHT;
}

struct plot *plot_make(const struct plot_content *c, const struct plot_options *options)
{
	struct plot *p = array_zero(1, sizeof *p);

	p->options = *options;
	distribute(p, c);
	for (size_t i = 0; i < p->n; i++) {
		panel_settle_parts(&p->at[i]);
		axis_fit_x(&p->at[i], options);
		axis_fit_y(&p->at[i], options, (struct limits){INFINITY, -INFINITY});
		axis_tell_absent(&p->at[i]);
		panel_title(&p->at[i], heading_of(p, i, c));
	}
	if (is_family_grid(p, c->n))
		share_y(p);
	plot_titles(p, c->subject);
	p->columns = options->grid && p->n > 2 ? (unsigned)ceil(sqrt((double)p->n)) : 1;
	settle_size(p);
	return p;
}

void plot_free(struct plot *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->at[i].at);
		free(p->at[i].expressions);
		free(p->at[i].title);
		free(p->at[i].x.label);
		free(p->at[i].y.label);
	}
	free(p->at);
	free(p->title);
	free(p);
}
