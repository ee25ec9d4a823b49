#include "viewers/nibble/series/evaluate.h"

#include "base/array.h"
#include "viewers/nibble/sample/window_tally.h"
#include "viewers/nibble/series/pooled.h"
#include "viewers/nibble/series/source.h"
#include "viewers/nibble/series/step_sweep.h"
#include "viewers/nibble/series/transform.h"

#include <math.h>
#include <stdlib.h>

struct evaluation *evaluation_new(struct trace *t, struct limits range, struct diag *diag)
{
	struct evaluation *v = array_zero(1, sizeof *v);

	v->trace = t;
	v->range = range;
	v->window = window_width(range);
	v->diag = diag;
	v->matches = array_zero(t->spec->nintervals, sizeof *v->matches);
	return v;
}

void evaluation_free(struct evaluation *v)
{
	for (unsigned i = 0; i < v->trace->spec->nintervals; i++)
		if (v->matches[i])
			matches_free(v->matches[i]);
	free(v->matches);
	tallies_free(v);
	free(v->threads);
	free(v);
}

double evaluation_window(const struct evaluation *v, const struct node *n)
{
	return n->source.window > 0 ? n->source.window : v->window;
}

/* The first whole nanosecond that is not before the time. */
static int64_t time_whole(double time)
{
	if (time <= -0x1p63)
		return INT64_MIN;
	return time < 0x1p63 ? (int64_t)ceil(time) : INT64_MAX;
}

uint64_t evaluation_events(const struct evaluation *v, const struct event_type *type)
{
	const struct event_list *l;

	if (!v->listed)
		return v->trace->events_of_type[type->index];
	l = trace_events(v->trace, type);
	return event_list_from(l, time_whole(v->range.to + 1)) -
	       event_list_from(l, time_whole(v->range.from));
}

const struct matches *evaluation_matches(struct evaluation *v, const struct interval *interval)
{
	struct matches **m = &v->matches[interval->index];

	if (v->lend)
		return v->lend(v->lender, interval);
	if (!*m)
		*m = match_interval(v->trace, interval);
	return *m;
}

static struct curve *transformed(const struct evaluation *v, const struct node *n,
				  const struct curve *s)
{
	switch (n->function->kind) {
	case FUNCTION_SMOOTH:
		return curve_smooth(s, n->number, v->range);
	case FUNCTION_DIFF:
		return curve_diff(s);
	case FUNCTION_CUMULATIVE:
		return curve_cumulative(s);
	default:
		return curve_normalize(s);
	}
}

static struct family evaluate_node(struct evaluation *v, const struct node *n);

static struct family evaluate_each(struct evaluation *v, const struct node *n)
{
	struct family f = {0}, of = evaluate_node(v, n->left);

	for (size_t i = 0; i < of.n; i++)
		family_append(&f, n->kind == NODE_NEGATE ? curve_negate(of.at[i])
							 : transformed(v, n, of.at[i]));
	family_free(&of);
	return f;
}

static struct family evaluate_node(struct evaluation *v, const struct node *n)
{
	struct family f = {0}, left, right;

	switch (n->kind) {
	case NODE_CONSTANT:
		family_append(&f, curve_constant(n->number, n->dimension));
		return f;
	case NODE_SOURCE:
		return source_family(v, n);
	case NODE_TRANSFORM:
	case NODE_NEGATE:
		return evaluate_each(v, n);
	default:
		left = evaluate_node(v, n->left);
		right = evaluate_node(v, n->right);
		f = family_combine(n->op, &left, &right);
		family_free(&left);
		family_free(&right);
		return f;
	}
}

struct family expression_evaluate(struct evaluation *v, const struct node *n, const char *title)
{
	/* What is computed with must be exact; what is drawn as it is need not. */
	bool drawing = v->drawing;
	struct family f = {0};

	if (step_sweep_fits(v, n)) {
		family_append(&f, step_sweep_drawn(v, n));
	} else {
		v->drawing = drawing && (n->kind == NODE_SOURCE || source_is_scaled(v, n));
		f = evaluate_node(v, n);
		v->drawing = drawing;
	}
	for (size_t i = 0; i < f.n; i++)
		curve_set_string(&f.at[i]->title, title);
	return f;
}
