#include "analysis/rank/rank.h"
#include "analysis/graph/longest.h"
#include "analysis/samples/spinning.h"
#include "base/array.h"
#include "base/parallel.h"
#include <math.h>
#include <stdlib.h>

/* The asks and works of a batch take so much memory; more if one ask and the works do. */
#define BATCH_BYTES ((size_t)1 << 28)

/* ---- what each is worth ---- */

/*
 * The threads are weighed in some blocks at the same time. What the blocks have is added in their
 * order: sums of real numbers are the same in each run.
 */
enum { BLOCKS = 16 };

struct weighing {
	const struct measures *measures;
	const struct subjects *subjects;
	struct worth *worth; /* by block, then subject */
};

struct weighed_block {
	const struct measures *measures;
	struct worth *worth;
	struct measure_cursor *cursors;
};

static void time_weigh(void *context, size_t subject, uint32_t thread, int64_t from, int64_t to)
{
	const struct weighed_block *b = context;

	measures_add(b->measures, &b->worth[subject], &b->cursors[subject], thread, from, to);
}

static void block_weigh(void *context, size_t block, unsigned worker)
{
	const struct weighing *w = context;
	uint64_t nthreads = w->subjects->set->trace->nthreads;
	struct weighed_block b = {w->measures, w->worth + block * w->subjects->all.n,
				  array_zero(w->subjects->all.n, sizeof *b.cursors)};

	(void)worker;
	subjects_each_between(w->subjects, (uint32_t)(nthreads * block / BLOCKS),
			      (uint32_t)(nthreads * (block + 1) / BLOCKS), NULL, time_weigh, &b);
	free(b.cursors);
}

static void worth_add(struct worth *to, const struct worth *w)
{
	to->time += w->time;
	to->cpu += w->cpu;
	to->npt += w->npt;
	to->path += w->path;
}

static int64_t lives_within(const struct graph *g, const struct on_time *on)
{
	int64_t lives = 0;

	for (uint32_t i = 0; i < g->trace->nthreads; i++)
		lives += on_time_within(on, g->threads[i].begin, g->threads[i].end);
	return lives;
}

static void rows_know(struct rank *r, const struct graph *g, const struct subjects *s,
		      const struct measures *m)
{
	for (size_t i = 0; i < r->n; i++) {
		struct rank_row *row = &r->rows[i];
		const struct on_time *on = &s->on[i];

		row->known = on_time_within(on, 0, r->duration);
		row->known_busy = r->busy;
		row->known_lives = r->lives;
		if (row->known == r->duration)
			continue;
		row->known_lives = lives_within(g, on);
		row->known_busy = 0;
		for (size_t k = 0; k < on->ranges.n; k++)
			row->known_busy +=
			    measures_busy(m, on->ranges.at[k].from, on->ranges.at[k].to);
	}
}

static void rows_weigh(struct rank *r, const struct graph *g, const struct critical_path *p,
		       const struct subjects *s)
{
	struct weighing w = {measures_of(g, p), s, array_zero(BLOCKS * s->all.n, sizeof *w.worth)};

	for (size_t i = 0; i < s->all.n; i++)
		r->rows[i].subject = s->all.at[i];
	r->busy = measures_busy(w.measures, 0, INT64_MAX);
	rows_know(r, g, s, w.measures);
	parallel_for(BLOCKS, block_weigh, &w);
	for (size_t block = 0; block < BLOCKS; block++)
		for (size_t i = 0; i < s->all.n; i++)
			worth_add(&r->rows[i].worth, &w.worth[block * s->all.n + i]);
	free(w.worth);
	measures_free((struct measures *)w.measures);
}

/* ---- zeroing ---- */

static int by_path(const void *a, const void *b)
{
	const struct rank_row *const *x = a, *const *y = b;

	if ((*x)->subject.kind != (*y)->subject.kind)
		return (int)(*x)->subject.kind - (int)(*y)->subject.kind;
	return ((*x)->worth.path < (*y)->worth.path) - ((*x)->worth.path > (*y)->worth.path);
}

/*
 * Of each kind what has the most time on the path. The others have nothing there, or are not looked
 * at.
 */
static void rows_choose(struct rank *r, bool *chosen)
{
	struct rank_row **order = array_new(r->n, sizeof *order);
	unsigned done[NSUBJECTS] = {0};

	for (size_t i = 0; i < r->n; i++)
		order[i] = &r->rows[i];
	if (r->n)
		qsort(order, r->n, sizeof *order, by_path);
	for (size_t i = 0; i < r->n; i++) {
		bool on_path = order[i]->worth.path > 0;

		order[i]->found = !on_path || done[order[i]->subject.kind]++ < RANK_ZEROED;
		chosen[order[i] - r->rows] = on_path && order[i]->found;
	}
	free(order);
}

