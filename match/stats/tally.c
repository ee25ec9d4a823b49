#include "match/stats/tally.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/spill.h"
#include "match/join/partition.h"
#include "match/join/stream_join.h"
#include "trace/open/opened.h"
#include "trace/stream/merge.h"
#include <stdlib.h>
#include <string.h>

/* The rows of a section, or of a bucket; the memory of a worker. */
struct tally_rows {
	struct section_merge merge;
	/* Rows of two words: the time less the base, shifted left, and whether it is a query; the
	 * key. */
	uint64_t *words;
	size_t n, room;
	struct shard_rows shard_rows;
	uint32_t *place; /* for partition_put() */
};

struct tallying {
	struct trace *trace;
	const struct sections *sections;
	const struct plan *plan;
	const struct event_type *type[2]; /* by side */
	bool *wanted;                     /* by type */
	const struct id_row **ids;        /* by log */
	struct tally *tally;
	struct tally_rows *rows; /* one for each worker */
	struct stream_join join;
	atomic_size_t matched, unmatched, unserved, shared;
};

/* ---- from the merge to rows ---- */

static inline uint64_t *row_make(const struct tallying *y, enum side side, const struct event *e,
				 uint64_t base, uint64_t *row)
{
	row[0] = ((uint64_t)e->time << 1) - base + (side != y->plan->candidates);
	row[1] = row_simple_key(y->plan, side, e);
	return row + 2;
}

static size_t section_rows(const struct tallying *y, const struct section *s,
			   const struct section_merge *m, uint64_t base, uint64_t *row)
{
	const struct log *logs = opened_of(y->trace)->logs;
	const struct plan *plan = y->plan;
	/* which side comes first where both are at the same event: see read_rows() */
	enum side first = plan->later ? plan->candidates : !plan->candidates;
	bool both = y->type[0] == y->type[1];
	uint32_t type = y->type[1]->index;
	const uint64_t *begin = row;

	for (size_t i = 0; i < m->n; i++) {
		uint64_t number = m->list[i];
		size_t log = section_log(s, number);
		struct event e = {.time = section_time(s, number) - y->trace->origin,
				  .record = section_event_record(s, logs, number),
				  .thread = s->logs[log].thread};
		enum side side = y->ids[log][RECORD_ID(read_32(e.record))].type == type;

		row = row_make(y, both ? first : side, &e, base, row);
		if (both)
			row = row_make(y, !first, &e, base, row);
	}
	return (size_t)(row - begin) / 2;
}

static void tally_rows_read(struct tally_rows *r, const struct tallying *y, size_t section,
			    uint64_t base)
{
	const struct section *s = &y->sections->list[section];

	section_merge_read(&r->merge, y->trace, s, y->wanted);
	r->words = spill_reserve(r->words, &r->room, 4 * r->merge.n, sizeof *r->words);
	r->n = section_rows(y, s, &r->merge, base, r->words);
}

/* ---- from rows to durations ---- */

/* Counts a row without a partner, of which only the time is known. */
static void alone_take(struct tallying *y, enum side side, uint64_t time)
{
	if (side == SIDE_ANCHOR)
		y->tally->words[y->tally->anchors - 1 - atomic_fetch_add(&y->unmatched, 1)] =
		    (int64_t)time;
	else
		y->unserved++;
}

static void durations_take(void *context, const struct joined *pairs, size_t n)
{
	struct tallying *y = context;
	size_t found = 0, at;

	for (size_t i = 0; i < n; i++)
		found += pairs[i].waited != JOIN_ALONE;
	at = atomic_fetch_add(&y->matched, found);
	for (size_t i = 0; i < n; i++) {
		int64_t a = (int64_t)pairs[i].waited, b = (int64_t)pairs[i].came;

		if (pairs[i].waited == JOIN_ALONE)
			alone_take(y, !y->join.waits, pairs[i].came);
		else
			y->tally->words[at++] = a < b ? b - a : a - b;
	}
}

static void rest_take(void *context, uint64_t time)
{
	struct tallying *y = context;

	alone_take(y, y->join.waits, time);
}

/* ---- in the order of the stream ---- */

static void section_join(void *context, size_t number, unsigned worker)
{
	struct tallying *y = context;
	struct tally_rows *r = &y->rows[worker];
	size_t count = y->sections->count;

	if (worker == 0)
		progress_step(number, count);
	r->n = 0;
	if (!y->join.refused)
		tally_rows_read(r, y, y->join.reversed ? count - 1 - number : number, 0);
	stream_join_put(&y->join, number, r->words, r->n, &r->shard_rows);
}

/* Returns false, with nothing counted, if the join is given up. */
static bool tally_stream(struct tallying *y)
{
	bool good;

	stream_join_begin(&y->join, y->plan, false, durations_take, y);
	progress_begin("merging");
	parallel_for(y->sections->count, section_join, y);
	progress_end();
	good = !y->join.refused;
	if (good) {
		stream_join_rest(&y->join, rest_take);
		y->shared = stream_join_shared(&y->join);
	} else {
		y->matched = y->unmatched = y->unserved = 0;
	}
	stream_join_end(&y->join);
	return good;
}

