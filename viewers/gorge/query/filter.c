#include "viewers/gorge/query/filter.h"
#include "base/parallel.h"
#include "base/task.h"
#include "match/plan/formula.h"
#include "match/stats/check.h"
#include "viewers/gorge/index/binding.h"
#include <stdlib.h>

/* ---- what a condition asks for ---- */

/* Whether it is a comparison of the duration with what is the same for all instances. */
static bool bounds_durations(const struct expr *e)
{
	const struct expr *left = e->left, *right = e->right, *bound;

	if (e->op < EXPR_LT || e->op > EXPR_GE || (left->op == EXPR_DURATION) == (right->op == EXPR_DURATION))
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

/* The last duration for which such a comparison is as it is for 0. */
static int64_t last_alike(const struct expr *e)
{
	bool first = holds_for(e, 0);
	int64_t low = 0, high = INT64_MAX;

	while (low < high) {
		int64_t middle = high - (high - low) / 2;
		if (holds_for(e, middle) == first)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Such a comparison holds from some duration on, or up to one. */
static void bound(struct sieve *s, const struct expr *e)
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

static void narrow(struct sieve *s, const struct expr *e)
{
	if (e->op == EXPR_AND) {
		narrow(s, e->left);
		narrow(s, e->right);
	} else if (bounds_durations(e)) {
		bound(s, e);
	} else {
		s->exact = false;
	}
}

struct sieve sieve_durations(int64_t least, int64_t most)
{
	return (struct sieve){.least = least, .most = most, .exact = true};
}

struct sieve sieve_condition(const struct expr *condition, bool broken)
{
	struct sieve s = sieve_durations(0, INT64_MAX);

	s.condition = condition;
	s.broken = broken;
	s.records = expr_has(condition, EXPR_ATTRIBUTE);
	s.times = expr_has(condition, EXPR_TIME);
	narrow(&s, condition);
	return s;
}

/* ---- the instances with anchors in one thread ---- */

/* One that passed. */
struct kept {
	const struct sheaf *sheaf;
	size_t i;
	uint32_t unit;          /* of the anchor */
	double excess;
};

struct sifting {
	const struct sieve *sieve;
	struct formula condition; /* the sieve's */
	const struct instances *instances;
	struct anchors *anchors;
	bool listed;
	struct share *shares;   /* by thread */
};

/* What one thread's anchors give. The list is cut now and then: last is the last of what it keeps. */
struct share {
	const struct sifting *all;
	uint64_t count;
	VECTOR(struct kept) list;
	bool full;
	struct kept last;
	struct bound at;        /* the sheaf that is gone through */
};

static int compare_kept(const void *pa, const void *pb)
{
	const struct kept *a = pa, *b = pb;

	if (a->excess != b->excess)
		return a->excess > b->excess ? -1 : 1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

static void cut(struct share *s)
{
	if (s->list.n)
		qsort(s->list.at, s->list.n, sizeof *s->list.at, compare_kept);
	if (s->list.n < HITS_LISTED)
		return;
	s->list.n = HITS_LISTED;
	s->full = true;
	s->last = s->list.at[HITS_LISTED - 1];
}

static void keep(struct share *s, struct kept kept)
{
	if (s->full && compare_kept(&kept, &s->last) >= 0)
		return;
	*vector_add(&s->list) = kept;
	if (s->list.n == 2 * HITS_LISTED)
		cut(s);
}

/* So many instances ahead their records are fetched: they lie far apart. */
enum { AHEAD = 16 };

static bool passes(struct share *s, size_t i)
{
	const struct sieve *sieve = s->all->sieve;
	int64_t length = sheaf_length(s->at.sheaf, i);
	bool may_hold = length >= sieve->least && length <= sieve->most;
	uint64_t faults = 0;

	if (sieve->exact || !may_hold)
		return may_hold != sieve->broken;
	if (sieve->records)
		bound_fetch(&s->at, i + AHEAD);
	bound_bind(&s->at, i);
	return formula_holds(&s->all->condition, &s->at.binding, &faults) != sieve->broken;
}

static void let_through(struct share *s, size_t i)
{
	event_id anchor = bound_anchor(&s->at, i);
	double excess = 0;

	s->count++;
	if (s->all->anchors)
		anchors_add(s->all->anchors, anchor);
	if (!s->all->listed)
		return;
	if (s->all->sieve->broken) {
		bound_bind(&s->at, i);
		excess = check_excess(s->all->sieve->condition, &s->at.binding);
	}
	keep(s, (struct kept){s->at.sheaf, i, id_unit(anchor), excess});
}

/* Whether any of a block's instances may pass. */
static bool block_may_pass(const struct sieve *s, const struct sheaf_block *b)
{
	if (!s->broken)
		return b->longest >= s->least && b->shortest <= s->most;
	return !s->exact || b->shortest < s->least || b->longest > s->most;
}

static void sift_blocks(struct share *s, size_t i, size_t end)
{
	for (; i < end; i += SHEAF_BLOCK) {
		size_t last = i + SHEAF_BLOCK < end ? i + SHEAF_BLOCK : end;
		if (!block_may_pass(s->all->sieve, &s->at.sheaf->blocks[i / SHEAF_BLOCK]))
			continue;
		for (size_t k = i; k < last; k++)
			if (passes(s, k))
				let_through(s, k);
	}
}

/* After so many instances it is asked whether to go on: less than a millisecond. */
enum { STRIDE = 64 * SHEAF_BLOCK };

static void sift_sheaf(struct share *s, const struct sheaf *sheaf)
{
	size_t n;

	bound_begin(&s->at, sheaf);
	for (size_t i = 0; i < sheaf->n && !task_stopped(); i += n) {
		n = sheaf->n - i < STRIDE ? sheaf->n - i : STRIDE;
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
	s->at = bound_new(n, all->sieve->records, all->sieve->times);
	for (size_t i = 0; i < n->within[thread].rows.n; i++)
		sift_sheaf(s, &n->within[thread].rows.at[i]);
	for (size_t i = 0; i < n->across.n; i++)
		if (bound_thread(&s->at, &n->across.at[i]) == thread)
			sift_sheaf(s, &n->across.at[i]);
	if (all->listed)
		cut(s);
}

/* ---- all of them ---- */

static struct hit_place hit_of(const struct sifting *s, const struct kept *k)
{
	bool backwards = s->instances->interval->direction == BACKWARDS;
	event_id early = id_make(k->sheaf->from, k->sheaf->start[k->i]),
		 late = id_make(sheaf_to(k->sheaf, k->i), k->sheaf->end[k->i]);
	int64_t start = census_time(s->instances->census, early);
	struct hit_place hit = {
		.told = backwards ? late : early, .start = start,
		.end = start + sheaf_length(k->sheaf, k->i), .excess = k->excess,
	};

	hit.time = backwards ? hit.end : hit.start;
	return hit;
}

static void add_share(struct hits *hits, struct share *share)
{
	hits->count += share->count;
	for (size_t i = 0; i < share->list.n; i++)
		*vector_add(&hits->list) = hit_of(share->all, &share->list.at[i]);
	free(share->list.at);
}

void sieve_run(const struct sieve *sieve, const struct instances *n, struct hits *hits,
	       struct anchors *anchors)
{
	struct sifting s = {.sieve = sieve, .instances = n, .anchors = anchors,
			    .listed = hits,
			    .shares = array_zero(n->nthreads, sizeof *s.shares)};

	if (!sieve->exact)
		s.condition = formula_of(sieve->condition);
	task_plan(n->matched);
	parallel_for(n->nthreads, sift_thread, &s);
	for (unsigned t = 0; hits && t < n->nthreads; t++)
		add_share(hits, &s.shares[t]);
	if (hits)
		hits_settle(hits);
	formula_clear(&s.condition);
	free(s.shares);
}
