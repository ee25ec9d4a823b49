#include "match/stats/series.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "base/sort.h"
#include "base/spill.h"
#include "match/eval/formula.h"
#include "spec/layout.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void series_make_real(struct series *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->words[i] = sort_word_of((double)s->words[i]);
	s->real = true;
}

void series_put(struct series *s, const struct value *v)
{
	double real;

	if (v && v->kind == VALUE_INT && !s->real && v->integer >= INT64_MIN &&
	    v->integer <= INT64_MAX) {
		s->words[s->n++] = (int64_t)v->integer;
		return;
	}
	real = !v ? NAN : v->kind == VALUE_INT ? (double)v->integer : v->real;
	if (real != real) {
		s->undefined++;
		return;
	}
	if (!s->real)
		series_make_real(s);
	s->words[s->n++] = sort_word_of(real);
}

struct series_parts {
	void (*fill)(void *context, size_t part, struct series *to);
	void *context;
	struct series *parts;
};

static void part_fill(void *context, size_t i, unsigned worker)
{
	const struct series_parts *g = context;

	(void)worker;
	g->fill(g->context, i, &g->parts[i]);
}

/* Moves the parts together; where one has doubles, all have. */
static void series_join(struct series *s, struct series *parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->real |= parts[i].real;
	for (size_t i = 0; i < n; i++) {
		struct series *part = &parts[i];

		if (s->real && !part->real)
			series_make_real(part);
		if (part->words != s->words + s->n)
			memmove(s->words + s->n, part->words, part->n * sizeof *s->words);
		s->n += part->n;
		s->undefined += part->undefined;
	}
}

struct series series_gathered(size_t n, const size_t *counts, bool real,
			      void (*fill)(void *context, size_t part, struct series *to),
			      void *context)
{
	struct series_parts g = {fill, context, array_zero(n, sizeof *g.parts)};
	struct series s = {.real = real};
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += counts[i];
	s.words = spill_new(all, sizeof *s.words);
	for (size_t i = 0, at = 0; i < n; at += counts[i++])
		g.parts[i] = (struct series){.words = s.words + at, .real = real};
	parallel_for(n, part_fill, &g);
	series_join(&s, g.parts, n);
	free(g.parts);
	return s;
}

void series_clear(struct series *s)
{
	spill_free(s->words);
	s->words = NULL;
}

void series_quantiles(struct series *s, const double *q, size_t n, struct value *values)
{
	size_t *places = array_new(n, sizeof *places);
	int64_t *words = array_new(n, sizeof *words);

	for (size_t i = 0; i < n; i++)
		places[i] = quantile_place(s->n, q[i]);
	quantiles_find(s->words, s->n, places, n, words);
	for (size_t i = 0; i < n; i++) {
		if (s->real)
			values[i] =
			    (struct value){.kind = VALUE_REAL, .real = sort_double_of(words[i])};
		else
			values[i] = (struct value){.kind = VALUE_INT, .integer = words[i]};
	}
	free(places);
	free(words);
}

struct value series_quantile(struct series *s, double q)
{
	struct value v;

	series_quantiles(s, &q, 1, &v);
	return v;
}

/* Sums doubles, and carries along what rounding would lose (Neumaier). */
static double sum_doubles(const struct series *s)
{
	double sum = 0, lost = 0;

	for (size_t i = 0; i < s->n; i++) {
		double x = sort_double_of(s->words[i]), next = sum + x;

		lost += (sum < 0 ? -sum : sum) >= (x < 0 ? -x : x) ? (sum - next) + x
								   : (x - next) + sum;
		sum = next;
	}
	return lost == lost ? sum + lost : sum;
}

struct series_sum {
	const int64_t *words;
	pthread_mutex_t mutex;
	__int128 sum;
};

static void chunk_sum(void *context, size_t from, size_t to)
{
	struct series_sum *a = context;
	__int128 sum = 0;

	for (size_t i = from; i < to; i++)
		sum += a->words[i];
	pthread_mutex_lock(&a->mutex);
	a->sum += sum;
	pthread_mutex_unlock(&a->mutex);
}

struct value series_sum(const struct series *s)
{
	struct series_sum a = {.words = s->words};

