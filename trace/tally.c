#include "trace/tally.h"
#include "trace/array.h"
#include "trace/large.h"
#include "trace/ordered.h"
#include "trace/opened.h"
#include "trace/parallel.h"
#include "trace/progress.h"
#include "trace/row.h"
#include "trace/search.h"
#include "trace/ticket.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The rows of a section, before they are put behind those of the sections before. */
struct batch {
	struct ordered ordered;
	uint64_t *words;
	size_t room;
	uint32_t *count; /* for rows_put() */
};

struct tallying {
	struct trace *trace;
	const struct sections *sections;
	const struct plan *plan;
	const struct event_type *type[2]; /* by side */
	bool *wanted;			  /* by type */
	struct rows rows;
	uint64_t *base; /* of each section: what its rows' first words are counted from */
	size_t put;	/* rows so far */
	struct batch *batches;
	struct tickets tickets;
	struct search search;
	struct tally *tally;
	atomic_size_t matched, unmatched, unserved, shared;
};

/* ---- from the merge to rows ---- */

/* A row's first word is its time, shifted left, and whether it is a query. */
static inline uint64_t *row_put(const struct tallying *y, enum side side, const struct event *e,
				uint64_t base, uint64_t *row)
{
	row[0] = ((uint64_t)e->time << 1) - base + (side != y->plan->candidates);
	row[1] = row_simple_key(y->plan, side, e);
	return row + 2;
}

static size_t section_rows(const struct tallying *y, const struct section *s,
			   const struct ordered *m, uint64_t base, uint64_t *row)
{
	const struct log *logs = opened_of(y->trace)->logs;
	const struct plan *plan = y->plan;
	/* which side is first where both are at the same event: see rows_read.c */
	enum side first = plan->later ? plan->candidates : !plan->candidates;
	bool both = y->type[0] == y->type[1];
	const uint64_t *begin = row;

	for (size_t i = 0; i < m->n; i++) {
		uint64_t number = m->list[i];
		struct event e = {.time = section_time(s, number) - y->trace->origin,
				  .record = number_record(s, logs, number),
				  .thread = s->logs[section_log(s, number)].thread};
		enum side side = number_type(s, logs, number) == y->type[1]->index;

		row = row_put(y, both ? first : side, &e, base, row);
		if (both)
			row = row_put(y, !first, &e, base, row);
	}
	return (size_t)(row - begin) / 2;
}

static void section_tally(void *context, size_t number, unsigned worker)
{
	struct tallying *y = context;
	const struct section *s = &y->sections->list[number];
	struct batch *b = &y->batches[worker];
	size_t n;

	if (worker == 0)
		progress_step(number, y->sections->count);
	ordered_read(&b->ordered, y->trace, s, y->wanted);
	b->words = large_room(b->words, &b->room, 4 * b->ordered.n, sizeof *b->words);
	n = section_rows(y, s, &b->ordered, y->base[number], b->words);
	tickets_wait(&y->tickets, number);
	y->rows.first[number] = y->put;
	y->put += n;
	tickets_pass(&y->tickets);
	rows_put(&y->rows, number, b->words, n, b->count);
}

/* Whether the times of all sections, shifted left, have 32 bits when counted from their bases. */
static bool bases_fill(struct tallying *y)
{
	const struct section *list = y->sections->list;
	int64_t origin = y->trace->origin, last = origin + y->trace->duration;
	bool narrow = true;

	for (size_t i = 0; i < y->sections->count; i++) {
		int64_t end = i + 1 < y->sections->count ? list[i + 1].time : last;

		y->base[i] = (uint64_t)(list[i].time - origin) << 1;
		narrow &= (uint64_t)(end - list[i].time) <= UINT32_MAX >> 1;
	}
	return narrow;
}

static void rows_tally(struct tallying *y)
{
	unsigned workers = parallel_workers();
	size_t n = y->tally->anchors + y->tally->partners, nsections = y->sections->count;

	y->base = array_new(nsections, sizeof *y->base);
	rows_new(&y->rows, y->plan, n, nsections, bases_fill(y));
	y->rows.base = y->base;
	y->batches = array_zero(workers, sizeof *y->batches);
	for (unsigned i = 0; i < workers; i++) {
		ordered_begin(&y->batches[i].ordered, y->trace);
		y->batches[i].count = array_new(y->rows.nbuckets + 1, sizeof *y->batches[i].count);
	}
	progress_begin("merging");
	parallel_for(nsections, section_tally, y);
	progress_end();
	for (unsigned i = 0; i < workers; i++) {
		ordered_end(&y->batches[i].ordered);
		large_free(y->batches[i].words);
		free(y->batches[i].count);
	}
	free(y->batches);
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
				y->tally->words[y->tally->anchors - 1 -
						atomic_fetch_add(&y->unmatched, 1)] = row_time(row);
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
	struct tallying *y = context;
	struct scratch *s = &y->search.scratch[worker];
	size_t n = rows_count(&y->rows, bucket), mates;

	s->rows = large_room(s->rows, &s->room_rows, 2 * n, sizeof *s->rows);
	s->mate = large_room(s->mate, &s->room_mate, n, sizeof *s->mate);
	s->served = large_room(s->served, &s->room_served, n, sizeof *s->served);
	rows_gather(&y->rows, bucket, s->rows);
	memset(s->mate, 0xff, n * sizeof *s->mate);
	chain_bucket(&y->search, s->rows, n, s);
	mates = count_mates(s, n);
	put_durations(y, s->rows, n, s, mates);
	count_others(y, s->rows, n, s);
}

static void search_tally(struct tallying *y)
{
	unsigned workers = parallel_workers();

	y->search = (struct search){.plan = y->plan,
				    .rows = &y->rows,
				    .scratch = array_zero(workers, sizeof *y->search.scratch)};
	parallel_for(y->rows.nbuckets, bucket_tally, y);
	for (unsigned i = 0; i < workers; i++)
		scratch_clear(&y->search.scratch[i]);
	free(y->search.scratch);
	rows_clear(&y->rows);
	free(y->base);
}

/* ---- the whole ---- */

static void tally_run(struct trace *t, const struct plan *plan, struct tally *tally)
{
	const struct interval *interval = tally->interval;
	struct tallying y = {.trace = t,
			     .sections = sections_of(t),
			     .plan = plan,
			     .tally = tally,
			     .type = {interval->anchor.event, interval->partner.event},
			     .wanted = array_zero(t->spec->nevents, sizeof *y.wanted),
			     .tickets = TICKETS_INITIALIZER};

	if (!y.sections)
		array_fail("out of memory");
	y.wanted[y.type[0]->index] = y.wanted[y.type[1]->index] = true;
	tally->anchors = t->events_of_type[interval->anchor.event->index];
	tally->partners = t->events_of_type[interval->partner.event->index];
	rows_tally(&y);
	tally->words = large_new(tally->anchors, sizeof *tally->words);
	search_tally(&y);
	free(y.wanted);
	tally->matched = y.matched;
	tally->unserved = y.unserved;
	tally->shared = y.shared;
}

bool tally_interval(struct trace *t, const struct interval *interval, struct tally *tally)
{
	struct plan *plan;
	bool simple;

	if (interval->anchor.interval || interval->partner.interval)
		return false;
	plan = plan_new(interval);
	simple = chain_can(plan) && row_maker(plan, t).simple;
	*tally = (struct tally){.interval = interval};
	if (simple)
		tally_run(t, plan, tally);
	plan_free(plan);
	return simple;
}