/* Subjects whose time is collected in one visit of all spans, and that are zeroed in parallel. */
struct batch {
	struct longest *longest;
	struct longest_ask **asks;   /* by subject; NULL: it is not in the batch */
	struct longest_work **works; /* by worker; NULL: it has not begun */
	struct rank_row *rows;
	size_t *subjects, n;
	double whole; /* ns: the longest path with all time */
	/* waits without a known cause; NULL: too few to change an answer */
	struct longest_ask *unknown;
	int64_t duration; /* of the trace */
	bool slack;
};

static void time_take(void *context, size_t subject, uint32_t thread, int64_t from, int64_t to)
{
	struct batch *b = context;

	longest_ask_add(b->asks[subject], thread, from, to);
}

static void row_forget(struct rank_row *row)
{
	row->found = false;
	row->zeroing = row->slack = 0;
}

/*
 * Without the row, the longest path may lead through waits without a known cause. Nobody knows how
 * long these are then: if the path without them is much shorter, nothing is said.
 */
static void row_zero(void *context, size_t i, unsigned worker)
{
	struct batch *b = context;
	struct rank_row *row = &b->rows[b->subjects[i]];
	struct longest_work *w = b->works[worker];

	if (!w)
		w = b->works[worker] = longest_work_new(b->longest);
	longest_work_load(w, b->asks[b->subjects[i]]);
	row->zeroing = b->whole - longest_work_path(w, 0).length;
	if (b->slack)
		row->slack = longest_work_slack(w);
	if (!b->unknown || row->known < b->duration)
		return;
	longest_work_add(w, b->unknown);
	if (unknown_decides((int64_t)(b->whole - row->zeroing - longest_work_path(w, 0).length),
			    (int64_t)b->whole))
		row_forget(row);
}

static void batch_zero(struct batch *b, const struct subjects *s)
{
	bool *in_batch = array_zero(s->all.n, sizeof *in_batch);

	for (size_t i = 0; i < b->n; i++) {
		in_batch[b->subjects[i]] = true;
		b->asks[b->subjects[i]] = longest_ask_new(b->longest);
	}
	subjects_each(s, in_batch, time_take, b);
	parallel_for(b->n, row_zero, b);
	for (size_t i = 0; i < b->n; i++)
		longest_ask_free(b->asks[b->subjects[i]]);
	free(in_batch);
}

/* Returns the most subjects of a batch. Each batch visits all spans, and its asks take memory. */
static size_t batch_size(const struct longest *l)
{
	size_t works = parallel_workers() * longest_work_bytes(l);
	size_t room = works < BATCH_BYTES / 2 ? BATCH_BYTES - works : BATCH_BYTES / 2;
	size_t n = room / longest_ask_bytes(l);

	return n ? n : 1;
}

static struct longest_ask *unknown_ask(const struct longest *l, const struct graph *g,
				       const struct unknown_waits *u)
{
	struct longest_ask *a = longest_ask_new(l);

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		for (size_t i = 0; i < g->threads[t].n; i++)
			if (unknown_in(u, t, i))
				longest_ask_add(a, t, g->threads[t].stretches[i].from,
						stretch_end(&g->threads[t], i));
	return a;
}

static void rows_zero(struct rank *r, const struct graph *g, const struct subjects *s,
		      const struct unknown_waits *u, bool slack)
{
	bool *chosen = array_zero(r->n, sizeof *chosen);
	struct longest *l = longest_new(g);
	size_t most = batch_size(l);
	struct batch b = {.longest = l, .rows = r->rows, .slack = slack};

	b.asks = array_zero(r->n, sizeof *b.asks);
	b.works = array_zero(parallel_workers(), sizeof *b.works);
	b.subjects = array_new(r->n, sizeof *b.subjects);
	b.whole = longest_path(l, NULL, 1).length;
	b.duration = r->duration;
	if (unknown_decides(unknown_all(u), r->duration))
		b.unknown = unknown_ask(l, g, u);
	rows_choose(r, chosen);
	for (size_t i = 0; i < r->n; i++) {
		if (chosen[i])
			b.subjects[b.n++] = i;
		if (b.n == most || (b.n && i + 1 == r->n)) {
			batch_zero(&b, s);
			b.n = 0;
		}
	}
	for (unsigned i = 0; i < parallel_workers(); i++)
		if (b.works[i])
			longest_work_free(b.works[i]);
	if (b.unknown)
		longest_ask_free(b.unknown);
	longest_free(l);
	free(b.asks);
	free(b.works);
	free(b.subjects);
	free(chosen);
}

/* ---- all ---- */

/* Of the time in which it is known; what is known all the time is compared to the nanosecond. */
static int by_part(double a, int64_t of_a, double b, int64_t of_b)
{
	a = of_a > 0 ? a / (double)of_a : 0;
	b = of_b > 0 ? b / (double)of_b : 0;
	return (a < b) - (a > b);
}

