#include "analysis/locks/locks.h"
#include "analysis/activity/instance_set.h"
#include "analysis/activity/on_time.h"
#include "analysis/graph/critical_path.h"
#include "analysis/graph/graph.h"
#include "base/parallel.h"
#include "base/sort.h"
#include <stdlib.h>

bool spec_has_locks(const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (spec->intervals[i]->kind == KIND_HOLD ||
		    interval_waits_for_thread(spec->intervals[i]))
			return true;
	return false;
}

static void thread_make(void *context, size_t i, unsigned worker)
{
	struct locks *l = context;

	(void)worker;
	lock_walk(&l->threads[i], &l->sources, &l->names, &l->causes, (uint32_t)i, &l->part,
		  l->path, l->set);
}

/* ---- rows ---- */

/* Times of a lock, until they are put together. */
struct lock_time_parts {
	VECTOR(const struct value_bag *) parts;
};

static void times_add(struct lock_times *to, struct lock_time_parts *g, const struct lock_tally *t)
{
	to->n += t->times.n;
	to->open += t->open;
	to->total += t->total;
	if (t->max > to->max)
		to->max = t->max;
	*vector_add(&g->parts) = &t->times;
}

static void times_finish(struct lock_times *to, struct lock_time_parts *g)
{
	if (to->n)
		to->p99 = value_bags_quantile(g->parts.at, g->parts.n, 0.99);
	free(g->parts.at);
}

/* A wait for a lock. */
struct wait_span {
	int64_t start, end;
};

