#include "viewers/gorge/index/stacking.h"
#include "base/parallel.h"
#include "base/search.h"
#include <pthread.h>
#include <stdlib.h>

/*
 * New spans are made under the first lock, beside the old ones; the old ones are replaced under the
 * second.
 */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t held = PTHREAD_RWLOCK_INITIALIZER;

void stacking_hold(void)
{
	pthread_rwlock_rdlock(&held);
}

void stacking_release(void)
{
	pthread_rwlock_unlock(&held);
}

void stacking_pause(void)
{
	pthread_mutex_lock(&making);
}

void stacking_resume(void)
{
	pthread_mutex_unlock(&making);
}

/*
 * ---- the instances of a thread in the order of their starts, at one time the longest first ----
 */

/* Spans while those of a thread are merged. */
struct feed {
	const struct spans *spans;
	unsigned key;
	size_t i;              /* the next instance */
	int64_t *starts;       /* times of all */
	int64_t start, length; /* of the next one */
};

/* The feeds that have instances left, in the order of their next ones. */
struct span_merge {
	struct feed *feeds, **order;
	unsigned n, left;
};

static bool starts_before(const struct feed *a, const struct feed *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	if (a->length != b->length)
		return a->length > b->length;
	if (a->key != b->key)
		return a->key < b->key;
	return a->spans->start[a->i] < b->spans->start[b->i];
}

/* Moves the feed at place i of the order, which may be too early, to where it belongs. */
static void merge_settle(struct span_merge *m, unsigned i)
{
	struct feed *f = m->order[i];

	for (; i + 1 < m->left && starts_before(m->order[i + 1], f); i++)
		m->order[i] = m->order[i + 1];
	m->order[i] = f;
}

static void feed_look(struct feed *f)
{
	f->start = f->starts[f->i];
	f->length = spans_length(f->spans, f->i);
}

static void merge_begin(struct span_merge *m)
{
	m->left = m->n;
	for (unsigned i = m->n; i-- > 0;) {
		feed_look(&m->feeds[i]);
		m->order[i] = &m->feeds[i];
		merge_settle(m, i);
	}
}

/* Passes the next instance of order[0]. */
static void merge_step(struct span_merge *m)
{
	struct feed *first = m->order[0];

	if (++first->i < first->spans->n) {
		feed_look(first);
		merge_settle(m, 0);
	} else if (--m->left) {
		memmove(m->order, m->order + 1, m->left * sizeof(struct feed *));
	}
}

static void merge_end(struct span_merge *m)
{
	for (unsigned i = 0; i < m->n; i++)
		free(m->feeds[i].starts);
	free(m->feeds);
	free(m->order);
}

/* ---- stacking ---- */

/* What is done for all threads: a band of their lanes. */
struct stacking {
	const struct event_index *events;
	struct instances *const *set;
	enum band band;
	unsigned n, limit;
	uint64_t number;
};

/* A thread while it is stacked; arrays are in the order of the merge. */
struct stacked_thread {
	const struct stacking *all;
	unsigned index, members, depth;
	uint64_t deep;
	size_t total;
	uint16_t *feeds, *rows;
	size_t *counts; /* of each interval in each row */
};

/* What a row of a thread was taken for last. */
struct row_taken {
	int64_t start, end;
};

/* The rows of a thread; of calls, those that are open. */
struct row_ends {
	VECTOR(struct row_taken) at;
};

/* What has no length is not in the way of what begins at its moment, nor that of it. */
static bool is_taken(const struct row_taken *r, int64_t start, int64_t end)
{
	return r->end > start && (end > start || r->start < start);
}

/* Takes the first row that is free, or the last one. */
static size_t free_row(struct row_ends *ends, unsigned limit, int64_t start, int64_t end)
{
	struct row_taken *r = ends->at.at;
	size_t row = 0, n = ends->at.n;

	while (row < n && is_taken(&r[row], start, end))
		row++;
	if (row == n && row < limit)
		*vector_add(&ends->at) = (struct row_taken){start, end};
	else if (row == n)
		r[limit - 1].end = end > r[limit - 1].end ? end : r[limit - 1].end;
	else if (end > r[row].end)
		r[row] = (struct row_taken){start, end};
	return row;
}

