#include "analysis/replay/answer/resampling.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/sort.h"
#include <stdlib.h>

/* A class with fewer lengths does not tell its spread, which is taken for this. */
enum { LEAST_MEMBERS = 8 };
static const double unknown_spread = 0.02;
/*
 * No length varies by more: classes mix what differs by design with what differs by chance. On the
 * random programs of tests/analysis/simulated, 2 % gave ranges about as good, 10 and 20 % wider
 * ones with no more truths.
 */
static const double most_spread = 0.05;

struct class_spread {
	double work, time; /* parts of a length */
};

struct drawn_operation {
	uint32_t class : 31;
	uint32_t woken : 1; /* its latency is drawn, too */
};

/* Of the work of an operation, before the first draw: it is in a list of its own. */
#define LONG_WORK UINT32_MAX

struct resampling {
	struct operations *operations;
	uint32_t *work;                /* by operation: its own; LONG_WORK */
	VECTOR(int64_t) long_works;    /* in the order of the operations */
	VECTOR(int64_t) times;         /* of delays: their own */
	struct drawn_operation *drawn; /* by operation */
	uint32_t nclasses;
	struct class_spread *spreads; /* by class */
	VECTOR(uint32_t) latencies;   /* of wake-ups on idle processors */
};

/* ---- classes ---- */

static uint64_t kind_key(const struct operation *o)
{
	bool of_lock = o->kind == OPERATION_TAKE || o->kind == OPERATION_RELEASE;

	return (uint64_t)o->kind << 32 | (of_lock ? o->what : 0);
}

/* Returns a group's number for each thread, by its name; one more for the pieces of pools. */
static uint32_t *groups_of(const struct model *m)
{
	struct hash_table names = {0};
	uint32_t n = m->trace->nthreads, *groups = array_new((size_t)n + 1, sizeof *groups);

	for (uint32_t t = 0; t < n; t++)
		groups[t] =
		    hash_table_number(&names, hash_text(m->trace->threads[t].name), 0, names.nkeys);
	groups[n] = n;
	hash_table_free(&names);
	return groups;
}

static void classes_find(struct resampling *r, const struct model *m)
{
	const struct operations *o = r->operations;
	struct hash_table numbers = {0};
	uint32_t *groups = groups_of(m), t = 0, known = m->trace->nthreads;

	for (size_t i = 0; i < o->all.n; i++) {
		const struct operation *op = &o->all.at[i];
		uint64_t before;

		while (t < o->nthreads && i >= o->first[t + 1])
			t++;
		before = i > o->first[t] ? hash_mix(kind_key(op - 1) + 1) : 0;
		r->drawn[i].class = hash_table_number(
		    &numbers, kind_key(op) ^ (uint64_t)groups[t < known ? t : known] << 40, before,
		    numbers.nkeys);
	}
	r->nclasses = (uint32_t)numbers.nkeys;
	hash_table_free(&numbers);
	free(groups);
}

/* ---- their spread ---- */

/* Waiting that no thread ends. */
static bool is_delay(const struct operation *o)
{
	return o->kind == OPERATION_DELAY || o->kind == OPERATION_SERVE;
}

static bool has_latency(const struct operation *o)
{
	return is_delay(o) || o->kind == OPERATION_TAKE || o->kind == OPERATION_WAIT ||
	       o->kind == OPERATION_MEET;
}

/*
 * Returns half the distance of the quartiles, as a part of the median. Changes the order of the
 * lengths.
 */
static double spread_of(int64_t *lengths, size_t n)
{
	int64_t low, middle, high;

	if (n < LEAST_MEMBERS)
		return unknown_spread;
	select_word(lengths, n, n / 4);
	low = lengths[n / 4];
	select_word(lengths, n, n / 2);
	middle = lengths[n / 2];
	select_word(lengths, n, n - 1 - n / 4);
	high = lengths[n - 1 - n / 4];
	if ((double)(high - low) >= 2 * most_spread * (double)middle)
		return high > low ? most_spread : 0;
	return (double)(high - low) / 2 / (double)middle;
}

/* Returns where the operations of each class begin in a list that has them class by class. */
static size_t *classes_begin(const struct resampling *r)
{
	size_t *first = array_zero((size_t)r->nclasses + 1, sizeof *first);

	for (size_t i = 0; i < r->operations->all.n; i++)
		first[r->drawn[i].class + 1]++;
	for (uint32_t c = 1; c <= r->nclasses; c++)
		first[c] += first[c - 1];
	return first;
}

/* Classes whose lengths are listed at once: all of them might need as much as the operations. */
struct class_batch {
	uint32_t from, end;
	/* by class: where it begins in a list of all; up to where it is listed in the batch */
	size_t *first, *at;
	int64_t *lengths; /* class by class */
	size_t room;
};

