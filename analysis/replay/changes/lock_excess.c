#include "analysis/replay/changes/lock_excess.h"
#include "base/sort.h"
#include "base/value_bag.h"
#include "match/stats/significance.h"
#include <stdlib.h>

enum before_hold { GAP_ALONE, GAP_MOVED, GAP_WOKE, NGAPS };

static enum before_hold gap_kind(const struct model *m, size_t hold)
{
	const struct model_hold *h = &m->holds.at[hold];

	if (hold > m->first_hold[h->thread] && h[-1].lock == h->lock && h[-1].wakes)
		return GAP_WOKE;
	return h->moved ? GAP_MOVED : GAP_ALONE;
}

/*
 * Returns for how long a thread ran from its hold before until it came to the lock of this one; -1
 * if it did not run all the time. *stretch: of its timeline, behind which it is.
 */
static int64_t gap_length(const struct model *m, size_t hold, size_t *stretch)
{
	const struct model_hold *h = &m->holds.at[hold], *before = h - 1;
	const struct timeline *l = &m->graph->threads[h->thread];
	int64_t to = hold_arrived(m, h), from;

	if (hold == m->first_hold[h->thread])
		return -1;
	from = before->end <= to ? before->end : before->start;
	while (*stretch + 1 < l->n && l->stretches[*stretch + 1].from <= from)
		++*stretch;
	if (l->stretches[*stretch].activity != ACTIVITY_RUNNING || stretch_end(l, *stretch) < to ||
	    to < from)
		return -1;
	return to - from;
}

static void gaps_collect(const struct model *m, const bool *locks, uint32_t thread,
			 struct value_bag *gaps)
{
	size_t stretch = 0;

	for (size_t i = m->first_hold[thread]; i < m->first_hold[thread + 1]; i++) {
		int64_t length;

		if (!locks[m->holds.at[i].lock])
			continue;
		length = gap_length(m, i, &stretch);
		if (length >= 0)
			value_bag_add(&gaps[NGAPS * hold_class(m, i) + gap_kind(m, i)], length);
	}
}

/* Of fewer values it is asked whether chance explains a difference. */
enum { MANY = 1000 };

static int64_t *bag_sorted(const struct value_bag *b)
{
	int64_t *values = array_new(b->n, sizeof *values);

	value_bag_list(b, values);
	sort_words(values, b->n);
	return values;
}

static bool medians_differ(const struct value_bag *a, const struct value_bag *b)
{
	int64_t *x, *y;
	double p;

	if (!a->n || !b->n || (a->n >= MANY && b->n >= MANY))
		return a->n && b->n;
	x = bag_sorted(a);
	y = bag_sorted(b);
	p = quantile_test(x, a->n, y, b->n, 0.5);
	free(x);
	free(y);
	return p < 0.01;
}

/* Returns by how much the median of gaps is above that of those without contention. */
static int64_t more_than_alone(const struct value_bag *gaps, enum before_hold kind)
{
	const struct value_bag *alone = &gaps[GAP_ALONE], *others = &gaps[kind];
	int64_t more;

	if (!medians_differ(alone, others))
		return 0;
	more = value_bags_quantile(&others, 1, 0.5) - value_bags_quantile(&alone, 1, 0.5);
	return more > 0 ? more : 0;
}

struct lock_excess *lock_excess_of(const struct model *m, const bool *locks)
{
	size_t n = m->set->classes.n;
	struct value_bag *gaps = array_zero(NGAPS * n, sizeof *gaps);
	struct lock_excess *excess = array_zero(n, sizeof *excess);

	for (uint32_t t = 0; t < m->trace->nthreads; t++)
		gaps_collect(m, locks, t, gaps);
	for (size_t i = 0; i < n; i++)
		excess[i] = (struct lock_excess){more_than_alone(&gaps[NGAPS * i], GAP_MOVED),
						 more_than_alone(&gaps[NGAPS * i], GAP_WOKE)};
	for (size_t i = 0; i < NGAPS * n; i++)
		value_bag_free(&gaps[i]);
	free(gaps);
	return excess;
}

int64_t lock_excess_before(const struct model *m, const struct lock_excess *excess, size_t hold)
{
	switch (gap_kind(m, hold)) {
	case GAP_MOVED:
		return excess[hold_class(m, hold)].moved;
	case GAP_WOKE:
		return excess[hold_class(m, hold)].woke;
	default:
		return 0;
	}
}
