#include "viewers/gorge/index/stacking.h"
#include "base/parallel.h"
#include "viewers/gorge/draw/layout.h"
#include "viewers/gorge/index/stacking_merge.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Who stacks makes new sheaves beside the old ones, which others may read, and only replaces them under the lock. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t sheaves = PTHREAD_RWLOCK_INITIALIZER;

void stacks_hold(void)
{
	pthread_rwlock_rdlock(&sheaves);
}

void stacks_release(void)
{
	pthread_rwlock_unlock(&sheaves);
}

/* What is done for all threads. */
struct stacking {
	const struct census *census;
	struct instances *const *set;
	unsigned n, rows;
	uint64_t number;
};

/* A thread while it is stacked: in the order of the merge, from where an instance comes, and where it goes. */
struct thread {
	const struct stacking *all;
	unsigned index, members, depth;
	uint64_t deep;
	size_t total;
	uint16_t *feeds;
	uint8_t *rows;
	size_t *counts;         /* of each interval in each row */
};

static unsigned row_for(const int64_t *ends, unsigned rows, int64_t start, uint64_t *deep)
{
	for (unsigned row = 0; row < rows; row++)
		if (ends[row] <= start)
			return row;
	++*deep;
	return rows - 1;
}

static void assign_rows(struct thread *t, struct merging *m)
{
	unsigned rows = t->all->rows;
	int64_t *ends = array_zero(rows, sizeof *ends);

	for (unsigned row = 0; row < rows; row++)
		ends[row] = INT64_MIN;
	merging_begin(m);
	for (size_t n = 0; m->left; n++) {
		const struct feed *f = m->order[0];
		unsigned row = row_for(ends, rows, f->start, &t->deep);
		int64_t end = f->start + f->length;
		ends[row] = end > ends[row] ? end : ends[row];
		t->depth = row + 1 > t->depth ? row + 1 : t->depth;
		t->counts[f->key * rows + row]++;
		t->rows[n] = (uint8_t)row;
		t->feeds[n] = (uint16_t)(f - m->feeds);
		merging_step(m);
	}
	free(ends);
}

/* By interval and row. */
static struct sheaf *part_rows(const struct thread *t, struct merging *m)
{
	size_t n = (size_t)t->all->n * t->all->rows;
	struct sheaf *parts = array_zero(n, sizeof *parts);

	for (size_t i = 0; i < n; i++)
		if (t->counts[i]) {
			parts[i] = sheaf_settled(t->index, t->index, t->counts[i]);
			parts[i].row = (unsigned)(i % t->all->rows);
		}
	for (unsigned i = 0; i < m->n; i++)
		m->feeds[i].i = 0;
	for (size_t i = 0; i < t->total; i++) {
		struct feed *f = &m->feeds[t->feeds[i]];
		struct straw straw = sheaf_get(f->sheaf, f->i);
		straw.time = f->starts[f->i];
		sheaf_append(&parts[f->key * t->all->rows + t->rows[i]], straw);
		f->i++;
	}
	return parts;
}

/* Whether the sheaves are the rows already: then they only have to be told. */
static bool are_rows(const struct thread *t)
{
	const struct stacking *all = t->all;

	for (unsigned key = 0; key < all->n; key++) {
		const struct within *w = &all->set[key]->within[t->index];
		if (w->rows.n > 1 || (w->rows.n && t->counts[key * all->rows] != w->rows.at[0].n))
			return false;
	}
	return true;
}

/* What an interval has in the thread from now on; parts: its rows, or NULL, if they are as they were. */
static struct within within_new(const struct thread *t, unsigned key, const struct sheaf *parts)
{
	struct within w = {.rows = t->all->set[key]->within[t->index].rows, .stack = t->all->number,
			   .limit = t->all->rows, .members = t->members, .place = key,
			   .depth = t->depth, .deep = t->deep};

