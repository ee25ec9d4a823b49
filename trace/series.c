#include "trace/series.h"
#include "trace/array.h"
#include "trace/large.h"
#include "trace/parallel.h"
#include <stdlib.h>
#include <string.h>

/* Both ways: a double as a word in the order of doubles, and back. */
static int64_t real_flip(int64_t word)
{
	return word < 0 ? word ^ INT64_MAX : word;
}

static int64_t word_of_real(double real)
{
	int64_t word;

	real += 0.0;
	memcpy(&word, &real, sizeof word);
	return real_flip(word);
}

static double real_of_word(int64_t word)
{
	double real;

	word = real_flip(word);
	memcpy(&real, &word, sizeof real);
	return real;
}

static void series_make_real(struct series *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->words[i] = word_of_real((double)s->words[i]);
	s->real = true;
}

/* The words must have room for one more. */
static void series_add(struct series *s, const struct value *v)
{
	double real = v->kind == VALUE_INT ? (double)v->integer : v->real;

	if (v->kind == VALUE_INT && !s->real && v->integer >= INT64_MIN &&
	    v->integer <= INT64_MAX) {
		s->words[s->n++] = (int64_t)v->integer;
		return;
	}
	if (real != real) {
		s->undefined++;
		return;
	}
	if (!s->real)
		series_make_real(s);
	s->words[s->n++] = word_of_real(real);
}

/* The durations of the instances of all stretches of anchors, side by side. */
struct durations {
	const struct matches *matches;
	size_t *first; /* of each stretch, the first instance */
	int64_t *words;
};

static void durations_count(void *context, size_t from, size_t to)
{
	const struct durations *d = context;
	size_t *n = &d->first[from / PARALLEL_STRETCH + 1];

	for (size_t i = from; i < to; i++)
		*n += d->matches->partner_of[i] != UNMATCHED;
}

static void durations_fill(void *context, size_t from, size_t to)
{
	const struct durations *d = context;
	int64_t *word = d->words + d->first[from / PARALLEL_STRETCH];

	for (size_t i = from; i < to; i++)
		if (d->matches->partner_of[i] != UNMATCHED)
			*word++ = matches_duration(d->matches, i);
}

struct series series_of_durations(const struct matches *m)
{
	size_t nstretches = m->count / PARALLEL_STRETCH + 1;
	struct durations d = {.matches = m,
			      .first = array_zero(nstretches + 1, sizeof *d.first),
			      .words = large_new(m->matched, sizeof *d.words)};

	parallel_stretches(m->count, durations_count, &d);
	for (size_t i = 0; i < nstretches; i++)
		d.first[i + 1] += d.first[i];
	parallel_stretches(m->count, durations_fill, &d);
	free(d.first);
	return (struct series){.n = m->matched, .words = d.words};
}

struct series series_of_metric(const struct matches *m, const struct metric *metric)
{
	struct series s = {.words = large_new(m->matched, sizeof *s.words),
			   .real = metric->value->kind == VALUE_REAL};

	for (size_t i = 0; i < m->count; i++) {
		struct binding b;
		struct value v;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		matches_bind(m, i, &b);
		if (expr_value(metric->value, &b, &v))
			series_add(&s, &v);
		else
			s.undefined++;
	}
	return s;
}

struct series series_of_attribute(const struct moments *events, const struct event_type *type,
				  unsigned attribute)
{
	struct series s = {.words = large_new(events->count, sizeof *s.words),
			   .real = type->attributes[attribute].type == TYPE_DOUBLE};

	for (size_t i = 0; i < events->count; i++) {
		struct event e;
		struct value v;

		moments_look(events, i, &e);
		v = record_value(type, attribute, e.record);
		series_add(&s, &v);
	}
	return s;
}

void series_clear(struct series *s)
{
	large_free(s->words);
	s->words = NULL;
}

void series_quantiles(struct series *s, const double *q, size_t n, struct value *values)
{
	size_t *places = array_new(n, sizeof *places);
	int64_t *words = array_new(n, sizeof *words);

	for (size_t i = 0; i < n; i++)
		places[i] = quantile_place(s->n, q[i]);
	select_words(s->words, s->n, places, n, words);
	for (size_t i = 0; i < n; i++) {
		if (s->real)
			values[i] =
			    (struct value){.kind = VALUE_REAL, .real = real_of_word(words[i])};
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

/* Real sums carry what rounding would lose along (Neumaier). */
static double real_sum(const struct series *s)
{
	double sum = 0, lost = 0;

	for (size_t i = 0; i < s->n; i++) {
		double x = real_of_word(s->words[i]), next = sum + x;

		lost += (sum < 0 ? -sum : sum) >= (x < 0 ? -x : x) ? (sum - next) + x
								   : (x - next) + sum;
		sum = next;
	}
	return lost == lost ? sum + lost : sum;
}

struct value series_sum(const struct series *s)
{
	struct value v = {.kind = VALUE_INT};

	if (s->real)
		return (struct value){.kind = VALUE_REAL, .real = real_sum(s)};
	v.integer = 0;
	for (size_t i = 0; i < s->n; i++)
		v.integer += s->words[i];
	return v;
}

double series_mean(const struct series *s)
{
	struct value sum = series_sum(s);

	return (sum.kind == VALUE_REAL ? sum.real : (double)sum.integer) / (double)s->n;
}