/* ---- in buckets ---- */

struct tally_partition {
	struct tallying *tallying;
	struct partition partition;
	uint64_t *base; /* of each section: what its rows' first words are counted from */
	size_t put;     /* rows so far */
	struct tickets tickets;
};

static void section_put(void *context, size_t number, unsigned worker)
{
	struct tally_partition *k = context;
	struct tallying *y = k->tallying;
	struct tally_rows *r = &y->rows[worker];

	if (worker == 0)
		progress_step(number, y->sections->count);
	tally_rows_read(r, y, number, k->base[number]);
	tickets_wait(&k->tickets, number);
	k->partition.first[number] = k->put;
	k->put += r->n;
	tickets_pass(&k->tickets);
	if (!r->place)
		r->place = array_new(k->partition.nbuckets + 1, sizeof *r->place);
	partition_put(&k->partition, number, r->words, r->n, r->place);
}

/* Makes the base of each section. Returns whether all times, shifted left, have 32 bits when they
 * are counted from their bases. */
static bool bases_make(struct tally_partition *k)
{
	const struct tallying *y = k->tallying;
	const struct section *list = y->sections->list;
	int64_t origin = y->trace->origin, last = origin + y->trace->duration;
	bool narrow = true;

	k->base = array_new(y->sections->count, sizeof *k->base);
	for (size_t i = 0; i < y->sections->count; i++) {
		int64_t end = i + 1 < y->sections->count ? list[i + 1].time : last;

		k->base[i] = (uint64_t)(list[i].time - origin) << 1;
		narrow &= (uint64_t)(end - list[i].time) <= UINT32_MAX >> 1;
	}
	return narrow;
}

static void bucket_tally(void *context, size_t bucket, unsigned worker)
{
	struct tally_partition *k = context;
	struct tallying *y = k->tallying;
	struct tally_rows *r = &y->rows[worker];

	r->n = partition_count(&k->partition, bucket);
	r->words = spill_reserve(r->words, &r->room, 2 * r->n, sizeof *r->words);
	partition_gather(&k->partition, bucket, r->words);
	stream_join_bucket(&y->join, worker, r->words, r->n, rest_take);
}

static void tally_buckets(struct tallying *y)
{
	struct tally_partition k = {.tallying = y, .tickets = TICKETS_INITIALIZER};
	bool narrow = bases_make(&k);

	partition_init(&k.partition, y->plan, y->tally->anchors + y->tally->partners,
		       y->sections->count, narrow);
	k.partition.base = k.base;
	progress_begin("merging");
	parallel_for(y->sections->count, section_put, &k);
	progress_end();
	stream_join_begin(&y->join, y->plan, true, durations_take, y);
	parallel_for(k.partition.nbuckets, bucket_tally, &k);
	y->shared = stream_join_shared(&y->join);
	stream_join_end(&y->join);
	partition_clear(&k.partition);
	free(k.base);
}

/* ---- the whole ---- */

/* What each log's ids mean: in the inner loop it is a long way there from the log. */
static const struct id_row **ids_of(struct trace *t)
{
	const struct opened *o = opened_of(t);
	const struct id_row **ids = array_new(o->nlogs, sizeof(const struct id_row *));

	for (size_t i = 0; i < o->nlogs; i++)
		ids[i] = o->logs[i].ids ? o->logs[i].ids->rows : NULL;
	return ids;
}

static void tally_run(struct trace *t, const struct plan *plan, struct tally *tally)
{
	const struct interval *interval = tally->interval;
	struct tallying y = {.trace = t,
			     .sections = trace_sections(t),
			     .plan = plan,
			     .tally = tally,
			     .type = {interval->anchor.event, interval->partner.event},
			     .wanted = array_zero(t->spec->nevents, sizeof *y.wanted),
			     .ids = ids_of(t)};
	unsigned workers = parallel_workers();

	if (!y.sections)
		array_exhausted();
	y.wanted[y.type[0]->index] = y.wanted[y.type[1]->index] = true;
	tally->anchors = t->events_of_type[interval->anchor.event->index];
	tally->partners = t->events_of_type[interval->partner.event->index];
	tally->words = spill_new(tally->anchors, sizeof *tally->words);
	y.rows = array_zero(workers, sizeof *y.rows);
	for (unsigned i = 0; i < workers; i++)
		section_merge_begin(&y.rows[i].merge, t);
	if (!tally_stream(&y))
		tally_buckets(&y);
	for (unsigned i = 0; i < workers; i++) {
		section_merge_end(&y.rows[i].merge);
		spill_free(y.rows[i].words);
		spill_free(y.rows[i].shard_rows.words);
		free(y.rows[i].place);
	}
	free(y.rows);
	free(y.wanted);
	free(y.ids);
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
	*tally = (struct tally){.interval = interval};
	simple = plan_is_equality(plan) && row_maker(plan, t).kind == ROW_IS_SIMPLE;
	if (simple)
		tally_run(t, plan, tally);
	plan_free(plan);
	return simple;
}