/* Takes the row below the calls that have not returned, however many. */
static size_t call_row(struct row_ends *ends, int64_t start, int64_t end)
{
	while (ends->at.n && ends->at.at[ends->at.n - 1].end <= start)
		ends->at.n--;
	*vector_add(&ends->at) = (struct row_taken){start, end};
	return ends->at.n - 1;
}

static void assign_rows(struct stacked_thread *t, struct span_merge *m)
{
	unsigned limit = t->all->limit;
	struct row_ends ends = {0};

	merge_begin(m);
	for (size_t n = 0; m->left; n++) {
		const struct feed *f = m->order[0];
		int64_t end = f->start + f->length;
		size_t row = t->all->band == BAND_CALLS ? call_row(&ends, f->start, end)
							: free_row(&ends, limit, f->start, end);
		t->deep += row >= limit;
		row = row < limit ? row : limit - 1;
		t->depth = row + 1 > t->depth ? (unsigned)row + 1 : t->depth;
		t->rows[n] = (uint16_t)row;
		t->feeds[n] = (uint16_t)(f - m->feeds);
		merge_step(m);
	}
	free(ends.at.at);
}

static void count_rows(struct stacked_thread *t, const struct span_merge *m)
{
	t->counts = array_zero((size_t)t->all->n * t->depth + 1, sizeof *t->counts);
	for (size_t i = 0; i < t->total; i++)
		t->counts[m->feeds[t->feeds[i]].key * t->depth + t->rows[i]]++;
}

/* Returns the new spans, by interval and row. */
static struct spans *make_rows(const struct stacked_thread *t, struct span_merge *m)
{
	unsigned depth = t->depth;
	size_t n = (size_t)t->all->n * depth;
	struct spans *rows = array_zero(n, sizeof *rows);

	for (size_t i = 0; i < n; i++)
		if (t->counts[i]) {
			rows[i] = spans_new_sorted(t->index, t->index, t->counts[i]);
			rows[i].row = (unsigned)(i % depth);
		}
	for (unsigned i = 0; i < m->n; i++)
		m->feeds[i].i = 0;
	for (size_t i = 0; i < t->total; i++) {
		struct feed *f = &m->feeds[t->feeds[i]];
		struct spans_entry entry = spans_get(f->spans, f->i);
		entry.time = f->starts[f->i];
		spans_append(&rows[f->key * depth + t->rows[i]], entry);
		f->i++;
	}
	return rows;
}

/* Returns whether the spans are the rows already, so that only their stacking has to be noted. */
static bool are_rows(const struct stacked_thread *t)
{
	const struct stacking *all = t->all;

	for (unsigned key = 0; key < all->n; key++) {
		const struct thread_spans *w = &all->set[key]->within[t->index];
		if (w->rows.n > 1 || (w->rows.n && t->counts[key * t->depth] != w->rows.at[0].n))
			return false;
	}
	return true;
}

/*
 * Returns the spans of a thread in rows; rows: of all intervals, or NULL if they stay as they are.
 */
static struct thread_spans stacked_spans(const struct stacked_thread *t, unsigned key,
					 const struct spans *rows)
{
	struct thread_spans w = {.rows = t->all->set[key]->within[t->index].rows,
				 .stack = t->all->number,
				 .limit = t->all->limit,
				 .members = t->members,
				 .place = key,
				 .depth = t->depth,
				 .deep = t->deep};

	if (!rows)
		return w;
	memset(&w.rows, 0, sizeof w.rows);
	for (unsigned row = 0; row < t->depth; row++)
		if (rows[key * t->depth + row].n)
			*vector_add(&w.rows) = rows[key * t->depth + row];
	return w;
}

