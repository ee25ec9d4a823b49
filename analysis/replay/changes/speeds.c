#include "analysis/replay/changes/speeds.h"
#include "analysis/graph/timeline.h"
#include "base/hash.h"
#include "base/search.h"
#include <math.h>
#include <stdlib.h>

static const struct kept_time all_of_it = {1, 1};

/* A span of time, and what is left of it. */
struct open_span {
	const struct instance_span *span;
	uint32_t change;
	struct kept_time kept;
};

struct setting {
	const struct model *model;
	const struct span_choice *chosen;
	const struct span_change *changes;
	const struct speed_rules *rules;
	/* of each span, but for waits for others; NULL: none is needed */
	double *lengths;
	VECTOR(double) * measured; /* by label: the lengths */
	double *ran, *ready;       /* of each span: so long its thread ran, and could have run */
	double *slept; /* by label: how long most of its spans sleep, on average; 0: they do not */
	struct speeds *result;
	VECTOR(struct open_span) open;
};

static uint32_t change_of(const struct setting *s, const struct instance_span *span)
{
	uint32_t change = s->chosen->labels.at[span->class].change;

	return s->rules->only == NOT_CHANGED || change == s->rules->only ? change : NOT_CHANGED;
}

/* ---- how long they were ---- */

/* What a thread does for itself. */
static bool is_own(const struct stretch *s)
{
	return s->activity == ACTIVITY_RUNNING ||
	       (s->activity != ACTIVITY_READY && (s->cause_thread == NO_THREAD || s->tries));
}

static bool is_running(const struct stretch *s)
{
	return s->activity == ACTIVITY_RUNNING;
}

static bool is_ready(const struct stretch *s)
{
	return s->activity == ACTIVITY_READY;
}

/* Returns how long the thread of each span is in such stretches. */
static double *sums_of(const struct model *m, const struct span_choice *c,
		       bool (*counts)(const struct stretch *s))
{
	double *sums = array_zero(c->spans.n, sizeof *sums);

	for (uint32_t t = 0; t < m->trace->nthreads; t++) {
		struct timeline_sums all = timeline_sums_of(&m->graph->threads[t], counts);

		for (size_t i = c->first[t]; i < c->first[t + 1]; i++)
			sums[i] = (double)timeline_sums_between(&all, c->spans.at[i].start,
								c->spans.at[i].end);
		timeline_sums_free(&all);
	}
	return sums;
}

double *span_lengths(const struct model *m, const struct span_choice *c)
{
	return sums_of(m, c, is_own);
}

static double *sleeps_of(const struct setting *s)
{
	static const double little_computing = 10; /* a sleep is so many times as long */
	const struct span_choice *chosen = s->chosen;
	double *slept = array_zero(chosen->labels.n, sizeof *slept);
	size_t *n = array_zero(chosen->labels.n, sizeof *n);
	size_t *sleeps = array_zero(chosen->labels.n, sizeof *sleeps);

	for (size_t i = 0; i < chosen->spans.n; i++) {
		uint32_t label = chosen->spans.at[i].class;

		n[label]++;
		if (s->lengths[i] <= little_computing * s->ran[i])
			continue;
		sleeps[label]++;
		slept[label] += s->lengths[i];
	}
	for (size_t i = 0; i < chosen->labels.n; i++)
		slept[i] = 2 * sleeps[i] > n[i] ? slept[i] / (double)sleeps[i] : 0;
	free(n);
	free(sleeps);
	return slept;
}

static void lengths_find(struct setting *s)
{
	const struct span_choice *chosen = s->chosen;

	s->lengths = span_lengths(s->model, chosen);
	s->ran = sums_of(s->model, chosen, is_running);
	s->ready = sums_of(s->model, chosen, is_ready);
	s->slept = sleeps_of(s);
	s->measured = array_zero(s->chosen->labels.n, sizeof *s->measured);
	for (size_t i = 0; i < chosen->spans.n; i++)
		*vector_add(&s->measured[chosen->spans.at[i].class]) = s->lengths[i];
}

/* ---- one speed at a time ---- */