	if (!parts)
		return w;
	memset(&w.rows, 0, sizeof w.rows);
	for (unsigned row = 0; row < t->all->rows; row++)
		if (parts[row].n)
			*vector_add(&w.rows) = parts[row];
	return w;
}

/* For as long as it takes to say where the new ones are nobody reads them. */
static void replace(const struct thread *t, const struct sheaf *parts)
{
	const struct stacking *all = t->all;
	struct within *now = array_zero(all->n, sizeof *now);

	for (unsigned key = 0; key < all->n; key++)
		now[key] = within_new(t, key, parts ? parts + key * all->rows : NULL);
	pthread_rwlock_wrlock(&sheaves);
	for (unsigned key = 0; key < all->n; key++) {
		struct within *w = &all->set[key]->within[t->index], before = *w;
		if (!parts && w->rows.n)
			w->rows.at[0].row = 0;
		*w = now[key];
		now[key] = before;
	}
	pthread_rwlock_unlock(&sheaves);
	for (unsigned key = 0; parts && key < all->n; key++)
		within_free(&now[key]);
	free(now);
}

static struct merging feeds_of(struct thread *t)
{
	const struct stacking *all = t->all;
	struct merging m = merging_new(all->n * all->rows);

	for (unsigned key = 0; key < all->n; key++) {
		const struct within *w = &all->set[key]->within[t->index];
		t->members += w->rows.n > 0;
		for (size_t i = 0; i < w->rows.n; i++) {
			merging_add(&m, &w->rows.at[i], key, all->census);
			t->total += w->rows.at[i].n;
		}
	}
	return m;
}

static void stack_thread(void *context, size_t index, unsigned worker)
{
	const struct stacking *all = context;
	struct thread t = {.all = all, .index = (unsigned)index};
	struct merging m;
	struct sheaf *parts;

	(void)worker;
	if (stacks_agree(all->set, all->n, t.index, all->rows))
		return;
	m = feeds_of(&t);
	t.feeds = array_zero(t.total, sizeof *t.feeds);
	t.rows = array_zero(t.total, sizeof *t.rows);
	t.counts = array_zero((size_t)all->n * all->rows, sizeof *t.counts);
	assign_rows(&t, &m);
	parts = are_rows(&t) ? NULL : part_rows(&t, &m);
	merging_end(&m);
	replace(&t, parts);
	free(parts);
	free(t.feeds);
	free(t.rows);
	free(t.counts);
}

void stacks_make(const struct census *c, struct instances *const *set, unsigned n)
{
	static uint64_t number;
	struct stacking all = {.census = c, .set = set, .n = n, .rows = stacks_rows(census_trace(c))};

	pthread_mutex_lock(&making);
	all.number = ++number;
	parallel_for(census_trace(c)->nthreads, stack_thread, &all);
	pthread_mutex_unlock(&making);
}

void stacks_pause(void)
{
	pthread_mutex_lock(&making);
}

void stacks_resume(void)
{
	pthread_mutex_unlock(&making);
}

unsigned stacks_rows(const struct trace *t)
{
	return density_for(t->nthreads)->rows;
}

bool stacks_agree(struct instances *const *set, unsigned n, unsigned thread, unsigned rows)
{
	const struct within *last = NULL;
	unsigned members = 0;

	for (unsigned key = 0; key < n; key++) {
		const struct within *w = &set[key]->within[thread];
		if (!w->rows.n)
			continue;
		if (!w->stack || w->limit != rows || (last && (w->stack != last->stack || w->place <= last->place)))
			return false;
		last = w;
		members++;
	}
	return !last || last->members == members;
}

bool stacks_made(const struct census *c, struct instances *const *set, unsigned n)
{
	const struct trace *t = census_trace(c);
	unsigned rows = stacks_rows(t), thread = 0;

	stacks_hold();
	while (thread < t->nthreads && stacks_agree(set, n, thread, rows))
		thread++;
	stacks_release();
	return thread == t->nthreads;
}
