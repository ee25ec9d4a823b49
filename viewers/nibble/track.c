#include "viewers/nibble/track.h"
#include "spec/qualified.h"
#include "viewers/nibble/expr/expressions.h"
#include "viewers/nibble/expr/series_check.h"
#include "viewers/nibble/plot/axis.h"
#include "viewers/nibble/series/evaluate.h"
#include <math.h>
#include <stdlib.h>

/* Pixels in a window of rate() and the like, where no other is asked for. */
enum { WINDOW_PIXELS = 4 };
/* How many numbers the axis has, about. */
enum { NUMBERS = 2 };

void track_free(struct series_track *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->curves.n; i++) {
		free(t->curves.at[i].name);
		free(t->curves.at[i].vertices.at);
	}
	free(t->curves.at);
	free(t->tiles.at);
	free(t->expression);
	free(t->axis);
	free(t->unit);
	free(t);
}

/* Returns the part of the window that lies within the trace. */
static struct limits range_of(const struct track_view *v)
{
	double end = (double)v->trace->duration;

	return (struct limits){fmin(fmax(v->from, 0), end), fmax(fmin(v->to, end), 0)};
}

static double track_column_of(const struct track_view *v, double time)
{
	return (time - v->from) / (v->to - v->from) * v->columns;
}

/* Gives the canvas as many columns as the range has of the window. */
static struct canvas track_canvas_of(const struct track_view *v, struct limits r)
{
	double columns = track_column_of(v, r.to) - track_column_of(v, r.from);

	return (struct canvas){
	    .x = r, .columns = (unsigned)fmax(ceil(columns), 1), .rows = v->rows};
}

static void vertex_add(struct track_curve *c, const struct track_view *v, double x, double y)
{
	*vector_add(&c->vertices) = (struct track_vertex){track_column_of(v, x), y};
}

/* Adds the vertices of a curve; of steps their corners, too. */
static void curve_add(struct series_track *t, const struct track_view *v, const struct curve *s)
{
	struct track_curve *c = vector_add(&t->curves);

	c->name = s->group ? text_format("%s", s->group) : NULL;
	c->points = s->shape == SHAPE_POINTS;
	for (size_t i = 0; i < s->n; i++) {
		if (s->shape == SHAPE_STEPS && i > 0 && s->y[i] != s->y[i - 1])
			vertex_add(c, v, s->x[i], s->y[i - 1]);
		vertex_add(c, v, s->x[i], s->y[i]);
	}
}

static void track_tiles_add(struct series_track *t, const struct track_view *v,
			    const struct curve *s)
{
	double most = 1;

	for (size_t i = 0; i < s->tiles.n; i++)
		most = fmax(most, s->tiles.at[i].count);
	for (size_t i = 0; i < s->tiles.n; i++) {
		const struct tile *from = &s->tiles.at[i];

		*vector_add(&t->tiles) = (struct track_tile){
		    track_column_of(v, from->left),
		    track_column_of(v, from->right),
		    from->low,
		    from->high,
		    from->count / most,
		};
	}
}

static void axis_set(struct series_track *t, struct panel *p, const struct canvas *c)
{
	static const struct plot_options options;

	p->x.range = c->x;
	axis_fit_y(p, &options, (struct limits){INFINITY, -INFINITY});
	t->axis = p->y.label;
	t->unit = text_format("%s", p->y.unit.name);
	t->low = p->y.shown.from;
	t->high = p->y.shown.to;
	t->divisor = p->y.unit.divisor;
	t->step = axis_step(&p->y, NUMBERS);
	t->decimals = axis_decimals(t->step);
}

static struct series_track *track_of(const char *expression, const struct track_view *v,
				     const struct family *f, const struct canvas *c)
{
	struct series_track *t = array_zero(1, sizeof *t);
	struct panel p = {0};

	t->expression = text_format("%s", expression);
	for (size_t i = 0; i < f->n; i++) {
		struct curve *s = *vector_add(&p) = curve_drawn(f->at[i], c);

		if (f->at[i]->shape == SHAPE_TILES) {
			track_tiles_add(t, v, f->at[i]);
			for (size_t k = 0; k < f->at[i]->tiles.n; k++)
				*vector_add(&s->tiles) = f->at[i]->tiles.at[k];
		} else {
			curve_add(t, v, s);
		}
	}
	if (p.n > 0)
		axis_set(t, &p, c);
	for (size_t i = 0; i < p.n; i++)
		curve_free(p.at[i]);
	free(p.at);
	return t;
}

/* Returns the one name that all sources of an expression are of; "" if they differ. */
static const char *name_of(const struct node *n, const char *known)
{
	const struct expr_subject *s = &n->source.subject;
	const char *name;

	if (n->kind == NODE_CONSTANT)
		return known;
	if (n->kind == NODE_SOURCE) {
		name = s->event ? s->event->name : s->interval->name;
		return !known || known == name ? name : "";
	}
	known = name_of(n->left, known);
	return n->right ? name_of(n->right, known) : known;
}

static struct series_track *evaluated(const char *expression, const struct node *n,
				      const struct track_view *v, struct diag *diag)
{
	struct limits range = range_of(v);
	struct canvas canvas = track_canvas_of(v, range);
	struct evaluation *e = evaluation_new(v->trace, range, diag);
	unsigned errors = diag->errors;
	struct series_track *t = NULL;
	struct family f;

	e->window = window_width_for((struct limits){v->from, v->to}, v->columns / WINDOW_PIXELS);
	e->drawing = e->allow_empty = true;
	e->canvas = canvas;
	e->threads = (bool *)v->threads;
	e->listed = v->listed;
	e->lend = v->lend;
	e->lender = v->lender;
	expressions_prepare(e, (struct node *const *)&n, 1);
	f = expression_evaluate(e, n, expression);
	if (diag->errors == errors)
		t = track_of(expression, v, &f, &canvas);
	if (t)
		t->name = name_of(n, NULL);
	family_free(&f);
	e->threads = NULL;
	evaluation_free(e);
	return t;
}

struct series_track *track_new(const char *expression, const struct track_view *v,
			       struct diag *diag)
{
	struct expressions x = {0};
	struct node *n = NULL;
	struct series_track *t = NULL;

	if (expressions_take(&x, &expression, 1, diag) &&
	    !asks_ambiguous(v->trace->spec, x.at[0].tree->series, diag)) {
		qualified_resolve(v->trace->spec, x.at[0].tree->series);
		n = check_series(x.at[0].tree->series, v->trace->spec, diag);
	}
	if (n && n->distribution)
		diag_error(diag, n->where,
			   "a distribution cannot be a track, since it has no time axis; draw it "
			   "with nibble, or use a series over time: rate(...), mean(...)");
	else if (n)
		t = evaluated(expression, n, v, diag);
	node_free(n);
	expressions_free(&x);
	return t;
}
