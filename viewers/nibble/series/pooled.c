#include "viewers/nibble/series/pooled.h"

#include "viewers/nibble/sample/window_tally.h"
#include "viewers/nibble/series/heat.h"
#include "viewers/nibble/series/histogram.h"
#include "viewers/nibble/series/scatter.h"

bool source_needs_values(const struct evaluation *v, const struct node *n, size_t values)
{
	switch (n->function->kind) {
	case FUNCTION_HIST:
	case FUNCTION_CDF:
	case FUNCTION_HEAT:
		return true;
	case FUNCTION_TIME:
	case FUNCTION_VALUE:
		return v->drawing && !v->canvas.log_x && values >= tally_least;
	default:
		return false;
	}
}

static bool is_points(const struct node *n)
{
	return n->kind == NODE_SOURCE &&
	       (n->function->kind == FUNCTION_VALUE || n->function->kind == FUNCTION_TIME);
}

static bool is_scaled(const struct node *n)
{
	if (n->kind == NODE_NEGATE)
		return is_points(n->left) || is_scaled(n->left);
	if (n->kind != NODE_COMBINE)
		return false;
	if (n->right->kind == NODE_CONSTANT)
		return is_points(n->left) || is_scaled(n->left);
	return n->left->kind == NODE_CONSTANT && n->op != OPERATION_DIV &&
	       (is_points(n->right) || is_scaled(n->right));
}

bool source_is_scaled(const struct evaluation *v, const struct node *n)
{
	return v->drawing && !v->canvas.log_y && is_scaled(n);
}

struct windows source_value_windows(const struct evaluation *v, const struct node *n)
{
	switch (n->function->kind) {
	case FUNCTION_TIME:
	case FUNCTION_VALUE:
		return windows_even(v->range, scatter_columns(&v->canvas));
	case FUNCTION_HEAT:
		return windows_make(v->range, evaluation_window(v, n));
	default:
		return windows_even(v->range, 1);
	}
}

struct curve *values_curve(const struct evaluation *v, const struct node *n, const struct values *p,
			     const struct windows *windows)
{
	struct dimension of = subject_dimension(&n->source.subject);

	switch (n->function->kind) {
	case FUNCTION_HIST:
		return histogram_of(p, of, n->source.bins, v->canvas.log_x);
	case FUNCTION_CDF:
		if (v->drawing && p->finite >= tally_least)
			return histogram_cdf_drawn(p, of, v->canvas.log_x);
		return histogram_cdf(p, of);
	case FUNCTION_HEAT:
		return heat_of(p, windows, n->dimension, n->source.bins, v->canvas.log_y);
	default:
		return scatter_drawn(p, windows, &v->canvas, n->dimension);
	}
}
