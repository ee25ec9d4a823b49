#include "analysis/replay/answer/latencies.h"
#include "analysis/replay/answer/refusal.h"
#include "analysis/replay/answer/time_map.h"
#include "base/quantile.h"
#include "base/sort.h"
#include "match/join/match.h"
#include "spec/qualified.h"
#include <stdlib.h>

static const double quantiles[NLATENCY_NUMBERS] = {
    [LATENCY_P50] = 0.5, [LATENCY_P90] = 0.9, [LATENCY_P99] = 0.99};

const char *latency_number_name(enum latency_number n)
{
	static const char *const names[] = {[LATENCY_RATE] = "rate",
					    [LATENCY_P50] = "p50",
					    [LATENCY_P90] = "p90",
					    [LATENCY_P99] = "p99"};

	return names[n];
}

/* ---- the recorded instances ---- */

static void instance_add(struct latencies *l, struct instance_end begin, struct instance_end end)
{
	begin.instance = end.instance = (uint32_t)l->n++;
	begin.last = false;
	end.last = true;
	*vector_add(&l->ends) = begin;
	*vector_add(&l->ends) = end;
}

static void interval_add(struct latencies *l, struct trace *t, const struct interval *interval)
{
	struct matches *m = match_interval(t, interval);

	for (size_t i = 0; i < m->count; i++) {
		struct instance in;
		const struct event *begin, *end;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		matches_look(m, i, &in);
		begin = interval->direction == FORWARDS ? &in.anchor : &in.partner;
		end = interval->direction == FORWARDS ? &in.partner : &in.anchor;
		l->begins = begin->type;
		instance_add(l,
			     (struct instance_end){
				 .time = begin->time,
				 .thread = trace_thread_index(t, begin->thread),
			     },
			     (struct instance_end){
				 .time = end->time,
				 .thread = trace_thread_index(t, end->thread),
			     });
	}
	matches_free(m);
}

/* Adds the instances of all intervals of a name; returns false if there is no such interval. */
static bool intervals_add(struct latencies *l, struct trace *t)
{
	bool known = false;

	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		const struct interval *interval = t->spec->intervals[i];

		if (!interval_is_called(interval, l->name))
			continue;
		known = true;
		interval_add(l, t, interval);
	}
	return known;
}

/* Adds what a change would be about. Returns false after a report to diag. */
static bool spans_add(struct latencies *l, const struct instance_set *set, struct diag *diag)
{
	struct span_change change = {.kind = SPAN_SPEED, .what = l->name, .factor = 1};
	const char *unknown;
	struct span_choice *c = span_choice_of(set, &change, 1, &unknown);

	if (!c) {
		refuse_name(diag, set->trace, l->name);
		return false;
	}
	for (uint32_t t = 0; t < set->trace->nthreads && !c->sampled; t++)
		for (size_t i = c->first[t]; i < c->first[t + 1]; i++) {
			const struct instance_span *s = &c->spans.at[i];

			if (c->labels.at[s->class].change != NOT_CHANGED && s->end != INT64_MAX)
				instance_add(l,
					     (struct instance_end){.time = s->start, .thread = t},
					     (struct instance_end){.time = s->end, .thread = t});
		}
	if (c->sampled)
		diag_error(diag, DIAG_NOWHERE,
			   "--interval: only samples show '%s', not how long each call takes; "
			   "record with --probes functions, or define an interval",
			   l->name);
	span_choice_free(c);
	return !c->sampled;
}

static int by_thread(const void *a, const void *b)
{
	const struct instance_end *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->instance > y->instance) - (x->instance < y->instance);
}

/* ---- their numbers ---- */

/* Finds the numbers of instances whose ends are at the times in l->moved. */
static void numbers_find(struct latencies *l, double numbers[NLATENCY_NUMBERS])
{
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (size_t i = 0; i < l->n; i++) {
		int64_t begin = l->moved[2 * i], end = l->moved[2 * i + 1];

		first = begin < first ? begin : first;
		last = end > last ? end : last;
		l->words[i] = end > begin ? end - begin : 0;
	}
	numbers[LATENCY_RATE] = last > first ? (double)l->n * 1e9 / (double)(last - first) : 0;
	for (unsigned k = LATENCY_P50; k < NLATENCY_NUMBERS; k++) {
		size_t place = quantile_place(l->n, quantiles[k]);

		select_word(l->words, l->n, place);
		numbers[k] = (double)l->words[place];
	}
}

