#include "viewers/nibble/plot/axis.h"
#include "base/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns "duration (ms)", "events", or only the unit if there is no word for the quantity. */
static char *label_of(const char *quantity, struct dimension d, const char *unit)
{
	const char *word = quantity && *quantity ? quantity : dimension_label(d);

	if (*unit == '\0')
		return text_format("%s", word);
	return *word ? text_format("%s (%s)", word, unit) : text_format("%s", unit);
}

bool axis_has(const struct plot_axis *a, double value)
{
	return isfinite(value) && (!a->log || value > 0);
}

/* Widens the range to a value, if the axis has a place for it. */
static void include(struct plot_axis *a, double value)
{
	if (!axis_has(a, value))
		return;
	a->range.from = fmin(a->range.from, value);
	a->range.to = fmax(a->range.to, value);
}

static double magnitude(struct limits r)
{
	return fmax(fabs(r.from), fabs(r.to));
}

/* Gives a length to a range that has none, or that includes nothing. */
static void repair(struct plot_axis *a)
{
	if (!(a->range.from <= a->range.to))
		a->range = a->log ? (struct limits){1, 10} : (struct limits){0, 1};
	if (a->range.from < a->range.to)
		return;
	if (a->range.from > 0 && !a->log)
		a->range.from = 0;
	else
		a->range.to = a->log ? a->range.from * 10 : a->range.from + 1;
}

/* The width of boxes goes to both sides. */
static void fit_widths(struct panel *p)
{
	const struct curve *first = p->at[0];
	double widest = 0;

	for (size_t i = 0; i < p->n; i++)
		widest = fmax(widest, curve_greatest(p->at[i]));
	p->x.range = (struct limits){-widest, widest};
	repair(&p->x);
	p->x.shown = (struct limits){p->x.range.from * 1.06, p->x.range.to * 1.06};
	p->x.unit = dimension_unit_for(first->dimension, widest);
	p->x.label = label_of(first->quantity, first->dimension, p->x.unit.name);
}

/* The stack of boxes goes from zero upwards. */
static void fit_stack(struct panel *p)
{
	const struct curve *first = p->at[0];

	p->y.range = (struct limits){0, curve_last(p->at[p->n - 1])};
	repair(&p->y);
	p->y.shown = (struct limits){0, p->y.range.to * 1.03};
	p->y.unit = dimension_unit_for(first->xdimension, p->y.range.to);
	p->y.label = label_of("share of the time", first->xdimension, p->y.unit.name);
}

void axis_fit_x(struct panel *p, const struct plot_options *options)
{
	const struct curve *first = p->at[0];
	struct plot_axis *a = &p->x;

	a->whole = false;
	if (first->shape == SHAPE_BOXES) {
		fit_widths(p);
		return;
	}
	a->log = options->log_x;
	a->range = options->range;
	if (first->distribution || (a->log && a->range.from <= 0)) {
		a->range = (struct limits){INFINITY, -INFINITY};
		for (size_t i = 0; i < p->n; i++)
			for (size_t k = 0; k < p->at[i]->n; k++) {
				include(a, p->at[i]->x[k]);
				include(a, curve_last(p->at[i]));
			}
		for (size_t i = 0; i < first->tiles.n; i++) {
			include(a, first->tiles.at[i].left);
			include(a, first->tiles.at[i].right);
		}
	}
	repair(a);
	a->shown = a->range;
	a->unit = dimension_unit_for(first->xdimension, magnitude(a->range));
	a->label = label_of(first->distribution ? first->xquantity
			    : options->time     ? options->time
						: "time",
			    first->xdimension, a->unit.name);
}

/* Returns the word that all the curves share; NULL: they differ. */
static const char *shared_quantity(const struct panel *p)
{
	const char *word = p->at[0]->quantity;

	for (size_t i = 1; i < p->n && word; i++)
		if (!p->at[i]->quantity || strcmp(p->at[i]->quantity, word) != 0)
			word = NULL;
	return word;
}

