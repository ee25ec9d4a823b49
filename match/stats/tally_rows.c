/* A tally through rows that are kept: parted by key, and searched bucket by bucket. */
#include "base/array.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/spill.h"
#include "base/ticket.h"
#include "match/join/search.h"
#include "match/stats/tallying.h"
#include "trace/open/opened.h"
#include <stdlib.h>
#include <string.h>

/* The rows of a section, before they are put behind those of the sections before. */
struct batch {
	struct tally_rows rows;
	uint32_t *count; /* for rows_put() */
};

struct keeping {
	struct tallying *tallying;
	struct rows rows;
	uint64_t *base; /* of each section: what its rows' first words are counted from */
	size_t put;	/* rows so far */
	struct batch *batches;
	struct tickets tickets;
	struct search search;
};

/* ---- from the merge to rows ---- */

static void section_keep(void *context, size_t number, unsigned worker)
{
	struct keeping *k = context;
	struct batch *b = &k->batches[worker];

	if (worker == 0)
		progress_step(number, k->tallying->sections->count);
	tally_rows_read(&b->rows, k->tallying, number, k->base[number]);
	tickets_wait(&k->tickets, number);
	k->rows.first[number] = k->put;
	k->put += b->rows.n;
	tickets_pass(&k->tickets);
	rows_put(&k->rows, number, b->rows.words, b->rows.n, b->count);
}

/* Whether the times of all sections, shifted left, have 32 bits when counted from their bases. */
static bool bases_fill(struct keeping *k)
{
	const struct tallying *y = k->tallying;
	const struct section *list = y->sections->list;
	int64_t origin = y->trace->origin, last = origin + y->trace->duration;
	bool narrow = true;

	for (size_t i = 0; i < y->sections->count; i++) {
		int64_t end = i + 1 < y->sections->count ? list[i + 1].time : last;

		k->base[i] = (uint64_t)(list[i].time - origin) << 1;
		narrow &= (uint64_t)(end - list[i].time) <= UINT32_MAX >> 1;
	}
	return narrow;
}

static void rows_keep(struct keeping *k)
{
	const struct tallying *y = k->tallying;
	unsigned workers = parallel_workers();
	size_t n = y->tally->anchors + y->tally->partners, nsections = y->sections->count;

	k->base = array_new(nsections, sizeof *k->base);
	rows_new(&k->rows, y->plan, n, nsections, bases_fill(k));
	k->rows.base = k->base;
	k->batches = array_zero(workers, sizeof *k->batches);
	for (unsigned i = 0; i < workers; i++) {
		tally_rows_begin(&k->batches[i].rows, y);
		k->batches[i].count = array_new(k->rows.nbuckets + 1, sizeof *k->batches[i].count);
	}
	progress_begin("merging");
	parallel_for(nsections, section_keep, k);
	progress_end();
	for (unsigned i = 0; i < workers; i++) {
		tally_rows_end(&k->batches[i].rows);
		free(k->batches[i].count);
	}
	free(k->batches);
}

/* ---- from rows to durations ---- */

static int64_t row_time(const uint64_t *row)
{
	return (int64_t)(row[0] >> 1);
}

/* How many queries have a mate; how often each row serves. */
static size_t count_mates(const struct scratch *s, size_t n)
{
	size_t mates = 0;

	memset(s->served, 0, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t mate = s->mate[i];

		if (mate == TABLE_NOTHING)
			continue;
		mates++;
		s->served[mate] += s->served[mate] < 2;
	}
	return mates;
}

static void put_durations(struct tallying *y, const uint64_t *rows, size_t n,
			  const struct scratch *s, size_t mates)
{
	int64_t *to = y->tally->words + atomic_fetch_add(&y->matched, mates);

	for (size_t i = 0; i < n; i++) {
		uint32_t mate = s->mate[i];
		int64_t a, b;

		if (mate == TABLE_NOTHING)
			continue;
		a = row_time(rows + 2 * i);
		b = row_time(rows + 2 * (size_t)mate);
		*to++ = a < b ? b - a : a - b;
	}
}

/* What the rows that belong to no pair, or to several, are. */
static void count_others(struct tallying *y, const uint64_t *rows, size_t n,
			 const struct scratch *s)
{
	bool queries_anchor = y->plan->candidates == SIDE_PARTNER;
	size_t unserved = 0, shared = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t *row = rows + 2 * i;
		bool query = row_is_query(row);
		bool alone = query ? s->mate[i] == TABLE_NOTHING : s->served[i] == 0;

		if (query == queries_anchor) {
			if (alone)
				tally_unmatched(y, row_time(row));
		} else {
			unserved += alone;
			shared += !query && s->served[i] > 1;
		}
	}
	y->unserved += unserved;
	y->shared += shared;
}

static void bucket_tally(void *context, size_t bucket, unsigned worker)
{
	struct keeping *k = context;
	struct scratch *s = &k->search.scratch[worker];
	size_t n = rows_count(&k->rows, bucket), mates;

	s->rows = large_room(s->rows, &s->room_rows, 2 * n, sizeof *s->rows);
	s->mate = large_room(s->mate, &s->room_mate, n, sizeof *s->mate);
	s->served = large_room(s->served, &s->room_served, n, sizeof *s->served);
	rows_gather(&k->rows, bucket, s->rows);
	memset(s->mate, 0xff, n * sizeof *s->mate);
	chain_bucket(&k->search, s->rows, n, s);
	mates = count_mates(s, n);
	put_durations(k->tallying, s->rows, n, s, mates);
	count_others(k->tallying, s->rows, n, s);
}

static void rows_search(struct keeping *k)
{
	unsigned workers = parallel_workers();

	k->search = (struct search){.plan = k->tallying->plan,
				    .rows = &k->rows,
				    .scratch = array_zero(workers, sizeof *k->search.scratch)};
	parallel_for(k->rows.nbuckets, bucket_tally, k);
	for (unsigned i = 0; i < workers; i++)
		scratch_clear(&k->search.scratch[i]);
	free(k->search.scratch);
}

void tally_in_buckets(struct tallying *y)
{
	struct keeping k = {.tallying = y, .tickets = TICKETS_INITIALIZER};

	rows_keep(&k);
	rows_search(&k);
	rows_clear(&k.rows);
	free(k.base);
}