/* A lock costs most in its calls if its removal gains so many times what half the hold does. */
enum { MOSTLY_CALLS = 4 };

struct rank_gain rank_gain_of(const struct rank_row *row, bool removal)
{
	double known = (double)row->known;
	struct rank_gain g = {.known = row->whole && (removal ? row->removed : row->replayed) &&
				       row->known > 0};

	if (!g.known)
		return g;
	g.gain = (double)(removal ? row->removal : row->whatif) / known;
	g.low = (double)(removal ? row->removal_low : row->whatif_low) / known;
	/* no run is shorter by more than its length */
	g.high = fmin(1, (double)(removal ? row->removal_high : row->whatif_high) / known);
	return g;
}

char *rank_fix_text(const struct rank_row *row, bool removal)
{
	return text_format("%s:%s%s", subject_kind_name(row->subject.kind), row->subject.name,
			   removal ? "=none" : "");
}

bool rank_is_removal(const struct rank_row *row)
{
	return row->removed && (row->replayed ? row->removal > MOSTLY_CALLS * row->whatif
					      : (double)row->removal >= row->zeroing);
}

bool rank_may_gain_more(const struct rank_row *row)
{
	static const double told = 0.01;

	return row->replayed &&
	       (double)(row->whatif_unseen - row->whatif) >= told * (double)row->known;
}

static double gain_without(const struct rank_row *row)
{
	return rank_is_removal(row) ? (double)row->removal : row->zeroing;
}

static int by_gain(const void *a, const void *b)
{
	const struct rank_row *x = a, *y = b;
	int order = by_part(gain_without(x), x->known, gain_without(y), y->known);

	if (!order)
		order = by_part((double)x->worth.path, x->known, (double)y->worth.path, y->known);
	if (order)
		return order;
	return (x->worth.time < y->worth.time) - (x->worth.time > y->worth.time);
}

void rank_sort(struct rank *r)
{
	if (r->n)
		qsort(r->rows, r->n, sizeof *r->rows, by_gain);
}

/*
 * Zeroing keeps the waits without a known cause as long as they were. If the events of a row were
 * off for a part of the run, only the rest counts: what woke threads then was not logged either.
 */
static void unknown_find(struct rank *r, const struct unknown_waits *u,
			 const struct critical_path *p, const struct subjects *s)
{
	r->unknown = unknown_on(u, p, 0, r->duration);
	r->is_unknown = unknown_decides(r->unknown.time, r->duration);
	for (size_t i = 0; r->is_unknown && i < r->n; i++) {
		struct rank_row *row = &r->rows[i];
		bool whole = row->known == r->duration; /* as of most rows: the path is long */
		int64_t unknown = whole ? r->unknown.time : 0;

		for (size_t k = 0; !whole && k < s->on[i].ranges.n; k++) {
			const struct on_range *on = &s->on[i].ranges.at[k];

			unknown += unknown_on(u, p, on->from, on->to).time;
		}
		if (unknown_decides(unknown, row->known))
			row_forget(row);
	}
}

/*
 * Who spins waits for another thread, which no trace says: without that time, the run would be as
 * long.
 */
static void spinning_forget(struct rank *r, const struct samples *samples)
{
	struct spinning s = spinning_of(samples);

	for (size_t i = 0; s.counts.n && i < r->n; i++) {
		struct rank_row *row = &r->rows[i];

		row->spins =
		    (row->subject.kind == SUBJECT_FUNCTION ||
		     row->subject.kind == SUBJECT_THREAD) &&
		    spinning_mostly(&s, row->subject.kind == SUBJECT_FUNCTION, row->subject.key);
		if (row->spins)
			row_forget(row);
	}
	spinning_free(&s);
}

struct rank *rank_of(const struct instance_set *set, const struct graph *g,
		     const struct critical_path *p, unsigned kinds, bool slack)
{
	struct rank *r = array_zero(1, sizeof *r);
	struct subjects *s = subjects_of(set, g, kinds);
	struct unknown_waits *u = unknown_waits_of(g);
	const struct trace *t = set->trace;

	r->duration = t->duration;
	for (uint32_t i = 0; i < t->nthreads; i++)
		r->lives += g->threads[i].end - g->threads[i].begin;
	r->n = s->all.n;
	r->rows = array_zero(r->n, sizeof *r->rows);
	rows_weigh(r, g, p, s);
	rows_zero(r, g, s, u, slack);
	unknown_find(r, u, p, s);
	spinning_forget(r, set->samples);
	rank_sort(r);
	unknown_waits_free(u);
	subjects_free(s);
	return r;
}

void rank_free(struct rank *r)
{
	free(r->rows);
	free(r);
}