static int span_order(const void *a, const void *b)
{
	const struct wait_span *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void convoy_take(struct lock_convoy *longest, const struct lock_convoy *c)
{
	if (c->waits && c->to - c->from > longest->to - longest->from)
		*longest = *c;
}

/* Finds the longest convoy among waits for one lock, by their starts. */
static struct lock_convoy convoy_find(const struct wait_span *waits, size_t n)
{
	struct lock_convoy longest = {0}, c = {0};
	int64_t *ends = array_new(n, sizeof *ends);
	size_t ended = 0;

	for (size_t i = 0; i < n; i++)
		ends[i] = waits[i].end;
	sort_words(ends, n);
	for (size_t i = 0; i < n; i++) {
		while (ended < i && ends[ended] <= waits[i].start)
			ended++;
		if (ended == i) {
			convoy_take(&longest, &c);
			c = (struct lock_convoy){.from = waits[i].start, .to = waits[i].end};
		}
		c.waits++;
		if (waits[i].end > c.to)
			c.to = waits[i].end;
		if (i + 1 - ended > c.most)
			c.most = (uint32_t)(i + 1 - ended);
	}
	convoy_take(&longest, &c);
	free(ends);
	return longest;
}

/* Rows that are made, each by itself. */
struct row_making {
	struct lock_row *rows;
	struct lock_time_parts *parts; /* by lock: of waits, of holds */
	struct wait_span *waits;       /* by lock */
	size_t *first;                 /* by lock, and one more */
};

/* Sorts the waits by locks, those of each as the threads have them. */
static void waits_gather(const struct locks *l, struct row_making *m)
{
	size_t nlocks = l->names.locks.n, n = 0;
	size_t *next = array_zero(nlocks + 1, sizeof *next);

	for (unsigned t = 0; t < l->trace->nthreads; t++)
		for (size_t i = 0; i < l->threads[t].waits.n; i++)
			next[l->threads[t].waits.at[i].lock]++;
	m->first = array_new(nlocks + 1, sizeof *m->first);
	for (size_t i = 0; i <= nlocks; i++) {
		m->first[i] = n;
		n += next[i];
		next[i] = m->first[i];
	}
	m->waits = array_new(n, sizeof *m->waits);
	for (unsigned t = 0; t < l->trace->nthreads; t++)
		for (size_t i = 0; i < l->threads[t].waits.n; i++) {
			const struct lock_wait *w = &l->threads[t].waits.at[i];

			m->waits[next[w->lock]++] = (struct wait_span){w->start, w->end};
		}
	free(next);
}

static void row_finish(void *context, size_t i, unsigned worker)
{
	const struct row_making *m = context;
	struct lock_row *row = &m->rows[i];
	struct wait_span *waits = m->waits + m->first[i];
	size_t n = m->first[i + 1] - m->first[i];
	uint64_t got;

	(void)worker;
	row->lock = (uint32_t)i;
	times_finish(&row->wait, &m->parts[2 * i]);
	times_finish(&row->hold, &m->parts[2 * i + 1]);
	row->contended = row->wait.n;
	got = row->wait.n - row->wait.open - row->vain;
	if (!row->hold.n)
		row->acquisitions += got;
	else /* the hold of a wait may be beyond the part, or lost */
		row->acquisitions = row->hold.n > got ? row->hold.n : got;
	row->acquisitions += row->counted;
	if (!n)
		return;
	qsort(waits, n, sizeof *waits, span_order);
	row->convoy = convoy_find(waits, n);
}

static int row_order(const void *a, const void *b, void *context)
{
	const struct lock_row *x = a, *y = b;
	const struct lock *locks = context;
	const struct lock *p = &locks[x->lock], *q = &locks[y->lock];

	/* sleeps have no object and cannot be fixed */
	if ((p->attribute < 0) != (q->attribute < 0))
		return p->attribute < 0 ? 1 : -1;
	if (x->wait.total != y->wait.total)
		return x->wait.total > y->wait.total ? -1 : 1;
	if (x->hold.total != y->hold.total)
		return x->hold.total > y->hold.total ? -1 : 1;
	return lock_compare(p, q);
}

static void inversion_add(const struct locks *l, struct lock_inversions *v,
			  const struct lock_wait *w)
{
	const struct lock_cause *c = &l->causes.all[w->cause];
	int64_t urgent = walked_priority(&l->threads[w->thread], w->end);
	int64_t less = walked_priority(&l->threads[c->holder], c->released);

	if (urgent <= less)
		return;
	v->waits++;
	v->total += w->end - w->start;
	if (w->end - w->start < v->max)
		return;
	v->max = w->end - w->start;
	v->waiter = w->thread;
	v->holder = c->holder;
	v->urgent = urgent;
	v->less = less;
}

static bool has_priorities(const struct locks *l)
{
	for (unsigned t = 0; t < l->trace->nthreads; t++)
		if (l->threads[t].priorities.n)
			return true;
	return false;
}

static void inversions_find(struct locks *l, struct lock_row *rows)
{
	if (!has_priorities(l))
		return;
	for (unsigned t = 0; t < l->trace->nthreads; t++)
		for (size_t i = 0; i < l->threads[t].waits.n; i++) {
			const struct lock_wait *w = &l->threads[t].waits.at[i];

			if (w->cause != NO_CAUSE)
				inversion_add(l, &rows[w->lock].inversions, w);
		}
}

/* ---- when holds were logged ---- */

/* Locks with this kind of name have holds that were logged then. */
struct logged_kind {
	const char *kind;
	struct on_time on;
};

static struct on_time holds_on(const struct locks *l, const char *kind)
{
	struct on_time on = on_time_all(l->trace);

	for (unsigned i = 0; i < l->sources.n; i++) {
		const struct role *r = &l->sources.at[i].role;
		const char *name =
		    r->start.object < 0 ? "" : r->start.event->attributes[r->start.object].name;

		if (l->sources.at[i].hold && strcmp(name, kind) == 0)
			on_time_cut(&on, l->trace, r);
	}
	return on;
}

static void row_know(const struct locks *l, struct lock_row *row, const struct on_time *on,
		     const struct wait_span *waits, size_t n)
{
	int64_t from = 0, to = l->trace->duration;

	if (!lock_part_cut(&(struct lock_part){l->part.from, l->part.to, NULL}, 0, &from, &to))
		return;
	row->logged = to - from;
	row->contended_logged = row->contended;
	if (!row->hold.n || on_time_within(on, from, to) == row->logged)
		return;
	row->logged = on_time_within(on, from, to);
	row->contended_logged = 0;
	for (size_t i = 0; i < n; i++)
		row->contended_logged += on_time_has(on, waits[i].end);
}

/* There are few kinds, and many locks. */
static void rows_know(const struct locks *l, struct row_making *m)
{
	VECTOR(struct logged_kind) kinds = {0};

	for (size_t i = 0; i < l->names.locks.n; i++) {
		const char *kind = l->names.locks.at[i].kind;
		size_t k = 0;

		while (k < kinds.n && strcmp(kinds.at[k].kind, kind))
			k++;
		if (k == kinds.n)
			*vector_add(&kinds) = (struct logged_kind){kind, holds_on(l, kind)};
		row_know(l, &m->rows[i], &kinds.at[k].on, m->waits + m->first[i],
			 m->first[i + 1] - m->first[i]);
	}
	for (size_t k = 0; k < kinds.n; k++)
		on_time_free(&kinds.at[k].on);
	free(kinds.at);
}

/* What threads wait for that is a thread is no row. */
static void rows_choose(struct locks *l, const struct lock_row *rows)
{
	l->rows = array_new(l->names.locks.n, sizeof *l->rows);
	for (size_t i = 0; i < l->names.locks.n; i++)
		if (!l->names.locks.at[i].is_thread && rows[i].wait.n + rows[i].acquisitions)
			l->rows[l->nrows++] = rows[i];
	qsort_r(l->rows, l->nrows, sizeof *l->rows, row_order, l->names.locks.at);
}

/* Whether some event says of such an object that it was taken without waiting. */
static bool has_takes(const struct locks *l, const struct lock *lock)
{
	const struct spec *spec = l->trace->spec;

	for (unsigned i = 0; i < spec->nevents; i++) {
		int taken = spec->events[i]->takes_attribute;

		if (spec->events[i]->counts_attribute >= 0 && !l->trace->events_of_type[i])
			continue;
		if (taken >= 0 && strcmp(spec->events[i]->attributes[taken].name, lock->kind) == 0)
			return true;
	}
	return false;
}

/*
 * What releases that end waits take longer than the others: by medians, as what comes after the
 * call counts, too.
 */
static int64_t release_overhead(const struct lock_tally *t)
{
	const struct value_bag *handover = &t->after_handover, *other = &t->after_release;
	int64_t more;

	if (!handover->n || !other->n)
		return 0;
	more = value_bags_quantile(&handover, 1, 0.5) - value_bags_quantile(&other, 1, 0.5);
	return more > 0 ? more * (int64_t)handover->n : 0;
}

static void tally_count(struct lock_row *row, const struct walked_locks *thread,
			const struct lock_tally *t)
{
	row->acquisitions += t->takes;
	row->counted += t->counted;
	row->vain += t->vain;
	row->missed += t->missed;
	row->path += t->path;
	row->overhead_known &= thread->states_known;
	row->overhead += t->ran + release_overhead(t);
	row->free_known |= t->hold;
}

static void rows_make(struct locks *l)
{
	size_t n = l->names.locks.n;
	struct lock_row *rows = array_zero(n, sizeof *rows);
	struct lock_time_parts *parts = array_zero(2 * n, sizeof *parts);
	struct row_making making = {.rows = rows, .parts = parts};

	for (size_t i = 0; i < n; i++) {
		rows[i].overhead_known = true;
		rows[i].free_known = has_takes(l, &l->names.locks.at[i]);
	}
	for (unsigned t = 0; t < l->trace->nthreads; t++)
		for (size_t i = 0; i < l->threads[t].tallies.n; i++) {
			const struct lock_tally *x = &l->threads[t].tallies.at[i];
			struct lock_row *row = &rows[x->lock];

			times_add(x->hold ? &row->hold : &row->wait, &parts[2 * x->lock + x->hold],
				  x);
			tally_count(row, &l->threads[t], x);
		}
	waits_gather(l, &making);
	parallel_for(n, row_finish, &making);
	rows_know(l, &making);
	inversions_find(l, rows);
	rows_choose(l, rows);
	free(making.waits);
	free(making.first);
	free(rows);
	free(parts);
}

/* ---- who made whom wait ---- */

struct lock_blame_table {
	struct locks *locks;
	struct hash_table known;
	size_t room;
};

static void blame_add(struct lock_blame_table *b, const struct lock_wait *w)
{
	struct locks *l = b->locks;
	const struct lock_cause *c = w->cause == NO_CAUSE ? NULL : &l->causes.all[w->cause];
	struct lock_blame blame = {.lock = w->lock,
				   .waiter = w->site,
				   .caused = c,
				   .holder = c ? c->site : NO_SITE,
				   .held = c && c->held};
	struct hash_slot *slot =
	    hash_table_slot(&b->known, hash_mix((uint64_t)blame.waiter << 32 | blame.holder),
			    (uint64_t)blame.lock << 2 | (uint64_t)blame.held << 1 | blame.caused);
	struct lock_blame *row;

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)l->nblames;
		l->blames = vector_grow(l->blames, l->nblames, &b->room, sizeof *l->blames);
		l->blames[l->nblames++] = blame;
	}
	row = &l->blames[slot->head];
	row->waits++;
	row->total += w->end - w->start;
	if (w->end - w->start > row->max)
		row->max = w->end - w->start;
}