static void speed_add(struct speeds *s, size_t first, int64_t from, struct kept_time kept)
{
	const struct kept_time *last;

	if (s->all.n > first && s->all.at[s->all.n - 1].from == from)
		s->all.n--;
	last = s->all.n > first ? &s->all.at[s->all.n - 1].kept : NULL;
	if (!last || last->running != kept.running || last->waiting != kept.waiting)
		*vector_add(&s->all) = (struct speed){from, kept};
}

/*
 * The computing of a span that is a sleep stays, and its waits fill the rest of its new length.
 * When its thread could have run again may be estimated. In a span that slept far less than others
 * do, that estimate is too early: it is a part of the sleep.
 */
static struct kept_time sleep_kept(const struct setting *s, size_t span, double length)
{
	double slept = s->slept[s->chosen->spans.at[span].class], waited = s->lengths[span];

	if (waited < slept / 2)
		waited += s->ready[span];
	waited -= s->ran[span];
	if (waited <= 0)
		return all_of_it;
	if (length <= s->ran[span])
		return (struct kept_time){length / s->ran[span], 0};
	return (struct kept_time){1, (length - s->ran[span]) / waited};
}

static struct kept_time kept_of(const struct setting *s, const struct instance_span *span)
{
	uint32_t number = change_of(s, span);
	const struct span_change *c = number == NOT_CHANGED ? NULL : &s->changes[number];
	size_t i = (size_t)(span - s->chosen->spans.at);
	uint64_t seed = hash_mix(s->rules->seed + i * 0x9e3779b97f4a7c15);
	double length, factor;

	if (!c)
		return all_of_it;
	if (c->kind == SPAN_SPEED)
		return (struct kept_time){1 / c->factor, isinf(c->factor) ? 0 : 1};
	if (c->kind == SPAN_IO && device_is_given(&c->device))
		return (struct kept_time){1, s->rules->devices->served[i] ? 0 : 1};
	if (c->kind < SPAN_TIME)
		return (struct kept_time){1 / c->factor, 1 / c->factor};
	if (s->lengths[i] <= 0)
		return all_of_it;
	length = c->length.kind == DISTRIBUTION_FIT
		     ? fits_draw(s->rules->fits, i, span->class, seed)
		     : distribution_draw(&c->length, seed, s->measured[span->class].at,
					 s->measured[span->class].n);
	if (s->slept[span->class] > 0)
		return sleep_kept(s, i, length);
	factor = length / s->lengths[i];
	return (struct kept_time){factor, factor};
}

/* An unchanged call matters only inside a call whose own time changes. */
static bool matters(const struct setting *s, uint32_t change)
{
	const struct open_span *within = s->open.n ? &s->open.at[s->open.n - 1] : NULL;

	return change != NOT_CHANGED ||
	       (within && within->change != NOT_CHANGED && s->changes[within->change].own);
}

/* Whether a change holds in what begins within its span, and is not made again there. */
static bool goes_on(const struct setting *s, size_t at)
{
	if (s->changes[s->open.at[at].change].own)
		return false;
	for (size_t i = at + 1; i < s->open.n; i++)
		if (s->open.at[i].change == s->open.at[at].change)
			return false;
	return true;
}

static struct kept_time kept_now(const struct setting *s)
{
	struct kept_time kept = s->open.n ? s->open.at[s->open.n - 1].kept : all_of_it;

	for (size_t i = 0; s->rules->multiply && i + 1 < s->open.n; i++)
		if (s->open.at[i].change != NOT_CHANGED && goes_on(s, i)) {
			kept.running *= s->open.at[i].kept.running;
			kept.waiting *= s->open.at[i].kept.waiting;
		}
	return kept;
}

static void thread_add(struct setting *s, uint32_t thread)
{
	const struct span_choice *chosen = s->chosen;
	size_t end = chosen->first[thread + 1], first = s->result->all.n;

	*vector_add(&s->result->all) = (struct speed){INT64_MIN, all_of_it};
	s->open.n = 0;
	for (size_t i = chosen->first[thread]; i <= end; i++) {
		const struct instance_span *span = &chosen->spans.at[i];
		int64_t next = i < end ? span->start : INT64_MAX;
		uint32_t change;

		while (s->open.n && s->open.at[s->open.n - 1].span->end <= next) {
			int64_t at = s->open.at[--s->open.n].span->end;

			while (s->open.n && s->open.at[s->open.n - 1].span->end <= at)
				s->open.n--;
			speed_add(s->result, first, at, kept_now(s));
		}
		if (i == end || !matters(s, change = change_of(s, span)))
			continue;
		*vector_add(&s->open) = (struct open_span){span, change, kept_of(s, span)};
		speed_add(s->result, first, next, kept_now(s));
	}
}

