#include "viewers/gorge/query/filter.h"
#include "base/parallel.h"
#include "base/search.h"
#include "base/task.h"
#include "match/eval/formula.h"
#include "match/stats/assertions.h"
#include "viewers/gorge/index/span_binding.h"
#include <stdlib.h>

/* ---- what a condition asks for ---- */

/* Returns whether an expression compares the duration with what is the same for all instances. */
static bool bounds_durations(const struct expr *e)
{
	const struct expr *left = e->left, *right = e->right, *bound;

	if (e->op < EXPR_LT || e->op > EXPR_GE ||
	    (left->op == EXPR_DURATION) == (right->op == EXPR_DURATION))
		return false;
	bound = left->op == EXPR_DURATION ? right : left;
	for (enum expr_op op = EXPR_ATTRIBUTE; op <= EXPR_AGGREGATE; op++)
		if (expr_has(bound, op))
			return false;
	return true;
}

static bool holds_for(const struct expr *e, int64_t duration)
{
	uint64_t faults = 0;

	return expr_holds(e, &(struct binding){.duration = duration}, &faults);
}

/* Returns the last duration for which a comparison of durations is as it is for 0. */
static int64_t last_alike(const struct expr *e)
{
	bool first = holds_for(e, 0);
	const uint64_t durations = (uint64_t)INT64_MAX + 1;

	uint64_t other = lower_bound(i, 1, durations, holds_for(e, (int64_t)i) == first);

	return (int64_t)(other - 1);
}

/* Narrows the durations by a comparison, which holds from some duration on, or up to one. */
static void bound(struct filter *s, const struct expr *e)
{
	bool first = holds_for(e, 0);
	int64_t last = last_alike(e);

	if (first && last < s->most)
		s->most = last;
	if (!first && last == INT64_MAX)
		s->most = -1;
	else if (!first && last >= s->least)
		s->least = last + 1;
}

static void filter_narrow(struct filter *s, const struct expr *e)
{
	if (e->op == EXPR_AND) {
		filter_narrow(s, e->left);
		filter_narrow(s, e->right);
	} else if (bounds_durations(e)) {
		bound(s, e);
	} else {
		s->exact = false;
	}
}

struct filter filter_durations(int64_t least, int64_t most)
{
	return (struct filter){.least = least, .most = most, .exact = true};
}

struct filter filter_condition(const struct expr *condition, bool broken)
{
	struct filter s = filter_durations(0, INT64_MAX);

	s.condition = condition;
	s.broken = broken;
	s.records = expr_has(condition, EXPR_ATTRIBUTE);
	s.times = expr_has(condition, EXPR_TIME);
	filter_narrow(&s, condition);
	return s;
}

/* ---- the instances with anchors in one thread ---- */

/* One that passed. */
struct filtered_instance {
	const struct spans *spans;
	size_t i;
	uint32_t unit; /* of the anchor */
	double excess;
};

struct sifting {
	const struct filter *filter;
	struct formula condition; /* the filter's */
	const struct instances *instances;
	struct event_set *anchors;
	bool listed;
	struct share *shares; /* by thread */
};

/*
 * What one thread's anchors give. The list is cut now and then: last is the last of what it keeps.
 */
struct share {
	const struct sifting *all;
	uint64_t count;
	VECTOR(struct filtered_instance) list;
	bool full;
	struct filtered_instance last;
	struct span_binding at; /* the spans that is gone through */
};

