#include "analysis/heap/lifetimes.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/spill.h"
#include "match/join/match.h"
#include <stdlib.h>

/* ---- from the engine ---- */

static void end_set(struct lifetimes *l, size_t start, size_t end)
{
	uint32_t *is = &l->end_of[start];

	/* of several the first: only backwards an event has several anchors */
	if (*is >= LIFE_NONE || end < *is)
		*is = (uint32_t)end;
	if (__atomic_exchange_n(&l->ends_are[end], END_USED, __ATOMIC_RELAXED) >= END_USED)
		__atomic_store_n(&l->ends_are[end], END_SHARED, __ATOMIC_RELAXED);
}

struct lifetimes_context {
	struct lifetimes *lifetimes;
	const struct matches *matches;
	const struct moments *starts, *ends;
};

static void starts_open(void *context, size_t from, size_t to)
{
	const struct lifetimes_context *x = context;

	for (size_t i = from; i < to; i++)
		x->lifetimes->end_of[moments_place(x->starts, i)] = LIFE_OPEN;
}

static void ends_unused(void *context, size_t from, size_t to)
{
	const struct lifetimes_context *x = context;

	for (size_t i = from; i < to; i++)
		x->lifetimes->ends_are[moments_place(x->ends, i)] = END_UNUSED;
}

static void pairs_take(void *context, size_t from, size_t to)
{
	const struct lifetimes_context *x = context;
	const struct matches *m = x->matches;
	bool forwards = x->starts == &m->anchors;

	for (size_t i = from; i < to; i++) {
		size_t anchor = moments_place(&m->anchors, i), partner;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		partner = moments_place(&m->partners, m->partner_of[i]);
		end_set(x->lifetimes, forwards ? anchor : partner, forwards ? partner : anchor);
	}
}

static void matches_take(struct lifetimes *l, const struct matches *m)
{
	bool forwards = l->role->interval->direction == FORWARDS;
	struct lifetimes_context x = {l, m, forwards ? &m->anchors : &m->partners,
				      forwards ? &m->partners : &m->anchors};

	parallel_chunks(x.starts->count, starts_open, &x);
	parallel_chunks(x.ends->count, ends_unused, &x);
	/* backwards several may be of one start */
	if (forwards)
		parallel_chunks(m->count, pairs_take, &x);
	else
		pairs_take(&x, 0, m->count);
}

/* ---- process by process ---- */

static const struct event_list *list_of(struct trace *t, const struct event_type *type)
{
	const struct event_list *l = trace_events(t, type);

	if (!l)
		array_exhausted();
	return l;
}

/* Whether an expression depends on an end of the interval, by its side, or on both. */
static bool depends(const struct expr *e, enum side side)
{
	bool leaf;

	if (!e)
		return false;
	leaf = expr_is_of_side(e->op);
	return e->op == EXPR_DURATION || (leaf && e->side == side) || depends(e->left, side) ||
	       depends(e->right, side);
}

/* What a condition says of one end alone: whether it says anything, or whether that is so. */
static bool says_of(const struct expr *e, enum side side)
{
	if (e->op == EXPR_AND)
		return says_of(e->left, side) || says_of(e->right, side);
	return depends(e, side) && !depends(e, !side);
}

static bool holds_of(const struct expr *e, enum side side, const struct binding *b)
{
	uint64_t faults = 0;

	if (e->op == EXPR_AND)
		return holds_of(e->left, side, b) && holds_of(e->right, side, b);
	return !says_of(e, side) || expr_holds(e, b, &faults);
}

static bool is_wanted(const struct lifetimes *l, const struct event_list *list,
		      const struct role_end *end, bool says, size_t i, uint32_t process)
{
	struct binding b = {0};
	struct event e;

	if (l->process_of[lifetimes_thread(list, i)] != process)
		return false;
	if (!says)
		return true;
	entry_look(list, i, &e);
	b.side[end->side] = event_operand(l->trace, &e);
	return holds_of(l->role->interval->condition, end->side, &b);
}

/*
 * The events of a process of which the condition may hold; picks are given to the engine, which
 * frees them.
 */
static struct moments moments_of(const struct lifetimes *l, const struct event_list *list,
				 const struct role_end *end, uint32_t process)
{
	bool says = says_of(l->role->interval->condition, end->side);
	struct moments m = {.trace = l->trace, .list = list};
	size_t n = event_list_size(list);

	if (l->trace->nprocesses <= 1 && !says) {
		m.count = n;
		return m;
	}
	m.pick = array_new(n, sizeof *m.pick);
	for (size_t i = 0; i < n; i++)
		if (is_wanted(l, list, end, says, i, process))
			m.pick[m.count++] = (uint32_t)i;
	m.pick = array_resize(m.pick, m.count, sizeof *m.pick);
	return m;
}

static void process_match(struct lifetimes *l, uint32_t process)
{
	bool forwards = l->role->interval->direction == FORWARDS;
	struct interval interval = *l->role->interval;
	struct moments starts = moments_of(l, l->starts, &l->role->start, process);
	struct moments ends = moments_of(l, l->ends, &l->role->end, process);
	struct matches *m;

	/* an end is that of the latest life: never that of one before, whose own is unseen */
	interval.nested = false;
	m = match_moments(&interval, forwards ? starts : ends, forwards ? ends : starts);
	matches_take(l, m);
	matches_free(m);
}

static uint32_t *processes_of_threads(const struct trace *t)
{
	uint32_t *process_of = array_zero(t->nthreads + 1, sizeof *process_of);

	for (unsigned i = 0; i < t->nprocesses; i++)
		for (uint32_t k = 0; k < t->processes[i].nthreads; k++)
			process_of[t->processes[i].first_thread + k] = i;
	return process_of;
}

static void starts_none(void *context, size_t from, size_t to)
{
	struct lifetimes *l = context;

	for (size_t i = from; i < to; i++)
		l->end_of[i] = LIFE_NONE;
}

struct lifetimes *lifetimes_find(struct trace *t, const struct role *role)
{
	struct lifetimes *l = array_zero(1, sizeof *l);

	l->trace = t;
	l->role = role;
	trace_announce(t, role->start.event);
	trace_announce(t, role->end.event);
	l->starts = list_of(t, role->start.event);
	l->ends = list_of(t, role->end.event);
	l->nstarts = event_list_size(l->starts);
	l->nends = event_list_size(l->ends);
	l->process_of = processes_of_threads(t);
	l->end_of = spill_new(l->nstarts, sizeof *l->end_of);
	parallel_chunks(l->nstarts, starts_none, l);
	l->ends_are = spill_zero(l->nends, sizeof *l->ends_are);
	for (uint32_t i = 0; i < t->nprocesses || i == 0; i++)
		process_match(l, i);
	lifetimes_find_unseen(l);
	return l;
}

void lifetimes_free(struct lifetimes *l)
{
	spill_free(l->end_of);
	spill_free(l->ends_are);
	free(l->process_of);
	free(l->unseen);
	free(l);
}
