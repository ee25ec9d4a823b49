#include "analysis/replay/changes/fit.h"
#include "analysis/replay/changes/fit_value.h"
#include "trace/log/cursor.h"
#include "trace/open/opened.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A line that explains less is none. */
static const double least_explained = 0.1;

/* The points of one label. */
struct fit_points {
	struct fit_value value;
	VECTOR(double) x, y;
	bool fault;   /* the new value of some instance cannot be computed */
	bool unknown; /* no event begins some instance: it is known from samples */
};

struct fitting {
	const struct model *model;
	const struct span_choice *chosen;
	const struct span_change *changes;
	const double *lengths;
	struct fits *result;
	struct fit_points *points; /* by fit */
	bool *known;               /* by span: the event that begins it was found */
};

bool fit_line_find(const double *x, const double *y, size_t n, struct fit_line *line)
{
	double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
	bool varies = false;

	for (size_t i = 0; i < n; i++) {
		varies |= x[i] != x[0];
		mean_x += x[i] / (double)n;
		mean_y += y[i] / (double)n;
	}
	if (!varies)
		return false;
	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mean_x) * (x[i] - mean_x);
		xy += (x[i] - mean_x) * (y[i] - mean_y);
		yy += (y[i] - mean_y) * (y[i] - mean_y);
	}
	line->slope = xy / xx;
	line->intercept = mean_y - line->slope * mean_x;
	line->r2 = yy > 0 ? xy * xy / (xx * yy) : 0;
	return true;
}

/* ---- which labels have a line ---- */

static const struct span_change *change_of(const struct fitting *f, const struct fit *fit)
{
	return &f->changes[fit->change];
}

static const char *option_of(const struct span_change *c)
{
	return c->kind == SPAN_HOLD ? "hold" : "time";
}

static bool is_fitted(const struct fitting *f, const struct chosen_label *l)
{
	return l->change != NOT_CHANGED && f->changes[l->change].kind >= SPAN_TIME &&
	       f->changes[l->change].length.kind == DISTRIBUTION_FIT;
}

/* Returns why a label has no line, or NULL. */
static char *label_add(struct fitting *f, uint32_t label)
{
	const struct chosen_label *l = &f->chosen->labels.at[label];
	const struct span_change *c = &f->changes[l->change];
	struct fit_points *points = &f->points[f->result->all.n];
	struct fit *fit;
	char *reason, *refusal;

	if (!l->start)
		return text_format(
		    "'%s' is a thread, which has no event attributes: name an interval or a "
		    "method",
		    c->what);
	if (!fit_value_parse(f->model->trace->spec, l->start, c->length.fit, &points->value,
			     &reason)) {
		refusal = text_format("--%s '%s=fit(%s)': %s", option_of(c), c->what, c->length.fit,
				      reason);
		free(reason);
		return refusal;
	}
	f->result->of_label[label] = (uint32_t)f->result->all.n;
	fit = vector_add(&f->result->all);
	*fit = (struct fit){.change = l->change,
			    .start = l->start,
			    .recorded = {DBL_MAX, -DBL_MAX},
			    .asked = {DBL_MAX, -DBL_MAX}};
	fit->attribute = l->start->attributes[points->value.attribute].name;
	return NULL;
}

static char *labels_add(struct fitting *f)
{
	char *refusal = NULL;

	for (uint32_t i = 0; i < f->chosen->labels.n && !refusal; i++) {
		f->result->of_label[i] = NOT_CHANGED;
		if (is_fitted(f, &f->chosen->labels.at[i]))
			refusal = label_add(f, i);
	}
	return refusal;
}

/* ---- the points ---- */

static void range_add(struct fit_range *r, double value)
{
	r->low = fmin(r->low, value);
	r->high = fmax(r->high, value);
}

/* An instance that is open at the end has no length, but one is drawn for it. */
static void point_add(struct fitting *f, size_t span, uint32_t number, const struct event *e)
{
	struct fit_points *p = &f->points[number];
	struct fit *fit = &f->result->all.at[number];
	double x = fit_value_recorded(&p->value, e);

	f->known[span] = true;
	if (!fit_value_asked(&p->value, f->model->trace, e, &f->result->asked[span])) {
		p->fault = true;
		return;
	}
	range_add(&fit->recorded, x);
	range_add(&fit->asked, f->result->asked[span]);
	if (f->chosen->spans.at[span].end == INT64_MAX)
		return;
	*vector_add(&p->x) = x;
	*vector_add(&p->y) = f->lengths[span];
}

/*
 * Gives an event to the first span that begins with it and has none yet; *at: the first span that
 * may.
 */
static void event_take(struct fitting *f, size_t *at, size_t end, const struct event *e)
{
	const struct instance_span *spans = f->chosen->spans.at;

	while (*at < end && spans[*at].start < e->time)
		++*at;
	for (size_t i = *at; i < end && spans[i].start == e->time; i++) {
		uint32_t number = f->result->of_label[spans[i].class];

		if (number == NOT_CHANGED || f->known[i] ||
		    f->result->all.at[number].start != e->type)
			continue;
		point_add(f, i, number, e);
		return;
	}
}

