#include "viewers/nibble/series/source.h"
#include "base/array.h"
#include "base/sort.h"
#include "trace/address.h"
#include "viewers/nibble/sample/collect.h"
#include "viewers/nibble/sample/window_tally.h"
#include "viewers/nibble/series/bottle.h"
#include "viewers/nibble/series/distribution.h"
#include "viewers/nibble/series/held.h"
#include "viewers/nibble/series/reduce.h"
#include "viewers/nibble/series/sampled.h"
#include "viewers/nibble/series/step_sweep.h"
#include "viewers/nibble/series/tallied.h"
#include <stdlib.h>
#include <string.h>

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

static struct curve *values_curve(const struct evaluation *v, const struct node *n,
				  const struct values *p, const struct windows *windows)
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

/* More windows than this are a mistake in the unit, and would fill the memory. */
#define MOST_WINDOWS 1e7

/* Returns what the values are, in a word or two. */
static const char *value_word(const struct expr_subject *s)
{
	if (s->metric)
		return s->metric->name;
	return s->event ? s->event->attributes[s->attribute].name : "duration";
}

const char *source_quantity(const struct node *n)
{
	bool events = n->source.subject.event != NULL;

	switch (n->function->kind) {
	case FUNCTION_COUNT:
	case FUNCTION_HIST:
		return events ? "events" : "intervals";
	case FUNCTION_RATE:
		if (n->source.subject.has_value)
			return value_word(&n->source.subject);
		return events ? "events/s" : "intervals/s";
	case FUNCTION_OPEN:
		if (n->source.subject.has_value)
			return value_word(&n->source.subject);
		return "open intervals";
	case FUNCTION_PARALLEL:
		return "threads";
	case FUNCTION_BOTTLE:
		return "parallelism";
	case FUNCTION_UNMATCHED:
		return "unmatched anchors";
	case FUNCTION_BUSY:
		return "share of time";
	case FUNCTION_SHARE:
		return n->source.subject.samples ? "share of running time"
						 : "share of threads' time";
	case FUNCTION_TIME:
		return "duration";
	case FUNCTION_CDF:
		return "share";
	default:
		return value_word(&n->source.subject);
	}
}

static enum summary source_summary_of(enum function_kind kind)
{
	switch (kind) {
	case FUNCTION_MEAN:
		return SUMMARY_MEAN;
	case FUNCTION_MIN:
		return SUMMARY_MIN;
	case FUNCTION_MAX:
		return SUMMARY_MAX;
	case FUNCTION_SUM:
		return SUMMARY_SUM;
	default:
		return SUMMARY_QUANTILE;
	}
}

static bool fits_windows(const struct evaluation *v, const struct node *n)
{
	return (v->range.to - v->range.from) / evaluation_window(v, n) <= MOST_WINDOWS;
}

static struct curve *windowed(const struct evaluation *v, const struct node *n,
			      const struct value_samples *s)
{
	struct windows g = windows_make(v->range, evaluation_window(v, n));
	struct curve *cells;

	if (n->function->kind == FUNCTION_RATE && n->source.subject.has_value)
		cells = window_value_rate(s, &g, n->dimension);
	else if (n->function->kind == FUNCTION_RATE)
		cells = window_rate(s, &g);
	else if (n->function->kind == FUNCTION_BUSY)
		cells = window_busy(s, &g);
	else
		cells = window_summary(s, &g, source_summary_of(n->function->kind),
				       n->source.quantile, n->dimension);
	windows_free(&g);
	return cells;
}

static struct curve *pooled(const struct evaluation *v, const struct node *n,
			    const struct value_samples *s)
{
	struct windows windows = source_value_windows(v, n);
	struct values p = values_of_samples(s, &windows);
	struct curve *r = values_curve(v, n, &p, &windows);

	values_clear(&p);
	windows_free(&windows);
	return r;
}

/* Returns how long the threads exist in each window, one of them or all that are selected. */
static double *lives_in(const struct evaluation *v, const struct node *n, const struct windows *g,
			const struct value_samples *s)
{
	const struct trace *t = v->trace;
	bool *selected = evaluation_threads(v, &n->source);
	double *lives = array_zero(g->n, sizeof *lives);

	for (unsigned i = 0; i < t->nthreads; i++) {
		size_t hint = 0;

		if (selected[i] && (n->source.per != PER_THREAD || (s->n > 0 && s->thread[0] == i)))
			windows_cover(g, lives, (double)t->threads[i].first,
				      (double)t->threads[i].last, &hint);
	}
	free(selected);
	return lives;
}