static int compare_kept(const void *pa, const void *pb)
{
	const struct filtered_instance *a = pa, *b = pb;

	if (a->excess != b->excess)
		return a->excess > b->excess ? -1 : 1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

static void cut(struct share *s)
{
	if (s->list.n)
		qsort(s->list.at, s->list.n, sizeof *s->list.at, compare_kept);
	if (s->list.n < RESULTS_LISTED)
		return;
	s->list.n = RESULTS_LISTED;
	s->full = true;
	s->last = s->list.at[RESULTS_LISTED - 1];
}

static void filter_keep(struct share *s, struct filtered_instance kept)
{
	if (s->full && compare_kept(&kept, &s->last) >= 0)
		return;
	*vector_add(&s->list) = kept;
	if (s->list.n == 2 * RESULTS_LISTED)
		cut(s);
}

/* How many instances ahead records are fetched, which are far apart. */
enum { AHEAD = 16 };

static bool filter_passes(struct share *s, size_t i)
{
	const struct filter *filter = s->all->filter;
	int64_t length = spans_length(s->at.spans, i);
	bool may_hold = length >= filter->least && length <= filter->most;
	uint64_t faults = 0;

	if (filter->exact || !may_hold)
		return may_hold != filter->broken;
	if (filter->records)
		span_binding_fetch(&s->at, i + AHEAD);
	span_binding_bind(&s->at, i);
	return formula_holds(&s->all->condition, &s->at.binding, &faults) != filter->broken;
}

static void let_through(struct share *s, size_t i)
{
	event_id anchor = instances_anchor(s->all->instances, s->at.spans, i);
	double excess = 0;

	s->count++;
	if (s->all->anchors)
		event_set_add(s->all->anchors, anchor);
	if (!s->all->listed)
		return;
	if (s->all->filter->broken) {
		span_binding_bind(&s->at, i);
		excess = check_excess(s->all->filter->condition, &s->at.binding);
	}
	filter_keep(s, (struct filtered_instance){s->at.spans, i, event_id_unit(anchor), excess});
}

/* Returns whether any of a block's instances may pass. */
static bool block_may_pass(const struct filter *s, const struct spans_block *b)
{
	if (!s->broken)
		return b->longest >= s->least && b->shortest <= s->most;
	return !s->exact || b->shortest < s->least || b->longest > s->most;
}

static void sift_blocks(struct share *s, size_t i, size_t end)
{
	for (; i < end; i += SPANS_BLOCK) {
		size_t last = i + SPANS_BLOCK < end ? i + SPANS_BLOCK : end;
		if (!block_may_pass(s->all->filter, &s->at.spans->blocks[i / SPANS_BLOCK]))
			continue;
		for (size_t k = i; k < last; k++)
			if (filter_passes(s, k))
				let_through(s, k);
	}
}

/* Instances between two looks at the task: less than a millisecond. */
enum { STRIDE = 64 * SPANS_BLOCK };

static void sift_spans(struct share *s, const struct spans *spans)
{
	size_t n;

	span_binding_begin(&s->at, spans);
	for (size_t i = 0; i < spans->n && !task_stopped(); i += n) {
		n = spans->n - i < STRIDE ? spans->n - i : STRIDE;
		sift_blocks(s, i, i + n);
		task_step(n);
	}
}

static void sift_thread(void *context, size_t thread, unsigned worker)
{
	const struct sifting *all = context;
	const struct instances *n = all->instances;
	struct share *s = &all->shares[thread];

	(void)worker;
	s->all = all;
	s->at = span_binding_new(n, all->filter->records, all->filter->times);
	for (size_t i = 0; i < n->within[thread].rows.n; i++)
		sift_spans(s, &n->within[thread].rows.at[i]);
	for (size_t i = 0; i < n->across.n; i++)
		if (span_binding_thread(&s->at, &n->across.at[i]) == thread)
			sift_spans(s, &n->across.at[i]);
	if (all->listed)
		cut(s);
}

/* ---- all of them ---- */

static struct result filter_result_of(const struct sifting *s, const struct filtered_instance *k)
{
	int64_t start = event_index_time(s->instances->event_index, spans_earlier(k->spans, k->i));
	int64_t end = start + spans_length(k->spans, k->i);
	bool backwards = s->instances->interval->direction == BACKWARDS;

	return (struct result){.anchor = instances_anchor(s->instances, k->spans, k->i),
			       .time = backwards ? end : start,
			       .start = start,
			       .end = end,
			       .excess = k->excess};
}

static void add_share(struct results *results, struct share *share)
{
	results->count += share->count;
	for (size_t i = 0; i < share->list.n; i++)
		*vector_add(&results->list) = filter_result_of(share->all, &share->list.at[i]);
	free(share->list.at);
}

void filter_run(const struct filter *filter, const struct instances *n, struct results *results,
		struct event_set *anchors)
{
	struct sifting s = {.filter = filter,
			    .instances = n,
			    .anchors = anchors,
			    .listed = results,
			    .shares = array_zero(n->nthreads, sizeof *s.shares)};

	if (!filter->exact)
		s.condition = formula_of(filter->condition);
	task_plan(n->matched);
	parallel_for(n->nthreads, sift_thread, &s);
	for (unsigned t = 0; results && t < n->nthreads; t++)
		add_share(results, &s.shares[t]);
	if (results)
		results_sort(results);
	formula_clear(&s.condition);
	free(s.shares);
}

/* ---- results ---- */

static int compare_results(const void *pa, const void *pb)
{
	const struct result *a = pa, *b = pb;

	if (a->excess != b->excess)
		return a->excess > b->excess ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->anchor > b->anchor) - (a->anchor < b->anchor);
}

void results_sort(struct results *r)
{
	if (r->list.n)
		qsort(r->list.at, r->list.n, sizeof *r->list.at, compare_results);
	r->list.n = r->list.n < RESULTS_LISTED ? r->list.n : RESULTS_LISTED;
}

void results_clear(struct results *r)
{
	free(r->list.at);
}
