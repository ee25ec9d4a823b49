#include "viewers/gorge/tiers.h"
#include "trace/parallel.h"
#include <stdlib.h>

/* A sheaf while those of a thread are merged. */
struct feed {
	const struct sheaf *sheaf;
	unsigned key;
	size_t i;
	int64_t *starts; /* of all its instances */
};

struct merging {
	struct feed *feeds;
	unsigned n;
};

/* At one time they lie by their lengths, and not by their units; but a walk only goes on. */
static int64_t *starts_of(const struct sheaf *s, const struct census *c)
{
	int64_t *starts = zeroed(s->n, sizeof *starts);
	struct census_walk w;

	for (size_t i = 0; i < s->n; i++) {
		if (i == 0 || s->start[i] < w.at.unit)
			walk_begin(&w, c, s->from, NULL);
		walk_to_unit(&w, s->start[i]);
		starts[i] = w.at.time;
	}
	return starts;
}

static int64_t start_of(const struct feed *s)
{
	return s->starts[s->i];
}

static bool starts_before(const struct feed *a, const struct feed *b)
{
	int64_t length_a, length_b;

	if (start_of(a) != start_of(b))
		return start_of(a) < start_of(b);
	length_a = sheaf_length(a->sheaf, a->i);
	length_b = sheaf_length(b->sheaf, b->i);
	if (length_a != length_b)
		return length_a > length_b;
	if (a->key != b->key)
		return a->key < b->key;
	return a->sheaf->start[a->i] < b->sheaf->start[b->i];
}

/* The feed whose instance starts next; NULL: all are through. */
static struct feed *earliest(struct merging *m)
{
	struct feed *best = NULL;

	for (struct feed *s = m->feeds; s < m->feeds + m->n; s++)
		if (s->i < s->sheaf->n && (!best || starts_before(s, best)))
			best = s;
	return best;
}

static void merging_begin(struct merging *m)
{
	for (unsigned i = 0; i < m->n; i++)
		m->feeds[i].i = 0;
}

struct stacking {
	struct tiers *tiers;
	const struct census *census;
};

static unsigned row_for(const int64_t *ends, unsigned rows, int64_t start, uint64_t *deep)
{
	for (unsigned row = 0; row < rows; row++)
		if (ends[row] <= start)
			return row;
	++*deep;
	return rows - 1;
}

/* The row of each instance, in the order of the merge; counts: of each key in each row. */
static uint8_t *assign_rows(struct tiers *s, unsigned thread, struct merging *m, size_t *counts)
{
	int64_t *ends = zeroed(s->rows, sizeof *ends);
	size_t total = 0, n = 0;
	struct feed *feed;
	uint8_t *rows;

	for (unsigned i = 0; i < m->n; i++)
		total += m->feeds[i].sheaf->n;
	rows = zeroed(total, sizeof *rows);
	for (unsigned row = 0; row < s->rows; row++)
		ends[row] = INT64_MIN;
	merging_begin(m);
	while ((feed = earliest(m))) {
		int64_t start = start_of(feed),
			end = start + sheaf_length(feed->sheaf, feed->i);
		unsigned row = row_for(ends, s->rows, start, &s->deep[thread]);
		ends[row] = end > ends[row] ? end : ends[row];
		s->depths[thread] = row + 1 > s->depths[thread] ? row + 1 : s->depths[thread];
		counts[feed->key * s->rows + row]++;
		rows[n++] = (uint8_t)row;
		feed->i++;
	}
	free(ends);
	return rows;
}

static void replace_rows(struct tiers *s, unsigned thread, struct sheaf *parts)
{
	for (unsigned key = 0; key < s->nkeys; key++) {
		struct within *w = s->keys[key] ? &s->keys[key]->within[thread] : NULL;
		if (!w)
			continue;
		for (size_t i = 0; i < w->rows.n; i++)
			sheaf_free(&w->rows.at[i]);
		w->rows.n = 0;
		for (unsigned row = 0; row < s->rows; row++)
			if (parts[key * s->rows + row].n)
				*vector_add(&w->rows) = parts[key * s->rows + row];
	}
}

static void part_rows(struct tiers *s, unsigned thread, struct merging *m, const uint8_t *rows,
		      const size_t *counts)
{
	struct sheaf *parts = zeroed((size_t)s->nkeys * s->rows, sizeof *parts);
	struct feed *feed;

	for (size_t i = 0; i < (size_t)s->nkeys * s->rows; i++)
		if (counts[i]) {
			parts[i] = sheaf_settled(thread, thread, counts[i]);
			parts[i].row = (unsigned)(i % s->rows);
		}
	merging_begin(m);
	while ((feed = earliest(m))) {
		sheaf_append(&parts[feed->key * s->rows + *rows++],
			     sheaf_get(feed->sheaf, feed->i), start_of(feed));
		feed->i++;
	}
	replace_rows(s, thread, parts);
	free(parts);
}