static struct curve *shared(const struct evaluation *v, const struct node *n,
			    struct value_samples *s)
{
	struct windows g = windows_make(v->range, evaluation_window(v, n));
	double *lives = lives_in(v, n, &g, s);
	struct curve *cells;

	samples_unite(s, v->trace->nthreads);
	/* An instance may lead to another thread, and go on when its own has ended. */
	for (size_t i = 0; i < s->n; i++)
		s->end[i] = fmin(s->end[i], (double)v->trace->threads[s->thread[i]].last);
	cells = window_share(s, &g, lives);
	free(lives);
	windows_free(&g);
	return cells;
}

static struct curve *held(const struct evaluation *v, const struct node *n,
			  const struct value_samples *s)
{
	if (v->drawing && !v->canvas.log_x && s->n >= tally_least)
		return steps_held_drawn(s, v->range, n->dimension, STEP_PIECES);
	return steps_held(s, v->range, n->dimension);
}

static struct curve *series_of(const struct evaluation *v, const struct node *n,
			       struct value_samples *s)
{
	if (source_needs_values(v, n, s->n))
		return pooled(v, n, s);
	switch (n->function->kind) {
	case FUNCTION_COUNT:
	case FUNCTION_UNMATCHED:
		return steps_count(s, v->range);
	case FUNCTION_OPEN:
		return n->source.subject.has_value ? held(v, n, s) : steps_open(s, v->range);
	case FUNCTION_PARALLEL:
		samples_unite(s, v->trace->nthreads);
		return steps_open(s, v->range);
	case FUNCTION_SHARE:
		return shared(v, n, s);
	case FUNCTION_TIME:
	case FUNCTION_VALUE:
		return points_of(s, v->range, n->dimension);
	default:
		return windowed(v, n, s);
	}
}

/* Tests whether a function knows the threads of the instances. */
static bool needs_threads(enum function_kind kind)
{
	return kind == FUNCTION_PARALLEL || kind == FUNCTION_SHARE || kind == FUNCTION_BOTTLE;
}

/* Tests whether the members of a family are told apart by these threads, without keys. */
static bool is_by_threads(const struct node *n)
{
	return n->source.per == PER_THREAD && needs_threads(n->function->kind);
}

/* Sets what the axes call a curve. */
static struct curve *named(struct curve *r, const struct node *n)
{
	curve_set_string(&r->quantity, source_quantity(n));
	if (r->distribution)
		curve_set_string(&r->xquantity, value_word(&n->source.subject));
	/* Of tiles, what their colours count. */
	if (r->shape == SHAPE_TILES)
		curve_set_string(&r->xquantity, n->source.subject.event ? "events" : "intervals");
	return r;
}

/* The name of a member that an expression tells apart. */
static char *value_name(const struct evaluation *v, const struct source_node *s, int64_t key)
{
	const struct expr *e = s->per_expression;
	int length = (int)strlen(s->per_text);
	const char *text = s->per_text;

	if (*text == '(') {
		text++;
		length -= 2;
	}
	if (e->kind == VALUE_STRING || expr_is_symbolic(e))
		return text_format("%.*s=%s", length, text, address_key_text(v->trace, key));
	if (e->kind == VALUE_BOOL)
		return text_format("%.*s=%s", length, text, key ? "true" : "false");
	if (e->kind == VALUE_REAL)
		return text_format("%.*s=%.15g", length, text, sort_double_of(key));
	return text_format("%.*s=%lld", length, text, (long long)key);
}

static char *member_name(const struct evaluation *v, const struct source_node *s, int64_t key)
{
	const struct event_type *e = s->subject.event;
	const struct attribute *a;

	if (s->per == PER_THREAD)
		return text_format("%s", trace_thread(v->trace, (uint32_t)key)->label);
	if (s->per == PER_EXPRESSION)
		return value_name(v, s, key);
	if (!e)
		e = end_event(&s->subject.interval->anchor);
	a = &e->attributes[s->per_attribute];
	if (type_is_symbolic(a->type))
		return text_format("%s=%s", a->name, address_key_text(v->trace, key));
	return text_format("%s=%lld", a->name, (long long)key);
}

static struct curve *named_series(const struct evaluation *v, const struct node *n,
				  struct value_samples *s)
{
	return named(series_of(v, n, s), n);
}

static bool is_by_texts(const struct expr *e)
{
	return e->kind == VALUE_STRING || expr_is_symbolic(e);
}

static int order_by_group(const void *left, const void *right)
{
	const struct curve *a = *(struct curve *const *)left, *b = *(struct curve *const *)right;

	return strverscmp(a->group, b->group);
}

