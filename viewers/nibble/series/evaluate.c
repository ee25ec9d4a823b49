#include "viewers/nibble/series/evaluate.h"
#include "analysis/activity/roles.h"
#include "base/array.h"
#include "base/hash.h"
#include "viewers/nibble/sample/window_tally.h"
#include "viewers/nibble/series/combine.h"
#include "viewers/nibble/series/distribution.h"
#include "viewers/nibble/series/source.h"
#include "viewers/nibble/series/step_sweep.h"
#include "viewers/nibble/series/transform.h"
#include "viewers/palette.h"
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

static void announce_interval(struct trace *t, const struct interval *interval)
{
	const struct interval_end *ends[] = {&interval->anchor, &interval->partner};

	for (int i = 0; i < 2; i++) {
		if (ends[i]->interval)
			announce_interval(t, ends[i]->interval);
		else
			trace_announce(t, ends[i]->event);
	}
}

/* What a curve is for: to be computed with; to be drawn as it is; for a sweep of steps. */
enum tally_use { TALLY_COMPUTED, TALLY_DRAWN, TALLY_STEPS };

static bool keep_find(const struct node *n, enum tally_use use, enum tally_keep *keep)
{
	switch (n->function->kind) {
	case FUNCTION_COUNT:
		*keep = use == TALLY_STEPS ? KEEP_TIMES : KEEP_ENDS;
		return use != TALLY_COMPUTED;
	case FUNCTION_VALUE:
		*keep = KEEP_POINTS;
		return use == TALLY_DRAWN;
	case FUNCTION_RATE:
		*keep = n->source.subject.has_value ? KEEP_SUM : KEEP_COUNT;
		return true;
	case FUNCTION_MEAN:
	case FUNCTION_SUM:
		*keep = KEEP_SUM;
		return true;
	case FUNCTION_MIN:
	case FUNCTION_MAX:
		*keep = KEEP_EXTREMES;
		return true;
	case FUNCTION_QUANTILE:
	case FUNCTION_HIST:
	case FUNCTION_CDF:
	case FUNCTION_HEAT:
		*keep = KEEP_VALUES;
		return true;
	default:
		return false;
	}
}

static struct windows windows_of(const struct evaluation *v, const struct node *n)
{
	if (source_needs_values(v, n, SIZE_MAX))
		return source_value_windows(v, n);
	if (n->function->kind == FUNCTION_COUNT)
		return windows_even(v->range, STEP_PIECES);
	return windows_make(v->range, evaluation_window(v, n));
}

/* Adds a tally for a source. Returns false where the source must be computed from samples. */
static bool plan_tally(struct evaluation *v, const struct node *n, enum tally_use use)
{
	enum tally_keep keep;

	if (!v->drawing || v->canvas.log_x)
		use = TALLY_COMPUTED;
	return tally_pays(v, n) && keep_find(n, use, &keep) &&
	       tally_add(v, n, keep, windows_of(v, n));
}

/* Plans a tally for each source, or announces its events to be listed. */
static void prepare(struct evaluation *v, const struct node *n, enum tally_use use)
{
	enum tally_use operands = TALLY_COMPUTED;

	if (!n)
		return;
	if (use == TALLY_STEPS || (use == TALLY_DRAWN && source_is_scaled(v, n)))
		operands = use;
	if (n->kind == NODE_SOURCE && !n->source.subject.samples && !plan_tally(v, n, use)) {
		if (n->source.subject.event)
			trace_announce(v->trace, n->source.subject.event);
		else
			announce_interval(v->trace, n->source.subject.interval);
	}
	prepare(v, n->left, operands);
	prepare(v, n->right, operands);
}

/* What stands for several sources is drawn as each of them. */
static void prepare_drawn(struct evaluation *v, const struct node *n)
{
	for (; n && n->kind == NODE_EACH; n = n->right)
		prepare_drawn(v, n->left);
	if (n)
		prepare(v, n, step_sweep_fits(v, n) ? TALLY_STEPS : TALLY_DRAWN);
}

