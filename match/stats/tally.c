#include "match/stats/tally.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/spill.h"
#include "match/join/row.h"
#include "match/join/search.h"
#include "match/join/stream_join.h"
#include "match/stats/tallying.h"
#include "trace/open/opened.h"
#include <stdlib.h>
#include <string.h>

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
	uint32_t type = y->type[1]->index;
	const uint64_t *begin = row;

	for (size_t i = 0; i < m->n; i++) {
		uint64_t number = m->list[i];
		size_t log = section_log(s, number);
		struct event e = {.time = section_time(s, number) - y->trace->origin,
				  .record = number_record(s, logs, number),
				  .thread = s->logs[log].thread};
		enum side side = y->ids[log][RECORD_ID(read_32(e.record))].type == type;

		row = row_put(y, both ? first : side, &e, base, row);
		if (both)
			row = row_put(y, !first, &e, base, row);
	}
	return (size_t)(row - begin) / 2;
}

void tally_rows_begin(struct tally_rows *r, const struct tallying *y)
{
	*r = (struct tally_rows){.n = 0};
	ordered_begin(&r->ordered, y->trace);
}

void tally_rows_end(struct tally_rows *r)
{
	ordered_end(&r->ordered);
	large_free(r->words);
}

void tally_rows_read(struct tally_rows *r, const struct tallying *y, size_t section, uint64_t base)
{
	const struct section *s = &y->sections->list[section];

	ordered_read(&r->ordered, y->trace, s, y->wanted);
	r->words = large_room(r->words, &r->room, 4 * r->ordered.n, sizeof *r->words);
	r->n = section_rows(y, s, &r->ordered, base, r->words);
}

/* ---- rows meet ---- */

struct meeting {
	struct tallying *tallying;
	struct meet meet;
	struct tally_rows *rows; /* one for each worker */
	struct parting *partings;
};

static void section_meet(void *context, size_t number, unsigned worker)
{
	struct meeting *x = context;
	struct tally_rows *r = &x->rows[worker];
	size_t count = x->tallying->sections->count;

	if (worker == 0)
		progress_step(number, count);
	r->n = 0;
	if (!x->meet.refused)
		tally_rows_read(r, x->tallying, x->meet.reversed ? count - 1 - number : number, 0);
	meet_put(&x->meet, number, r->words, r->n, &x->partings[worker]);
}

/* Nobody is there for it: a row that waits or comes. */
static void take_alone(struct tallying *y, enum side side, uint64_t time)
{
	if (side == SIDE_ANCHOR)
		tally_unmatched(y, (int64_t)time);
	else
		y->unserved++;
}

static void take_couples(void *context, const struct couple *couples, size_t n)
{
	const struct meeting *x = context;
	struct tallying *y = x->tallying;
	size_t found = 0, at;

	for (size_t i = 0; i < n; i++)
		found += couples[i].waited != MEET_NOBODY;
	at = atomic_fetch_add(&y->matched, found);
	for (size_t i = 0; i < n; i++) {
		int64_t a = (int64_t)couples[i].waited, b = (int64_t)couples[i].came;

		if (couples[i].waited == MEET_NOBODY)
			take_alone(y, !x->meet.waits, couples[i].came);
		else
			y->tally->words[at++] = a < b ? b - a : a - b;
	}
}

static void take_rest(void *context, uint64_t time)
{
	const struct meeting *x = context;

	take_alone(x->tallying, x->meet.waits, time);
}

/* On all processors; false: too many waited. */
static bool sections_meet(struct meeting *x)
{
	unsigned workers = parallel_workers();

	x->rows = array_new(workers, sizeof *x->rows);
	x->partings = array_zero(workers, sizeof *x->partings);
	for (unsigned i = 0; i < workers; i++)
		tally_rows_begin(&x->rows[i], x->tallying);
	progress_begin("merging");
	parallel_for(x->tallying->sections->count, section_meet, x);
	progress_end();
	for (unsigned i = 0; i < workers; i++) {
		tally_rows_end(&x->rows[i]);
		large_free(x->partings[i].words);
	}
	free(x->rows);
	free(x->partings);
	return !x->meet.refused;
}

static bool tally_meeting(struct tallying *y)
{
	struct meeting x = {.tallying = y};
	bool good;

	meet_begin(&x.meet, y->plan);
	x.meet.take = take_couples;
	x.meet.context = &x;
	good = sections_meet(&x);
	if (good) {
		meet_rest(&x.meet, take_rest, &x);
		y->shared = meet_shared(&x.meet);
	} else {
		y->matched = y->unmatched = y->unserved = 0;
	}
	meet_end(&x.meet);
	return good;
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
			     .sections = sections_of(t),
			     .plan = plan,
			     .tally = tally,
			     .type = {interval->anchor.event, interval->partner.event},
			     .wanted = array_zero(t->spec->nevents, sizeof *y.wanted),
			     .ids = ids_of(t)};

	if (!y.sections)
		array_fail("out of memory");
	y.wanted[y.type[0]->index] = y.wanted[y.type[1]->index] = true;
	tally->anchors = t->events_of_type[interval->anchor.event->index];
	tally->partners = t->events_of_type[interval->partner.event->index];
	tally->words = large_new(tally->anchors, sizeof *tally->words);
	if (!tally_meeting(&y))
		tally_in_buckets(&y);
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
	simple = chain_can(plan) && row_maker(plan, t).kind == ROW_IS_SIMPLE;
	*tally = (struct tally){.interval = interval};
	if (simple)
		tally_run(t, plan, tally);
	plan_free(plan);
	return simple;
}