static void include_curve(struct plot_axis *a, const struct curve *s, struct limits visible)
{
	if (s->shape == SHAPE_STEPS && !s->distribution)
		include(a, s->before);
	for (size_t i = 0; i < s->tiles.n; i++) {
		include(a, s->tiles.at[i].low);
		include(a, s->tiles.at[i].high);
		a->whole = false;
	}
	for (size_t i = 0; i < s->n; i++) {
		if (!s->distribution && s->shape != SHAPE_CONSTANT &&
		    (s->x[i] < visible.from || s->x[i] > visible.to))
			continue;
		include(a, s->y[i]);
		if (isfinite(s->y[i]) && s->y[i] != rint(s->y[i]))
			a->whole = false;
	}
}

/* Adds zero to the range of bars and of all that starts near it, else some air. */
static struct limits with_air(const struct plot_axis *a, bool bars)
{
	struct limits r = a->range;
	double air = (r.to - r.from) * 0.06;

	if (a->log)
		return (struct limits){bars ? 0.7 : r.from / 1.25, r.to * 1.25};
	if (r.from >= 0 && (bars || r.from <= r.to / 2))
		return (struct limits){0, r.to + air};
	return (struct limits){r.from - air, r.to + air};
}

void axis_fit_y(struct panel *p, const struct plot_options *options, struct limits also)
{
	struct plot_axis *a = &p->y;

	if (p->at[0]->shape == SHAPE_BOXES) {
		fit_stack(p);
		return;
	}
	a->log = options->log_y;
	a->whole = true;
	a->range = also;
	for (size_t i = 0; i < p->n; i++)
		include_curve(a, p->at[i], p->x.range);
	if (p->parts) /* of a whole */
		a->range = (struct limits){0, fmax(a->range.to, 1)};
	repair(a);
	a->shown = with_air(a, p->at[0]->distribution && p->at[0]->shape == SHAPE_CELLS);
	a->unit = dimension_unit_for(p->at[0]->dimension, magnitude(a->range));
	a->label = label_of(shared_quantity(p), p->at[0]->dimension, a->unit.name);
}

/* Counts the values of a curve that the axes have no place for. */
static double count_absent(const struct panel *p, const struct curve *s)
{
	double n = p->y.log ? s->absent : 0;

	for (size_t i = 0; i < s->tiles.n; i++)
		if (!axis_has(&p->x, s->tiles.at[i].left) || !axis_has(&p->y, s->tiles.at[i].low))
			n += s->tiles.at[i].count;
	for (size_t i = 0; i < s->n; i++)
		if (!isfinite(s->y[i]))
			continue;
		else if (s->shape == SHAPE_POINTS)
			n += !axis_has(&p->x, s->x[i]) || !axis_has(&p->y, s->y[i]);
		else if (s->shape == SHAPE_CELLS && s->distribution)
			n += axis_has(&p->x, s->x[i]) ? 0 : s->y[i];
	return n;
}

void axis_tell_absent(struct panel *p)
{
	double n = 0;
	char *label = p->x.label;

	for (size_t i = 0; (p->x.log || p->y.log) && i < p->n; i++)
		n += count_absent(p, p->at[i]);
	if (n == 0)
		return;
	p->x.label = text_format("%s; %.0f %s of zero or less not shown", label, n,
				 n == 1 ? "value" : "values");
	free(label);
}

double axis_place(const struct plot_axis *a, double value)
{
	struct limits r = a->shown;

	if (!a->log)
		return (value - r.from) / (r.to - r.from);
	return value > 0 ? log(value / r.from) / log(r.to / r.from) : NAN;
}

double axis_step(const struct plot_axis *a, unsigned n)
{
	static const double steps[] = {1, 2, 5};
	double length = (a->shown.to - a->shown.from) / a->unit.divisor;

	for (double decade = pow(10, floor(log10(length / n)));; decade *= 10)
		for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
			if (length <= steps[i] * decade * n &&
			    (!a->whole || a->unit.divisor > 1 || steps[i] * decade >= 1))
				return steps[i] * decade;
}

int axis_decimals(double step)
{
	return (int)fmax(0, -floor(log10(step) + 1e-9));
}