static int blame_order(const void *a, const void *b, void *context)
{
	const struct lock_blame *x = a, *y = b;
	const struct lock *locks = context;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->lock != y->lock)
		return lock_compare(&locks[x->lock], &locks[y->lock]);
	if (x->waiter != y->waiter)
		return x->waiter < y->waiter ? -1 : 1;
	return (x->holder > y->holder) - (x->holder < y->holder);
}

static void blames_make(struct locks *l)
{
	struct lock_blame_table b = {.locks = l};

	for (unsigned t = 0; t < l->trace->nthreads; t++)
		for (size_t i = 0; i < l->threads[t].waits.n; i++) {
			const struct lock_wait *w = &l->threads[t].waits.at[i];
			const struct lock *lock = &l->names.locks.at[w->lock];

			if (!lock->is_thread && lock->attribute >= 0)
				blame_add(&b, w);
		}
	if (l->nblames)
		qsort_r(l->blames, l->nblames, sizeof *l->blames, blame_order, l->names.locks.at);
	hash_table_free(&b.known);
}

/* ---- all ---- */

struct locks *locks_of(struct trace *t, const struct lock_part *part, bool path)
{
	struct locks *l = array_zero(1, sizeof *l);
	struct instance_set *set;

	l->trace = t;
	l->part = *part;
	lock_sources_open(&l->sources, t);
	lock_register_open(&l->names, t, l->sources.lives, l->sources.nlives);
	if (path)
		graph_announce(t);
	set = instance_set_of(t, path ? graph_spans(t) : 0, NULL, 0);
	l->set = set;
	l->path = path ? critical_path_part_of(set) : NULL;
	lock_causes_take(&l->causes, &set->causes, &l->sources);
	l->threads = array_zero(t->nthreads, sizeof *l->threads);
	parallel_for(t->nthreads, thread_make, l);
	lock_causes_sites(&l->causes, &l->names);
	instance_set_free(set);
	l->set = NULL;
	lock_register_name(&l->names);
	for (unsigned i = 0; i < t->nthreads; i++)
		l->unbegun += l->threads[i].unbegun;
	rows_make(l);
	blames_make(l);
	lock_order_find(&l->order, l->threads, t->nthreads, (uint32_t)l->names.locks.n);
	lock_hang_find(&l->hang, l->threads, t->nthreads, &l->sources);
	return l;
}

void locks_free(struct locks *l)
{
	lock_hang_free(&l->hang);
	lock_order_free(&l->order);
	for (unsigned i = 0; i < l->trace->nthreads; i++)
		walked_locks_free(&l->threads[i]);
	free(l->threads);
	free(l->rows);
	free(l->blames);
	lock_causes_free(&l->causes);
	if (l->path)
		span_subset_free(l->path);
	lock_register_close(&l->names);
	lock_sources_close(&l->sources);
	free(l);
}