static void recorded_find(struct latencies *l, double numbers[NLATENCY_NUMBERS])
{
	for (size_t i = 0; i < l->ends.n; i++) {
		const struct instance_end *e = &l->ends.at[i];

		l->moved[2 * (size_t)e->instance + e->last] = e->time;
	}
	numbers_find(l, numbers);
}

static void replayed_find(struct latencies *l, const struct operations *o, const struct replay *r,
			  double numbers[NLATENCY_NUMBERS])
{
	struct time_map map = {0};

	for (size_t i = 0; i < l->ends.n; i++) {
		const struct instance_end *e = &l->ends.at[i];

		if (!i || e->thread != l->ends.at[i - 1].thread)
			time_map_make(&map, o, r, e->thread);
		l->moved[2 * (size_t)e->instance + e->last] = time_map_get(&map, e->time);
	}
	time_map_free(&map);
	numbers_find(l, numbers);
}

static void replay_see(void *latencies, const struct operations *o, const struct replay *r)
{
	struct latencies *l = latencies;
	double numbers[NLATENCY_NUMBERS];

	if (r->stuck)
		return;
	replayed_find(l, o, r, numbers);
	for (unsigned k = 0; k < NLATENCY_NUMBERS; k++)
		*vector_add(&l->replays[k]) = numbers[k];
}

/* ---- all ---- */

struct latencies *latencies_of(struct prediction *p, const char *name, struct diag *diag)
{
	struct latencies *l = array_zero(1, sizeof *l);
	bool good;

	l->name = name;
	good = !is_ambiguous(p->model->trace->spec, name, DIAG_NOWHERE, diag) &&
	       (intervals_add(l, p->model->trace) || spans_add(l, p->model->set, diag));
	if (good && !l->n)
		diag_error(diag, DIAG_NOWHERE, "--interval: '%s' has no instances", name);
	if (!good || !l->n) {
		latencies_free(l);
		return NULL;
	}
	qsort(l->ends.at, l->ends.n, sizeof *l->ends.at, by_thread);
	l->moved = array_new(l->ends.n, sizeof *l->moved);
	l->words = array_new(l->n, sizeof *l->words);
	p->watch = (struct replay_watch){replay_see, l};
	return l;
}

void latencies_predict(struct latencies *l, struct prediction *p)
{
	double recorded[NLATENCY_NUMBERS], unchanged[NLATENCY_NUMBERS];
	double predicted[NLATENCY_NUMBERS];
	struct operations *o;
	struct replay *r = prediction_replay_recorded(p, &o);

	recorded_find(l, recorded);
	replayed_find(l, o, r, unchanged);
	replayed_find(l, p->changed_operations, p->changed, predicted);
	for (unsigned k = 0; k < NLATENCY_NUMBERS; k++) {
		struct latency_range *range = &l->numbers[k];

		if (l->replays[k].n)
			sort_doubles(l->replays[k].at, l->replays[k].n);
		range->recorded = recorded[k];
		range->predicted = predicted[k];
		number_range(&p->interval, p->changed->duration,
			     &(struct number_basis){.recorded = recorded[k],
						    .unchanged = unchanged[k],
						    .predicted = predicted[k],
						    .replays = l->replays[k].at,
						    .n = l->replays[k].n,
						    .falls = k == LATENCY_RATE},
			     &range->low, &range->high);
	}
	replay_free(r);
	operations_free(o);
	p->watch = (struct replay_watch){0};
}

void latencies_free(struct latencies *l)
{
	for (unsigned k = 0; k < NLATENCY_NUMBERS; k++)
		free(l->replays[k].at);
	free(l->ends.at);
	free(l->moved);
	free(l->words);
	free(l);
}