void expressions_prepare(struct evaluation *v, struct node *const *nodes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		prepare_drawn(v, nodes[i]);
	tallies_fill(v);
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
	case FUNCTION_HIST:
		return histogram_of_curve(s, v->range, n->source.bins, v->canvas.log_x);
	default:
		return curve_normalize(s);
	}
}

static struct family evaluate_node(struct evaluation *v, const struct node *n);

static struct family evaluate_each(struct evaluation *v, const struct node *n)
{
	struct family f = {0}, of;

	if (n->kind == NODE_TRANSFORM && n->function->kind == FUNCTION_HIST &&
	    step_sweep_counts(v, n->left)) {
		family_append(&f, step_sweep_histogram(v, n->left, n->source.bins));
		return f;
	}
	of = evaluate_node(v, n->left);
	if (n->kind == NODE_TRANSFORM && n->function->kind == FUNCTION_TOP) {
		family_top(&of, (size_t)n->number);
		return of;
	}
	for (size_t i = 0; i < of.n; i++)
		family_append(&f, n->kind == NODE_NEGATE ? curve_negate(of.at[i])
							 : transformed(v, n, of.at[i]));
	family_free(&of);
	return f;
}

/* Names a member after the interval, and gives it a key that others of the family do not have. */
static void name_after_interval(struct curve *s, const struct interval *interval)
{
	char *group = s->group ? text_format("%s, %s", interval->name, s->group)
			       : text_format("%s", interval->name);

	free(s->group);
	s->group = group;
	s->key = (int64_t)hash_mix((uint64_t)s->key + 1 + ((uint64_t)interval->index << 48));
}

/* The shares of all intervals of a kind are parts of the same time. */
static void make_part(struct curve *s, const struct node *source)
{
	const struct interval *interval = source->source.subject.interval;

	if (source->function->kind != FUNCTION_SHARE)
		return;
	curve_set_string(&s->part, interval->name);
	curve_set_string(&s->whole, s->group ? s->group : "");
	curve_set_string(&s->colour, interval->style.colour);
	if (!s->colour && interval->kind == KIND_STATE && role_of(interval).state != STATE_OTHER)
		s->colour =
		    text_format("#%06x", palette_states_light[role_of(interval).state] >> 8);
}

/* Evaluates the sources of all intervals of a kind, without those of which nothing is there. */
static struct family evaluate_kind(struct evaluation *v, const struct node *n,
				   struct family (*evaluate)(struct evaluation *v,
							     const struct node *n))
{
	const struct node *first = n;
	struct family all = {0};

	for (; n; n = n->right) {
		struct family f;

		v->optional = true;
		v->nothing = false;
		f = evaluate(v, n->left);
		v->optional = false;
		for (size_t i = 0; i < f.n && !v->nothing; i++) {
			make_part(f.at[i], n->left);
			name_after_interval(f.at[i], n->left->source.subject.interval);
			family_append(&all, f.at[i]);
			f.at[i] = NULL;
		}
		family_free(&f);
	}
	if (all.n == 0 && !v->allow_empty)
		diag_error(v->diag, first->where,
			   "the selection is empty: no interval of this kind has an instance here; "
			   "--allow-empty draws it anyway");
	return all;
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
	case NODE_EACH:
		return evaluate_kind(v, n, evaluate_node);
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

/* What is computed with must be exact; what is drawn as it is need not. */
static struct family evaluate_drawn(struct evaluation *v, const struct node *n)
{
	bool drawing = v->drawing;
	struct family f = {0};

	if (n->kind == NODE_EACH)
		return evaluate_kind(v, n, evaluate_drawn);
	if (step_sweep_fits(v, n)) {
		family_append(&f, step_sweep_drawn(v, n));
	} else {
		v->drawing = drawing && (n->kind == NODE_SOURCE || source_is_scaled(v, n));
		f = evaluate_node(v, n);
		v->drawing = drawing;
	}
	return f;
}

struct family expression_evaluate(struct evaluation *v, const struct node *n, const char *title)
{
	struct family f = evaluate_drawn(v, n);

	for (size_t i = 0; i < f.n; i++) {
		curve_set_string(&f.at[i]->title, title);
		if (v->drawing)
			curve_even(f.at[i]);
	}
	return f;
}