static void replace(const struct stacked_thread *t, const struct spans *rows)
{
	const struct stacking *all = t->all;
	struct thread_spans *now = array_zero(all->n, sizeof *now);

	for (unsigned key = 0; key < all->n; key++)
		now[key] = stacked_spans(t, key, rows);
	pthread_rwlock_wrlock(&held);
	for (unsigned key = 0; key < all->n; key++) {
		struct thread_spans *w = &all->set[key]->within[t->index], before = *w;
		if (!rows && w->rows.n)
			w->rows.at[0].row = 0;
		*w = now[key];
		now[key] = before;
	}
	pthread_rwlock_unlock(&held);
	for (unsigned key = 0; rows && key < all->n; key++)
		thread_spans_free(&now[key]);
	free(now);
}

static struct span_merge merge_of_thread(struct stacked_thread *t)
{
	const struct stacking *all = t->all;
	struct span_merge m = {0};
	size_t most = 0;

	for (unsigned key = 0; key < all->n; key++)
		most += all->set[key]->within[t->index].rows.n;
	m.feeds = array_zero(most, sizeof *m.feeds);
	m.order = array_zero(most, sizeof *m.order);
	for (unsigned key = 0; key < all->n; key++) {
		const struct thread_spans *w = &all->set[key]->within[t->index];
		t->members += w->rows.n > 0;
		for (size_t i = 0; i < w->rows.n; i++) {
			const struct spans *s = &w->rows.at[i];
			if (!s->n)
				continue;
			m.feeds[m.n++] = (struct feed){
			    .spans = s, .key = key, .starts = spans_starts(s, all->events)};
			t->total += s->n;
		}
	}
	return m;
}

/* Returns whether n intervals are stacked together in a thread, whose spans are held. */
static bool agree(struct instances *const *set, unsigned n, unsigned thread, unsigned limit)
{
	const struct thread_spans *last = NULL;
	unsigned members = 0;

	for (unsigned key = 0; key < n; key++) {
		const struct thread_spans *w = &set[key]->within[thread];
		if (!w->rows.n)
			continue;
		if (!w->stack || w->limit != limit ||
		    (last && (w->stack != last->stack || w->place <= last->place)))
			return false;
		last = w;
		members++;
	}
	return !last || last->members == members;
}

static void stack_thread(void *context, size_t index, unsigned worker)
{
	const struct stacking *all = context;
	struct stacked_thread t = {.all = all, .index = (unsigned)index};
	struct span_merge m;
	struct spans *rows;

	(void)worker;
	if (agree(all->set, all->n, t.index, all->limit))
		return;
	m = merge_of_thread(&t);
	t.feeds = array_zero(t.total, sizeof *t.feeds);
	t.rows = array_zero(t.total, sizeof *t.rows);
	assign_rows(&t, &m);
	count_rows(&t, &m);
	rows = are_rows(&t) ? NULL : make_rows(&t, &m);
	merge_end(&m);
	replace(&t, rows);
	free(rows);
	free(t.feeds);
	free(t.rows);
	free(t.counts);
}

/* Returns how many of n instances are in a band; sets of to these. */
static unsigned choose_band(struct instances *const *set, unsigned n, enum band band,
			    struct instances **of)
{
	unsigned chosen = 0;

	for (unsigned i = 0; i < n; i++)
		if (band_of(set[i]->interval) == band)
			of[chosen++] = set[i];
	return chosen;
}

void stacking_make(const struct event_index *events, struct instances *const *set, unsigned n)
{
	static uint64_t number;
	const struct trace *t = event_index_trace(events);
	struct instances **of = array_zero(n, sizeof *of);

	pthread_mutex_lock(&making);
	for (enum band band = 0; band < BANDS; band++) {
		struct stacking all = {.events = events,
				       .set = of,
				       .band = band,
				       .n = choose_band(set, n, band, of),
				       .limit = band_limit(band, t),
				       .number = ++number};
		if (all.n)
			parallel_for(t->nthreads, stack_thread, &all);
	}
	pthread_mutex_unlock(&making);
	free(of);
}