/* Sorts members that are told apart by texts, "lock 2" before "lock 10"; others are sorted. */
static void family_sort(const struct source_node *s, struct family *f)
{
	const struct event_type *e = s->subject.event;

	if (s->per == PER_EXPRESSION && is_by_texts(s->per_expression) && f->n)
		qsort(f->at, f->n, sizeof(struct curve *), order_by_group);
	if (s->per != PER_ATTRIBUTE)
		return;
	if (!e)
		e = end_event(&s->subject.interval->anchor);
	if (type_is_symbolic(e->attributes[s->per_attribute].type) && f->n)
		qsort(f->at, f->n, sizeof(struct curve *), order_by_group);
}

/* Splits samples into the members of a family, each with at least one. */
static size_t members_split(const struct evaluation *v, const struct node *n,
			    const struct value_samples *s, struct value_samples **members)
{
	return is_by_threads(n) ? samples_split_threads(s, v->trace->nthreads, members)
				: samples_split(s, members);
}

static int64_t member_key(const struct evaluation *v, const struct node *n,
			  const struct value_samples *member)
{
	return is_by_threads(n) ? (int64_t)v->trace->threads[member->thread[0]].number
				: member->key[0];
}

/* A box of a bottle graph, not yet at its place in the stack. */
static struct curve *box_new(const struct evaluation *v, const struct node *n, int64_t key,
			     const struct bottle_box *box)
{
	struct curve *s = curve_new(SHAPE_BOXES, n->dimension);

	s->distribution = true;
	s->key = key;
	s->group = member_name(v, &n->source, key);
	curve_set_string(&s->quantity, source_quantity(n));
	curve_append(s, box->share, box->area / box->share);
	return s;
}