struct speeds *speeds_of(const struct model *m, const struct span_choice *c,
			 const struct span_change *changes, const struct speed_rules *rules)
{
	uint32_t nthreads = m->trace->nthreads;
	struct setting s = {.model = m, .chosen = c, .changes = changes, .rules = rules};
	bool drawn = false;

	s.result = array_zero(1, sizeof *s.result);
	s.result->first = array_new(nthreads + 1, sizeof *s.result->first);
	for (size_t i = 0; i < c->labels.n; i++)
		drawn |= c->labels.at[i].change != NOT_CHANGED &&
			 changes[c->labels.at[i].change].kind >= SPAN_TIME;
	if (drawn)
		lengths_find(&s);
	for (uint32_t t = 0; t < nthreads; t++) {
		s.result->first[t] = s.result->all.n;
		thread_add(&s, t);
	}
	s.result->first[nthreads] = s.result->all.n;
	for (size_t i = 0; drawn && i < c->labels.n; i++)
		free(s.measured[i].at);
	free(s.measured);
	free(s.lengths);
	free(s.ran);
	free(s.ready);
	free(s.slept);
	free(s.open.at);
	return s.result;
}

static void thread_multiply(struct speeds *product, const struct speeds *a, const struct speeds *b,
			    uint32_t thread)
{
	size_t first = product->all.n, i = a->first[thread], k = b->first[thread];
	size_t iend = a->first[thread + 1], kend = b->first[thread + 1];

	/* each has one from INT64_MIN on */
	speed_add(product, first, INT64_MIN,
		  (struct kept_time){a->all.at[i].kept.running * b->all.at[k].kept.running,
				     a->all.at[i].kept.waiting * b->all.at[k].kept.waiting});
	while (i + 1 < iend || k + 1 < kend) {
		int64_t x = i + 1 < iend ? a->all.at[i + 1].from : INT64_MAX;
		int64_t y = k + 1 < kend ? b->all.at[k + 1].from : INT64_MAX;

		i += x <= y && i + 1 < iend;
		k += y <= x && k + 1 < kend;
		speed_add(
		    product, first, x < y ? x : y,
		    (struct kept_time){a->all.at[i].kept.running * b->all.at[k].kept.running,
				       a->all.at[i].kept.waiting * b->all.at[k].kept.waiting});
	}
}

struct speeds *speeds_product(const struct speeds *a, const struct speeds *b, uint32_t nthreads)
{
	struct speeds *product = array_zero(1, sizeof *product);

	product->first = array_new(nthreads + 1, sizeof *product->first);
	for (uint32_t t = 0; t < nthreads; t++) {
		product->first[t] = product->all.n;
		thread_multiply(product, a, b, t);
	}
	product->first[nthreads] = product->all.n;
	return product;
}

struct kept_time speeds_length(const struct speeds *s, size_t end, size_t *cursor, int64_t from,
			       int64_t to)
{
	struct kept_time sum = {0, 0};

	while (*cursor + 1 < end && s->all.at[*cursor + 1].from <= from)
		++*cursor;
	for (size_t i = *cursor; from < to; i++) {
		int64_t next =
		    i + 1 < end && s->all.at[i + 1].from < to ? s->all.at[i + 1].from : to;

		sum.running += (double)(next - from) * s->all.at[i].kept.running;
		sum.waiting += (double)(next - from) * s->all.at[i].kept.waiting;
		from = next;
	}
	return sum;
}

void speeds_free(struct speeds *s)
{
	free(s->all.at);
	free(s->first);
	free(s);
}

size_t speeds_at(const struct speeds *s, uint32_t thread, int64_t time)
{
	return s ? lower_bound(i, s->first[thread] + 1, s->first[thread + 1],
			       s->all.at[i].from <= time) -
		       1
		 : 0;
}