	if (s->real)
		return (struct value){.kind = VALUE_REAL, .real = sum_doubles(s)};
	pthread_mutex_init(&a.mutex, NULL);
	parallel_chunks(s->n, chunk_sum, &a);
	pthread_mutex_destroy(&a.mutex);
	return (struct value){.kind = VALUE_INT, .integer = a.sum};
}

double series_mean_of(const struct series *s, const struct value *sum)
{
	return (sum->kind == VALUE_REAL ? sum->real : (double)sum->integer) / (double)s->n;
}

double series_mean(const struct series *s)
{
	struct value sum = series_sum(s);

	return series_mean_of(s, &sum);
}

/* ---- of instances and events ---- */

/* The values of all anchors, or of all events: each chunk of these fills a part of the series. */
struct series_filling {
	const struct matches *matches;
	struct formula formula; /* of a metric */
	const struct moments *events;
	const struct event_type *type;
	unsigned attribute;
	size_t count;   /* of anchors or events */
	size_t *counts; /* of values, what each chunk has at most */
};

static size_t chunk_end(const struct series_filling *f, size_t part)
{
	size_t end = (part + 1) * PARALLEL_CHUNK;

	return end < f->count ? end : f->count;
}

static void matched_count(void *context, size_t from, size_t to)
{
	const struct series_filling *f = context;
	size_t *n = &f->counts[from / PARALLEL_CHUNK];

	for (size_t i = from; i < to; i++)
		*n += f->matches->partner_of[i] != UNMATCHED;
}

static void events_count(void *context, size_t from, size_t to)
{
	const struct series_filling *f = context;

	f->counts[from / PARALLEL_CHUNK] = to - from;
}

static void durations_fill(void *context, size_t part, struct series *to)
{
	const struct series_filling *f = context;

	for (size_t i = part * PARALLEL_CHUNK; i < chunk_end(f, part); i++)
		if (f->matches->partner_of[i] != UNMATCHED)
			to->words[to->n++] = matches_duration(f->matches, i);
}

static void metric_fill(void *context, size_t part, struct series *to)
{
	const struct series_filling *f = context;
	struct binding b;
	struct value v;

	for (size_t i = part * PARALLEL_CHUNK; i < chunk_end(f, part); i++) {
		if (f->matches->partner_of[i] == UNMATCHED)
			continue;
		matches_bind(f->matches, i, f->formula.names, &b);
		series_put(to, formula_value(&f->formula, &b, &v) ? &v : NULL);
	}
}

static void attribute_fill(void *context, size_t part, struct series *to)
{
	const struct series_filling *f = context;

	for (size_t i = part * PARALLEL_CHUNK; i < chunk_end(f, part); i++) {
		struct event e;
		struct value v;

		moments_look(f->events, i, &e);
		v = record_value(f->type, f->attribute, e.record);
		series_put(to, &v);
	}
}

typedef void chunk_count(void *context, size_t from, size_t to);
typedef void chunk_fill(void *context, size_t part, struct series *to);

static struct series series_filled(struct series_filling *f, bool real, chunk_count *counting,
				   chunk_fill *filling)
{
	size_t n = (f->count + PARALLEL_CHUNK - 1) / PARALLEL_CHUNK;
	struct series s;

	f->counts = array_zero(n, sizeof *f->counts);
	parallel_chunks(f->count, counting, f);
	s = series_gathered(n, f->counts, real, filling, f);
	free(f->counts);
	return s;
}

struct series series_of_durations(const struct matches *m)
{
	struct series_filling f = {.matches = m, .count = m->count};

	return series_filled(&f, false, matched_count, durations_fill);
}

struct series series_of_metric(const struct matches *m, const struct metric *metric)
{
	struct series_filling f = {
	    .matches = m, .formula = formula_of(metric->value), .count = m->count};
	struct series s =
	    series_filled(&f, metric->value->kind == VALUE_REAL, matched_count, metric_fill);

	formula_clear(&f.formula);
	return s;
}

struct series series_of_attribute(const struct moments *events, const struct event_type *type,
				  unsigned attribute)
{
	struct series_filling f = {
	    .events = events, .type = type, .attribute = attribute, .count = events->count};

	return series_filled(&f, type->attributes[attribute].type == TYPE_DOUBLE, events_count,
			     attribute_fill);
}