bool stacking_is_made(const struct event_index *events, struct instances *const *set, unsigned n)
{
	const struct trace *t = event_index_trace(events);
	struct instances **of = array_zero(n, sizeof *of);
	bool made = true;

	stacking_hold();
	for (enum band band = 0; band < BANDS; band++) {
		unsigned chosen = choose_band(set, n, band, of);
		for (unsigned thread = 0; made && thread < t->nthreads; thread++)
			made = agree(of, chosen, thread, band_limit(band, t));
	}
	stacking_release();
	free(of);
	return made;
}

/* ---- as a picture shows them ---- */

static const struct thread_spans *spans_of_key(const struct span_rows *r, unsigned thread,
					       unsigned key)
{
	const struct thread_spans *w = r->keys[key] ? &r->keys[key]->within[thread] : NULL;

	return w && w->rows.n ? w : NULL;
}

/* Lays out a band of a thread; found: the n keys of the band that are found. */
static void lay_out_band(struct span_rows *r, unsigned thread, enum band band,
			 struct instances *const *found, unsigned n)
{
	unsigned *depth = &r->depths[thread * BANDS + band];
	bool together = agree(found, n, thread, r->limits[band]), any = false;

	for (unsigned key = 0; key < r->nkeys; key++) {
		const struct thread_spans *w = spans_of_key(r, thread, key);
		if (!w || r->bands[key] != band || (together && any))
			continue;
		any = true;
		r->apart[key] |= !together;
		r->firsts[thread * r->nkeys + key] = *depth;
		*depth += w->depth;
		r->deep[band] += w->deep;
	}
}

static void lay_out(struct span_rows *r, struct instances *const *found, unsigned n)
{
	struct instances **of = array_zero(n, sizeof *of);

	for (enum band band = 0; band < BANDS; band++) {
		unsigned chosen = choose_band(found, n, band, of);
		for (unsigned thread = 0; chosen && thread < r->nthreads; thread++)
			lay_out_band(r, thread, band, of, chosen);
	}
	free(of);
}

struct span_rows *span_rows_new(const struct trace *t, struct instances **keys, unsigned nkeys)
{
	struct span_rows *r = array_zero(1, sizeof *r);
	struct instances **found = array_zero(nkeys, sizeof *found);
	unsigned n = 0;

	*r = (struct span_rows){
	    .nthreads = t->nthreads,
	    .nkeys = nkeys,
	    .keys = keys,
	    .bands = array_zero(nkeys, sizeof *r->bands),
	    .depths = array_zero((size_t)t->nthreads * BANDS, sizeof *r->depths),
	    .apart = array_zero(nkeys, sizeof *r->apart),
	    .firsts = array_zero((size_t)t->nthreads * nkeys, sizeof *r->firsts),
	};
	for (enum band band = 0; band < BANDS; band++)
		r->limits[band] = band_limit(band, t);
	for (unsigned key = 0; key < nkeys; key++)
		if (keys[key]) {
			r->bands[key] = band_of(keys[key]->interval);
			found[n++] = keys[key];
		}
	stacking_hold();
	lay_out(r, found, n);
	free(found);
	return r;
}

void span_rows_free(struct span_rows *r)
{
	if (!r)
		return;
	stacking_release();
	free(r->keys);
	free(r->bands);
	free(r->depths);
	free(r->firsts);
	free(r->apart);
	free(r);
}

const struct spans *span_rows_at(const struct span_rows *r, unsigned thread, unsigned row,
				 unsigned key)
{
	const struct thread_spans *w = spans_of_key(r, thread, key);
	unsigned first = r->firsts[thread * r->nkeys + key];
	size_t i;

	if (!w || row < first)
		return NULL;
	i = lower_bound(k, (size_t)0, w->rows.n, w->rows.at[k].row < row - first);
	return i < w->rows.n && w->rows.at[i].row == row - first ? &w->rows.at[i] : NULL;
}

bool span_rows_have(const struct span_rows *r, unsigned key)
{
	for (unsigned t = 0; t < r->nthreads; t++)
		if (spans_of_key(r, t, key))
			return true;
	return false;
}