/* Lists the work or the time of operations of a batch. */
static void lengths_list(const struct resampling *r, struct class_batch *b, bool work)
{
	for (uint32_t c = b->from; c < b->end; c++)
		b->at[c] = b->first[c] - b->first[b->from];
	for (size_t i = 0; i < r->operations->all.n; i++) {
		const struct operation *o = &r->operations->all.at[i];
		uint32_t class = r->drawn[i].class;

		if (class >= b->from && class < b->end)
			b->lengths[b->at[class]++] = work ? o->work : o->time;
	}
}

static double class_spread(const struct class_batch *b, uint32_t class)
{
	return spread_of(b->lengths + (b->first[class] - b->first[b->from]),
			 b->first[class + 1] - b->first[class]);
}

static void batch_spread(struct resampling *r, struct class_batch *b)
{
	size_t n = b->first[b->end] - b->first[b->from];

	b->lengths = vector_reserve(b->lengths, n, &b->room, sizeof *b->lengths);
	lengths_list(r, b, true);
	for (uint32_t c = b->from; c < b->end; c++)
		r->spreads[c].work = class_spread(b, c);
	lengths_list(r, b, false);
	for (uint32_t c = b->from; c < b->end; c++)
		r->spreads[c].time = class_spread(b, c);
}

static void spreads_find(struct resampling *r)
{
	enum { BATCHES = 4 };
	size_t most = r->operations->all.n / BATCHES;
	struct class_batch b = {.first = classes_begin(r)};

	r->spreads = array_new(r->nclasses, sizeof *r->spreads);
	b.at = array_new(r->nclasses, sizeof *b.at);
	for (; b.from < r->nclasses; b.from = b.end) {
		b.end = b.from + 1;
		while (b.end < r->nclasses && b.first[b.end + 1] - b.first[b.from] <= most)
			b.end++;
		batch_spread(r, &b);
	}
	free(b.lengths);
	free(b.first);
	free(b.at);
}

/* ---- draws ---- */

/* Returns a length that is longer or shorter by at most a part of it. */
static int64_t varied(int64_t length, double spread, uint64_t random)
{
	double unit = (double)(random >> 11) / (double)(UINT64_C(1) << 52) - 1;

	return (int64_t)((double)length * (1 + spread * unit) + 0.5);
}

/* Returns the own work of an operation; they are asked for in their order. */
static int64_t own_work(const struct resampling *r, size_t operation, size_t *long_work)
{
	uint32_t work = r->work[operation];

	return work == LONG_WORK ? r->long_works.at[(*long_work)++] : work;
}

void resampling_draw(struct resampling *r, uint64_t seed)
{
	struct operations *o = r->operations;
	size_t delay = 0, long_work = 0;

	for (size_t i = 0; i < o->all.n; i++) {
		struct operation *op = &o->all.at[i];
		const struct class_spread *spread = &r->spreads[r->drawn[i].class];
		uint64_t random = hash_mix(seed + i * 0x9e3779b97f4a7c15);

		op->work = varied(own_work(r, i, &long_work), spread->work, random);
		random = hash_mix(random);
		if (is_delay(op))
			op->time = varied(r->times.at[delay++], spread->time, random);
		if (r->drawn[i].woken)
			op->latency = r->latencies.at[hash_mix(random) % r->latencies.n];
	}
}

/* ---- all ---- */

/* Keeps what draws change. */
static void own_keep(struct resampling *r)
{
	const struct operations *o = r->operations;

	r->work = array_new(o->all.n, sizeof *r->work);
	for (size_t i = 0; i < o->all.n; i++) {
		const struct operation *op = &o->all.at[i];

		r->work[i] = op->work >= 0 && op->work < LONG_WORK ? (uint32_t)op->work : LONG_WORK;
		if (r->work[i] == LONG_WORK)
			*vector_add(&r->long_works) = op->work;
		if (is_delay(op))
			*vector_add(&r->times) = op->time;
		r->drawn[i].woken =
		    has_latency(op) && op->latency == NO_LATENCY && r->latencies.n != 0;
	}
}

struct resampling *resampling_of(const struct model *m, struct operations *o)
{
	struct resampling *r = array_zero(1, sizeof *r);

	r->operations = o;
	r->drawn = array_new(o->all.n, sizeof *r->drawn);
	for (size_t i = 0; i < o->all.n; i++) {
		const struct operation *op = &o->all.at[i];

		if (has_latency(op) && op->latency != NO_LATENCY && !op->switched)
			*vector_add(&r->latencies) = op->latency;
	}
	classes_find(r, m);
	spreads_find(r);
	own_keep(r);
	return r;
}

void resampling_end(struct resampling *r)
{
	size_t delay = 0, long_work = 0;

	for (size_t i = 0; i < r->operations->all.n; i++) {
		struct operation *o = &r->operations->all.at[i];

		o->work = own_work(r, i, &long_work);
		if (is_delay(o))
			o->time = r->times.at[delay++];
		if (r->drawn[i].woken)
			o->latency = NO_LATENCY;
	}
	free(r->spreads);
	free(r->latencies.at);
	free(r->drawn);
	free(r->work);
	free(r->long_works.at);
	free(r->times.at);
	free(r);
}