/* Whether the sheaves are the rows already: then they only have to be told. */
static bool are_rows(const struct tiers *s, unsigned thread, const size_t *counts)
{
	for (unsigned key = 0; key < s->nkeys; key++) {
		struct within *w = s->keys[key] ? &s->keys[key]->within[thread] : NULL;
		for (size_t i = 0; w && i < w->rows.n; i++)
			if (w->rows.n > 1 || counts[key * s->rows] != w->rows.at[i].n)
				return false;
	}
	return true;
}

static struct merging merging_new(const struct tiers *s, const struct census *c, unsigned thread)
{
	struct merging m = {.feeds = zeroed((size_t)s->nkeys * s->rows, sizeof *m.feeds)};

	for (unsigned key = 0; key < s->nkeys; key++) {
		const struct within *w = s->keys[key] ? &s->keys[key]->within[thread] : NULL;
		for (size_t i = 0; w && i < w->rows.n; i++)
			m.feeds[m.n++] = (struct feed){.sheaf = &w->rows.at[i],
						       .key = key,
						       .starts = starts_of(&w->rows.at[i], c)};
	}
	return m;
}

static void merging_free(struct merging *m)
{
	for (unsigned i = 0; i < m->n; i++)
		free(m->feeds[i].starts);
	free(m->feeds);
}

/* What the thread has, if it is all of one interval; else NULL, and n says of how many it is. */
static struct within *only_one(const struct tiers *s, size_t thread, unsigned *n)
{
	struct within *one = NULL;

	*n = 0;
	for (unsigned key = 0; key < s->nkeys; key++) {
		struct within *w = s->keys[key] ? &s->keys[key]->within[thread] : NULL;
		if (!w || !w->rows.n)
			continue;
		one = w;
		++*n;
	}
	return *n == 1 ? one : NULL;
}

/* Pictures of other intervals have to stack them anew. */
static void forget_stacks(const struct tiers *s, size_t thread)
{
	for (unsigned key = 0; key < s->nkeys; key++)
		if (s->keys[key])
			s->keys[key]->within[thread].stacked = 0;
}

static void stack_thread(struct stacking *g, size_t thread)
{
	struct tiers *s = g->tiers;
	struct merging m = merging_new(s, g->census, (unsigned)thread);
	size_t *counts = zeroed((size_t)s->nkeys * s->rows, sizeof *counts);
	uint8_t *rows = assign_rows(s, (unsigned)thread, &m, counts);

	if (!are_rows(s, (unsigned)thread, counts)) {
		part_rows(s, (unsigned)thread, &m, rows, counts);
	} else {
		for (unsigned i = 0; i < m.n; i++)
			s->keys[m.feeds[i].key]->within[thread].rows.at[0].row = 0;
	}
	free(rows);
	free(counts);
	merging_free(&m);
}

static void tier_thread(void *context, size_t thread, unsigned worker)
{
	struct stacking *g = context;
	struct tiers *s = g->tiers;
	unsigned n;
	struct within *one = only_one(s, thread, &n);

	(void)worker;
	if (one && one->stacked == s->rows) {
		s->depths[thread] = one->depth;
		s->deep[thread] = one->deep;
	} else if (n) {
		stack_thread(g, thread);
		forget_stacks(s, thread);
		if (one) {
			one->stacked = s->rows;
			one->depth = s->depths[thread];
			one->deep = s->deep[thread];
		}
	}
}

struct tiers *tiers_new(const struct census *c, unsigned rows, struct instances **keys,
			unsigned nkeys)
{
	struct tiers *s = zeroed(1, sizeof *s);

	*s = (struct tiers){
	    .nthreads = census_trace(c)->nthreads,
	    .rows = rows,
	    .nkeys = nkeys,
	    .keys = keys,
	};
	s->depths = zeroed(s->nthreads, sizeof *s->depths);
	s->deep = zeroed(s->nthreads, sizeof *s->deep);
	parallel_for(s->nthreads, tier_thread, &(struct stacking){s, c});
	return s;
}

void tiers_prepare(const struct census *c, unsigned rows, struct instances *n)
{
	struct instances **keys = zeroed(1, sizeof *keys);

	keys[0] = n;
	tiers_free(tiers_new(c, rows, keys, 1));
}

void tiers_free(struct tiers *s)
{
	if (!s)
		return;
	free(s->keys);
	free(s->depths);
	free(s->deep);
	free(s);
}

const struct sheaf *tiers_row(const struct tiers *s, unsigned thread, unsigned row, unsigned key)
{
	const struct within *w = s->keys[key] ? &s->keys[key]->within[thread] : NULL;

	for (size_t i = 0; w && i < w->rows.n; i++)
		if (w->rows.at[i].row == row)
			return &w->rows.at[i];
	return NULL;
}

bool tiers_have(const struct tiers *s, unsigned key)
{
	for (unsigned t = 0; s->keys[key] && t < s->nthreads; t++)
		if (s->keys[key]->within[t].rows.n)
			return true;
	return false;
}

uint64_t tiers_deep(const struct tiers *s)
{
	uint64_t deep = 0;

	for (unsigned t = 0; t < s->nthreads; t++)
		deep += s->deep[t];
	return deep;
}
