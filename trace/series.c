#include "trace/series.h"
#include "trace/array.h"
#include "trace/large.h"
#include "trace/parallel.h"
#include "trace/program.h"
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

void series_put(struct series *s, const struct value *v)
{
	if (v)
		series_add(s, v);
	else
		s->undefined++;
}

/* The values of all stretches of anchors, or of events: each has a part of its own. */
struct filling {
	const struct matches *matches;
	struct formula formula; /* of a metric */
	const struct moments *events;
	const struct event_type *type;
	unsigned attribute;
	int64_t *words;
	size_t *first;           /* of each stretch, where its words may begin */
	struct series *parts;
};

static void matched_count(void *context, size_t from, size_t to)
{
	const struct filling *f = context;
	size_t *n = &f->first[from / PARALLEL_STRETCH + 1];

	for (size_t i = from; i < to; i++)
		*n += f->matches->partner_of[i] != UNMATCHED;
}

static void events_count(void *context, size_t from, size_t to)
{
	const struct filling *f = context;

	f->first[from / PARALLEL_STRETCH + 1] = to - from;
}

static void durations_fill(void *context, size_t from, size_t to)
{
	const struct filling *f = context;
	struct series *part = &f->parts[from / PARALLEL_STRETCH];

	for (size_t i = from; i < to; i++)
		if (f->matches->partner_of[i] != UNMATCHED)
			part->words[part->n++] = matches_duration(f->matches, i);
}

struct formula formula_of(const struct expr *expression)
{
	return (struct formula){expression, program_of(expression)};
}

void formula_clear(struct formula *f)
{
	program_free(f->program);
}

bool formula_value(const struct formula *f, const struct binding *b, struct value *v)
{
	union cell cell;

	if (!f->program)
		return expr_value(f->expression, b, v);
	if (!program_run(f->program, b->side, &cell))
		return false;
	v->kind = f->expression->kind;
	if (v->kind == VALUE_REAL)
		v->real = cell.real;
	else
		v->integer = cell.integer;
	return true;
}

static void metric_fill(void *context, size_t from, size_t to)
{
	const struct filling *f = context;
	struct series *part = &f->parts[from / PARALLEL_STRETCH];
	struct binding b;
	struct value v;

	for (size_t i = from; i < to; i++) {
		if (f->matches->partner_of[i] == UNMATCHED)
			continue;
		matches_bind(f->matches, i, &b);
		series_put(part, formula_value(&f->formula, &b, &v) ? &v : NULL);
	}
}

static void attribute_fill(void *context, size_t from, size_t to)
{
	const struct filling *f = context;
	struct series *part = &f->parts[from / PARALLEL_STRETCH];

	for (size_t i = from; i < to; i++) {
		struct event e;
		struct value v;

		moments_look(f->events, i, &e);
		v = record_value(f->type, f->attribute, e.record);
		series_add(part, &v);
	}
}

/* Puts the parts behind one another; where one has doubles, all have. */
static struct series parts_join(struct filling *f, size_t n, bool real)
{
	struct series s = {.words = f->words};

	for (size_t i = 0; i < n; i++)
		real |= f->parts[i].real;
	s.real = real;
	for (size_t i = 0; i < n; i++) {
		struct series *part = &f->parts[i];

		if (real && !part->real)
			series_make_real(part);
		if (part->words != s.words + s.n)
			memmove(s.words + s.n, part->words, part->n * sizeof *s.words);
		s.n += part->n;
		s.undefined += part->undefined;
	}
	return s;
}

typedef void stretch_work(void *context, size_t from, size_t to);

/* Of so many anchors or events; real: the values are doubles. */
static struct series filled(struct filling *f, size_t count, bool real, stretch_work *counting,
			    stretch_work *filling)
{
	size_t n = count / PARALLEL_STRETCH + 1;
	struct series s;

	f->first = array_zero(n + 1, sizeof *f->first);
	f->parts = array_zero(n, sizeof *f->parts);
	parallel_stretches(count, counting, f);
	for (size_t i = 0; i < n; i++)
		f->first[i + 1] += f->first[i];
	f->words = large_new(f->first[n], sizeof *f->words);
	for (size_t i = 0; i < n; i++)
		f->parts[i] = (struct series){.words = f->words + f->first[i], .real = real};
	parallel_stretches(count, filling, f);
	s = parts_join(f, n, real);
	free(f->first);
	free(f->parts);
	return s;
}

struct gathering {
	void (*fill)(void *context, size_t part, struct series *to);
	void *context;
	struct series *parts;
};

static void part_gather(void *context, size_t i, unsigned worker)
{
	const struct gathering *g = context;

	(void)worker;
	g->fill(g->context, i, &g->parts[i]);
}

struct series series_gathered(size_t n, const size_t *counts,
			      void (*fill)(void *context, size_t part, struct series *to),
			      void *context)
{
	struct filling f = {.parts = array_zero(n, sizeof *f.parts)};
	struct gathering g = {fill, context, f.parts};
	size_t all = 0;
	struct series s;

	for (size_t i = 0; i < n; i++)
		all += counts[i];
	f.words = large_new(all, sizeof *f.words);
	for (size_t i = 0, at = 0; i < n; at += counts[i++])
		f.parts[i].words = f.words + at;
	parallel_for(n, part_gather, &g);
	s = parts_join(&f, n, false);
	free(f.parts);
	return s;
}

struct series series_of_durations(const struct matches *m)
{
	struct filling f = {.matches = m};

	return filled(&f, m->count, false, matched_count, durations_fill);
}

struct series series_of_metric(const struct matches *m, const struct metric *metric)
{
	struct filling f = {.matches = m, .formula = formula_of(metric->value)};
	struct series s =
	    filled(&f, m->count, metric->value->kind == VALUE_REAL, matched_count, metric_fill);

	formula_clear(&f.formula);
	return s;
}

struct series series_of_attribute(const struct moments *events, const struct event_type *type,
				  unsigned attribute)
{
	struct filling f = {.events = events, .type = type, .attribute = attribute};

	return filled(&f, events->count, type->attributes[attribute].type == TYPE_DOUBLE,
		      events_count, attribute_fill);
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
