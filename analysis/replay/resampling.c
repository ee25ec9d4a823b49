#include "analysis/replay/resampling.h"
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

/* What of an operation varies. */
struct operation_lengths {
	int64_t work, time;
	uint32_t latency;
};

struct class_spread {
	double work, time; /* parts of a length */
};

struct resampling {
	struct operations *operations;
	struct operation_lengths *own; /* by operation */
	uint32_t *class_of;            /* by operation */
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
		r->class_of[i] = hash_table_number(
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

/*
 * Sets *first to where the operations of each class begin in the result, which has them class by
 * class.
 */
static size_t *members_of(const struct resampling *r, size_t **first)
{
	size_t n = r->operations->all.n, *members = array_new(n, sizeof *members);
	size_t *at = array_zero((size_t)r->nclasses + 2, sizeof *at);

	for (size_t i = 0; i < n; i++)
		at[r->class_of[i] + 2]++;
	for (uint32_t c = 2; c < r->nclasses + 2; c++)
		at[c] += at[c - 1];
	for (size_t i = 0; i < n; i++)
		members[at[r->class_of[i] + 1]++] = i;
	*first = at;
	return members;
}

static void spreads_find(struct resampling *r)
{
	size_t *first, *members = members_of(r, &first);
	int64_t *lengths = array_new(r->operations->all.n, sizeof *lengths);

	r->spreads = array_new(r->nclasses, sizeof *r->spreads);
	for (uint32_t c = 0; c < r->nclasses; c++) {
		size_t n = first[c + 1] - first[c];

		for (size_t i = 0; i < n; i++)
			lengths[i] = r->own[members[first[c] + i]].work;
		r->spreads[c].work = spread_of(lengths, n);
		for (size_t i = 0; i < n; i++)
			lengths[i] = r->own[members[first[c] + i]].time;
		r->spreads[c].time = spread_of(lengths, n);
	}
	free(lengths);
	free(members);
	free(first);
}

/* ---- draws ---- */

/* Returns a length that is longer or shorter by at most a part of it. */
static int64_t varied(int64_t length, double spread, uint64_t random)
{
	double unit = (double)(random >> 11) / (double)(UINT64_C(1) << 52) - 1;

	return (int64_t)((double)length * (1 + spread * unit) + 0.5);
}

void resampling_draw(struct resampling *r, uint64_t seed)
{
	struct operations *o = r->operations;

	for (size_t i = 0; i < o->all.n; i++) {
		struct operation *op = &o->all.at[i];
		const struct class_spread *spread = &r->spreads[r->class_of[i]];
		uint64_t random = hash_mix(seed + i * 0x9e3779b97f4a7c15);

		op->work = varied(r->own[i].work, spread->work, random);
		random = hash_mix(random);
		if (is_delay(op))
			op->time = varied(r->own[i].time, spread->time, random);
		if (has_latency(op) && r->own[i].latency == NO_LATENCY && r->latencies.n)
			op->latency = r->latencies.at[hash_mix(random) % r->latencies.n];
	}
}

/* ---- all ---- */

struct resampling *resampling_of(const struct model *m, struct operations *o)
{
	struct resampling *r = array_zero(1, sizeof *r);

	r->operations = o;
	r->own = array_new(o->all.n, sizeof *r->own);
	r->class_of = array_new(o->all.n, sizeof *r->class_of);
	for (size_t i = 0; i < o->all.n; i++) {
		const struct operation *op = &o->all.at[i];

		r->own[i] = (struct operation_lengths){op->work, op->time, op->latency};
		if (has_latency(op) && op->latency != NO_LATENCY && !op->switched)
			*vector_add(&r->latencies) = op->latency;
	}
	classes_find(r, m);
	spreads_find(r);
	return r;
}

void resampling_end(struct resampling *r)
{
	for (size_t i = 0; i < r->operations->all.n; i++) {
		struct operation *o = &r->operations->all.at[i];

		o->work = r->own[i].work;
		o->time = r->own[i].time;
		o->latency = r->own[i].latency;
	}
	free(r->spreads);
	free(r->latencies.at);
	free(r->class_of);
	free(r->own);
	free(r);
}