static int order_by_width(const void *left, const void *right)
{
	const struct curve *a = *(struct curve *const *)left, *b = *(struct curve *const *)right;

	if (a->y[0] != b->y[0])
		return a->y[0] > b->y[0] ? -1 : 1;
	if (a->x[0] != b->x[0])
		return a->x[0] > b->x[0] ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

/* Stacks boxes, the widest at the bottom. */
static void boxes_stack(struct family *f)
{
	double height = 0;

	if (f->n > 1)
		qsort(f->at, f->n, sizeof(struct curve *), order_by_width);
	for (size_t i = 0; i < f->n; i++) {
		double share = f->at[i]->x[0];

		f->at[i]->x[0] = height;
		curve_close(f->at[i], height += share);
	}
}

/* Adds the boxes of the members that are open at all, and stacks them. keys: of each member. */
static struct family boxes_family(const struct evaluation *v, const struct node *n, size_t members,
				  struct bottle *bottle, const int64_t *keys)
{
	struct bottle_box *boxes = array_zero(members + 1, sizeof *boxes);
	struct family f = {0};

	bottle_fill(bottle, boxes);
	for (size_t i = 0; i < members; i++)
		if (boxes[i].share > 0)
			family_append(&f, box_new(v, n, keys[i], &boxes[i]));
	boxes_stack(&f);
	free(boxes);
	return f;
}

/* Of threads: they need not be split. */
static struct family bottle_threads(const struct evaluation *v, const struct node *n,
				    struct value_samples *s)
{
	const struct trace *t = v->trace;
	int64_t *keys = array_zero(t->nthreads + 1, sizeof *keys);
	struct bottle *bottle;
	struct family f;

	samples_unite(s, t->nthreads);
	bottle = bottle_new(t->nthreads, s->n, v->range);
	for (size_t k = 0; k < s->n; k++)
		bottle_add(bottle, s->thread[k], s->at[k], s->end[k]);
	for (unsigned i = 0; i < t->nthreads; i++)
		keys[i] = (int64_t)t->threads[i].number;
	f = boxes_family(v, n, t->nthreads, bottle, keys);
	free(keys);
	return f;
}

static struct family bottle_family(const struct evaluation *v, const struct node *n,
				   struct value_samples *s)
{
	struct value_samples *members;
	struct bottle *bottle;
	struct family f;
	size_t count;
	int64_t *keys;

	if (is_by_threads(n))
		return bottle_threads(v, n, s);
	count = samples_split(s, &members);
	keys = array_zero(count + 1, sizeof *keys);
	bottle = bottle_new(count, s->n, v->range);
	for (size_t i = 0; i < count; i++) {
		samples_unite(&members[i], v->trace->nthreads);
		for (size_t k = 0; k < members[i].n; k++)
			bottle_add(bottle, i, members[i].at[k], members[i].end[k]);
		keys[i] = members[i].key[0];
		samples_clear(&members[i]);
	}
	f = boxes_family(v, n, count, bottle, keys);
	free(members);
	free(keys);
	return f;
}

static struct family family_of(const struct evaluation *v, const struct node *n,
			       struct value_samples *s)
{
	struct family f = {0};
	struct value_samples *parts;
	size_t count;

	if (n->function->kind == FUNCTION_BOTTLE)
		return bottle_family(v, n, s);
	if (n->source.per == PER_NOTHING) {
		family_append(&f, named_series(v, n, s));
		return f;
	}
	count = members_split(v, n, s, &parts);
	for (size_t i = 0; i < count; i++) {
		struct curve *member = named_series(v, n, &parts[i]);

		member->key = member_key(v, n, &parts[i]);
		member->group = member_name(v, &n->source, member->key);
		family_append(&f, member);
		samples_clear(&parts[i]);
	}
	free(parts);
	family_sort(&n->source, &f);
	return f;
}

static bool stands_in_range(const struct value_samples *s, struct limits r)
{
	size_t i = 0;

	while (i < s->n && !(s->at[i] >= r.from && s->at[i] <= r.to))
		i++;
	return i < s->n;
}

bool source_check_any(struct evaluation *v, const struct node *n, bool any)
{
	const struct expr_subject *subject = &n->source.subject;
	const char *name = subject->event ? subject->event->name : subject->interval->name;

	if (any || n->function->kind == FUNCTION_UNMATCHED || v->allow_empty)
		return true;
	v->nothing = true;
	if (v->optional)
		return false;
	if (n->source.selections)
		diag_error(v->diag, n->where,
			   "the selection is empty: it excludes all %s %s of the trace; "
			   "--allow-empty draws it anyway",
			   subject->event ? "events" : "matched intervals", name);
	else
		diag_error(v->diag, n->where,
			   "the selection is empty: the trace has no %s %s here; --allow-empty "
			   "draws it anyway",
			   subject->event ? "event" : "matched interval", name);
	return false;
}

/* Returns a curve from a tally. */
static struct curve *tallied_series(const struct evaluation *v, const struct node *n,
				    const struct window_tally *y, size_t curve)
{
	struct windows windows;
	struct values p;
	struct curve *r;

	if (!tally_has_values(y))
		return named(tally_curve(y, curve), n);
	windows = source_value_windows(v, n);
	p = tally_values(y, curve);
	r = values_curve(v, n, &p, &windows);
	values_clear(&p);
	windows_free(&windows);
	return named(r, n);
}

static struct family tally_family(struct evaluation *v, const struct node *n,
				  const struct window_tally *y)
{
	struct family f = {0};

	if (!source_check_any(v, n, tally_count(y) > 0))
		return f;
	for (size_t i = 0; i < y->ncurves; i++) {
		struct curve *member = tallied_series(v, n, y, i);

		if (n->source.per != PER_NOTHING) {
			member->key = tally_key(y, i);
			member->group = member_name(v, &n->source, member->key);
		}
		family_append(&f, member);
	}
	return f;
}

static enum sample_need need_of(enum function_kind kind)
{
	switch (kind) {
	case FUNCTION_COUNT:
		return NEED_COUNT;
	case FUNCTION_UNMATCHED:
		return NEED_UNMATCHED;
	case FUNCTION_OPEN:
	case FUNCTION_PARALLEL:
	case FUNCTION_BUSY:
	case FUNCTION_SHARE:
	case FUNCTION_BOTTLE:
		return NEED_ALL;
	default:
		return NEED_RANGE;
	}
}

static struct family shares_of_samples(struct evaluation *v, const struct node *n)
{
	if (v->shares)
		return v->shares(v->shares_of, v, n);
	diag_error(v->diag, n->where, "gorge cannot draw shares of samples; use nibble");
	return (struct family){0};
}

struct family source_family(struct evaluation *v, const struct node *n)
{
	enum function_kind kind = n->function->kind;
	struct value_samples s = {
	    .has_end = need_of(kind) == NEED_ALL,
	    .has_value = kind == FUNCTION_TIME || n->source.subject.has_value,
	    .has_key = n->source.per != PER_NOTHING && !is_by_threads(n),
	    .has_thread = needs_threads(kind),
	};
	struct family f = {0};
	const struct window_tally *tally = tally_find(v, n);

	if (!fits_windows(v, n)) {
		diag_error(v->diag, n->where,
			   "this makes more than ten million windows; choose a longer window");
		return f;
	}
	if (n->source.subject.samples)
		return shares_of_samples(v, n);
	if (tally)
		return tally_family(v, n, tally);
	samples_collect(v, &n->source, need_of(kind), &s);
	if (source_check_any(v, n, stands_in_range(&s, v->range)))
		f = family_of(v, n, &s);
	samples_clear(&s);
	return f;
}