static void thread_read(struct fitting *f, uint32_t thread)
{
	const struct trace *t = f->model->trace;
	size_t at = f->chosen->first[thread], end = f->chosen->first[thread + 1];
	struct log_cursor c;

	if (at == end)
		return;
	log_cursor_open(&c, &opened_of(t)->logs[thread]);
	while (at < end && log_cursor_next(&c)) {
		struct event e = {.time = c.time - t->origin,
				  .record = c.record,
				  .thread = t->threads[thread].number};

		if (c.type == NO_TYPE)
			continue;
		e.type = t->spec->events[c.type];
		event_take(f, &at, end, &e);
	}
}

/* ---- the lines ---- */

/* Returns why there is no line through the points of a fit, or NULL. */
static char *line_refuse(const struct fitting *f, const struct fit *fit, const struct fit_points *p,
			 bool varies)
{
	const char *what = change_of(f, fit)->what, *asked = change_of(f, fit)->length.fit;

	if (p->unknown)
		return text_format(
		    "the instances of '%s' come from samples, which have no attributes: "
		    "record their events",
		    what);
	if (p->fault)
		return text_format(
		    "'%s' has no value for some instances of '%s' (division by zero or "
		    "overflow)",
		    asked, what);
	if (fit->n < LEAST_FITTED)
		return text_format("'%s' has %zu complete instance%s with '%s'; a fit needs %d",
				   what, fit->n, fit->n == 1 ? "" : "s", fit->attribute,
				   LEAST_FITTED);
	if (!varies)
		return text_format(
		    "'%s' of %s is %g in all %zu instances; a fit needs different values",
		    fit->attribute, fit->start->name, fit->recorded.low, fit->n);
	if (fit->line.r2 < least_explained)
		return text_format(
		    "the length of '%s' does not depend on '%s': the line explains %.1f %% "
		    "of its variance (%zu instances); --%s '%s=measured' draws the "
		    "recorded lengths",
		    what, fit->attribute, 100 * fit->line.r2, fit->n, option_of(change_of(f, fit)),
		    what);
	return NULL;
}

static void unknown_find(struct fitting *f)
{
	for (size_t i = 0; i < f->chosen->spans.n; i++) {
		uint32_t number = f->result->of_label[f->chosen->spans.at[i].class];

		if (number != NOT_CHANGED && !f->known[i])
			f->points[number].unknown = true;
	}
}

static char *line_make(struct fitting *f, size_t number)
{
	struct fit *fit = &f->result->all.at[number];
	const struct fit_points *p = &f->points[number];
	bool varies;
	char *refusal;

	fit->n = p->x.n;
	varies = fit->n && fit_line_find(p->x.at, p->y.at, fit->n, &fit->line);
	refusal = line_refuse(f, fit, p, varies);
	if (refusal)
		return refusal;
	fit->residuals = array_new(fit->n, sizeof *fit->residuals);
	for (size_t i = 0; i < fit->n; i++)
		fit->residuals[i] =
		    p->y.at[i] - (fit->line.intercept + fit->line.slope * p->x.at[i]);
	return NULL;
}

/* ---- all ---- */

static void fitting_end(struct fitting *f)
{
	for (size_t i = 0; i < f->chosen->labels.n; i++) {
		fit_value_free(&f->points[i].value);
		free(f->points[i].x.at);
		free(f->points[i].y.at);
	}
	free(f->points);
	free(f->known);
}

struct fits *fits_of(const struct model *m, const struct span_choice *c,
		     const struct span_change *changes, const double *lengths, char **refusal)
{
	struct fitting f = {.model = m, .chosen = c, .changes = changes, .lengths = lengths};

	f.result = array_zero(1, sizeof *f.result);
	f.result->of_label = array_new(c->labels.n, sizeof *f.result->of_label);
	f.result->asked = array_zero(c->spans.n, sizeof *f.result->asked);
	f.points = array_zero(c->labels.n, sizeof *f.points);
	f.known = array_zero(c->spans.n, sizeof *f.known);
	*refusal = labels_add(&f);
	for (uint32_t t = 0; t < m->trace->nthreads && !*refusal; t++)
		thread_read(&f, t);
	if (!*refusal)
		unknown_find(&f);
	for (size_t i = 0; i < f.result->all.n && !*refusal; i++)
		*refusal = line_make(&f, i);
	fitting_end(&f);
	if (!*refusal)
		return f.result;
	fits_free(f.result);
	return NULL;
}

void fits_free(struct fits *f)
{
	for (size_t i = 0; i < f->all.n; i++)
		free(f->all.at[i].residuals);
	free(f->all.at);
	free(f->of_label);
	free(f->asked);
	free(f);
}

double fits_draw(const struct fits *f, size_t span, uint32_t label, uint64_t seed)
{
	static const struct distribution residual = {.kind = DISTRIBUTION_MEASURED};
	const struct fit *fit = &f->all.at[f->of_label[label]];

	return fmax(0, fit->line.intercept + fit->line.slope * f->asked[span] +
			   distribution_draw(&residual, seed, fit->residuals, fit->n));
}
