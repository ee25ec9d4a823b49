#include "viewers/nibble/sample/collect.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/task.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/format/format.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conditions conditions_of(const struct source_node *source)
{
	struct conditions c = {0};

	for (const struct source_selection *s = source->selections; s; s = s->next)
		if (s->kind == SELECTION_WHERE)
			*vector_add(&c) = formula_of(s->condition);
	for (size_t i = 0; i < c.n; i++)
		c.names |= c.at[i].names;
	return c;
}

void conditions_free(struct conditions *c)
{
	for (size_t i = 0; i < c->n; i++)
		formula_clear(&c->at[i]);
	free(c->at);
}

bool conditions_hold(const struct conditions *c, const struct binding *b, uint64_t *faults)
{
	for (size_t i = 0; i < c->n; i++)
		if (!formula_holds(&c->at[i], b, faults))
			return false;
	return true;
}

/* What one processor takes at a time. */
enum { CHUNK = 1 << 16 };

/* One processor's samples of a chunk, and what went wrong with them. */
struct worker_samples {
	_Alignas(64) struct value_samples samples;
	uint64_t faults;
};

/* The collection of one source. */
struct collection {
	const struct evaluation *evaluation;
	const struct source_node *source;
	bool *threads; /* by index; NULL: all */
	struct conditions conditions;
	struct formula metric; /* the values, when they are an interval's metric */
	struct formula family; /* what members are told apart by, when that is an expression */
	const struct event_list *list;
	const struct matches *matches; /* NULL: of events */
	bool unmatched;
	bool endless;                 /* anchors without a partner count, too: they have no end */
	bool times_only;              /* only their times are needed, and threads */
	double over;                  /* instances that end before it do not matter to the range */
	size_t first, n;              /* of the list's events or the matches' anchors */
	struct worker_samples *parts; /* of each worker */
	struct value_samples *samples;
	/* Chunks are appended in their order. */
	pthread_mutex_t mutex;
	pthread_cond_t turn;
	size_t placed;
};

static bool collect_passes(const struct collection *c, struct worker_samples *part,
			   const struct binding *b)
{
	const struct trace *t = c->evaluation->trace;

	return (!c->threads || c->threads[trace_thread_index(t, b->side[SIDE_ANCHOR].thread)]) &&
	       conditions_hold(&c->conditions, b, &part->faults);
}

static bool collect_number_of(const struct value *v, double *number)
{
	switch (v->kind) {
	case VALUE_BOOL:
		*number = v->truth;
		return true;
	case VALUE_INT:
		*number = (double)v->integer;
		return true;
	case VALUE_REAL:
		*number = v->real;
		return true;
	default:
		return false;
	}
}

static bool collect_value_of(const struct collection *c, struct worker_samples *part,
			     const struct binding *b, double *number)
{
	const struct expr_subject *s = &c->source->subject;
	const struct operand *anchor = &b->side[SIDE_ANCHOR];
	struct value v;

	if (s->metric) {
		if (formula_value(&c->metric, b, &v) && collect_number_of(&v, number))
			return true;
		part->faults++;
		return false;
	}
	*number = (double)b->duration;
	if (s->attribute < 0)
		return true;
	v = record_value(anchor->event, (unsigned)s->attribute, anchor->record);
	return collect_number_of(&v, number);
}

static int64_t operand_key(const struct trace *t, const struct operand *o, unsigned attribute)
{
	return address_key(
	    t,
	    &(struct event){
		.time = o->time, .type = o->event, .record = o->record, .thread = o->thread},
	    attribute);
}

/* Code and objects belong together by their texts: an address may be of several objects. */
static int64_t collect_key_of(const struct trace *t, const struct source_node *s,
			      const struct operand *o)
{
	unsigned attribute = (unsigned)s->per_attribute;

	if (s->per != PER_ATTRIBUTE)
		return (int64_t)o->thread;
	if (type_is_symbolic(o->event->attributes[attribute].type))
		return operand_key(t, o, attribute);
	return (int64_t)record_value(o->event, attribute, o->record).integer;
}

/* Finds a number for what an expression says of a binding; numbers are in the order of numbers. */
static bool collect_family_of(const struct collection *c, const struct binding *b, int64_t *key)
{
	const struct expr *e = c->source->per_expression;
	uint64_t faults = 0;
	struct value v;

	if (expr_is_symbolic(e)) {
		*key = operand_key(c->evaluation->trace, &b->side[e->side], e->attribute);
		return true;
	}
	if (e->kind == VALUE_BOOL) {
		*key = formula_holds(&c->family, b, &faults);
		return faults == 0;
	}
	if (e->kind == VALUE_STRING) {
		char text[STRING_MAX + 1];

		if (!expr_value(e, b, &v))
			return false;
		snprintf(text, sizeof text, "%.*s", (int)v.string.length, v.string.bytes);
		*key = text_key(c->evaluation->trace, text);
		return true;
	}
	if (!formula_value(&c->family, b, &v) || (v.kind == VALUE_REAL && v.real != v.real))
		return false;
	*key = v.kind == VALUE_REAL ? sort_word_of(v.real) : (int64_t)v.integer;
	return true;
}

static bool collect_key(const struct collection *c, struct worker_samples *part,
			const struct binding *b, int64_t *key)
{
	if (c->source->per != PER_EXPRESSION) {
		*key = collect_key_of(c->evaluation->trace, c->source, &b->side[SIDE_ANCHOR]);
		return true;
	}
	if (collect_family_of(c, b, key))
		return true;
	part->faults++;
	return false;
}

static void collect_take(struct collection *c, struct worker_samples *part, const struct binding *b,
			 double at, double end)
{
	const struct trace *t = c->evaluation->trace;
	struct value_sample one = {.at = at, .end = end};

	if (one.end < c->over || !collect_passes(c, part, b) ||
	    (c->samples->has_value && !collect_value_of(c, part, b, &one.value)))
		return;
	if (c->samples->has_key && !collect_key(c, part, b, &one.key))
		return;
	if (c->samples->has_thread)
		one.thread = trace_thread_index(t, b->side[SIDE_ANCHOR].thread);
	samples_add(&part->samples, &one);
}

static void collect_take_event(struct collection *c, struct worker_samples *part, size_t i)
{
	const struct trace *t = c->evaluation->trace;
	struct operand o;
	struct event e;

	if (c->times_only) {
		samples_add(&part->samples,
			    &(struct value_sample){.at = (double)event_list_time(c->list, i)});
		return;
	}
	event_list_look(c->list, i, &e);
	o = event_operand(t, &e);
	collect_take(c, part, &(struct binding){.side = {o, o}}, (double)e.time, (double)e.time);
}

static void take_span(const struct collection *c, struct worker_samples *part, uint32_t thread,
		      int64_t a, int64_t b)
{
	double start = (double)(a < b ? a : b), end = (double)(a < b ? b : a);

	if (end >= c->over)
		samples_add(&part->samples,
			    &(struct value_sample){
				.at = start, .end = end, .value = end - start, .thread = thread});
}

static void take_times(const struct collection *c, struct worker_samples *part, size_t k)
{
	const struct matches *m = c->matches;
	struct event anchor;
	uint32_t thread = 0;

	if (c->samples->has_thread) {
		moments_look(&m->anchors, k, &anchor);
		thread = trace_thread_index(m->anchors.trace, anchor.thread);
	} else {
		anchor.time = moments_time(&m->anchors, k);
	}
	take_span(c, part, thread, anchor.time, moments_time(&m->partners, m->partner_of[k]));
}

static void take_whole(struct collection *c, struct worker_samples *part, size_t k)
{
	const struct matches *m = c->matches;
	struct binding b;
	double at, other;

	matches_bind(m, k, c->conditions.names || c->metric.names || c->family.names, &b);
	at = (double)b.side[SIDE_ANCHOR].time;
	other = (double)b.side[SIDE_PARTNER].time;
	collect_take(c, part, &b, fmin(at, other), fmax(at, other));
}

static void take_unmatched(struct collection *c, struct worker_samples *part, size_t k)
{
	struct binding b = {.side = {moments_operand(&c->matches->anchors, k)}};
	double at = (double)b.side[SIDE_ANCHOR].time;

	collect_take(c, part, &b, at, c->endless ? INFINITY : at);
}

static void take_instance(struct collection *c, struct worker_samples *part, size_t k)
{
	if (c->matches->partner_of[k] == UNMATCHED) {
		if (c->unmatched || c->endless)
			take_unmatched(c, part, k);
	} else if (!c->unmatched && c->times_only) {
		take_times(c, part, k);
	} else if (!c->unmatched) {
		take_whole(c, part, k);
	}
}

/* Returns the place of a chunk's samples among all, once the chunks before it have theirs. */
static size_t place_chunk(struct collection *c, size_t number, size_t n)
{
	size_t at;

	pthread_mutex_lock(&c->mutex);
	while (c->placed != number)
		pthread_cond_wait(&c->turn, &c->mutex);
	at = c->samples->n;
	c->samples->n += n;
	c->placed++;
	pthread_cond_broadcast(&c->turn);
	pthread_mutex_unlock(&c->mutex);
	return at;
}

static void collect_chunk(void *context, size_t number, unsigned worker)
{
	struct collection *c = context;
	struct worker_samples *part = &c->parts[worker];
	size_t from = c->first + number * CHUNK, to = c->first + c->n;
	bool go_on = task_step(1);

	if (to - from > CHUNK)
		to = from + CHUNK;
	part->samples.n = 0;
	for (size_t i = from; i < to && go_on; i++) {
		if (c->matches)
			take_instance(c, part, i);
		else
			collect_take_event(c, part, i);
	}
	samples_copy(c->samples, place_chunk(c, number, part->samples.n), &part->samples);
}

static void collect_all(struct collection *c)
{
	unsigned workers = parallel_workers();

	c->parts = aligned_alloc(_Alignof(struct worker_samples), workers * sizeof *c->parts);
	if (!c->parts)
		array_exhausted();
	memset(c->parts, 0, workers * sizeof *c->parts);
	for (unsigned i = 0; i < workers; i++)
		c->parts[i].samples = samples_like(c->samples);
	samples_reserve(c->samples, c->n);
	pthread_mutex_init(&c->mutex, NULL);
	pthread_cond_init(&c->turn, NULL);
	task_plan((c->n + CHUNK - 1) / CHUNK);
	parallel_for((c->n + CHUNK - 1) / CHUNK, collect_chunk, c);
	pthread_mutex_destroy(&c->mutex);
	pthread_cond_destroy(&c->turn);
}

/* Counts those of the first n, in order of time, that are before a time. */
static size_t collect_count_before(const struct collection *c, size_t n, double time)
{
	return lower_bound(i, 0, n,
			   (double)(c->matches ? moments_time(&c->matches->anchors, i)
					       : event_list_time(c->list, i)) < time);
}

/*
 * Leaves out what is after the range, which no function needs, and what is before it, which only
 * counts need; if each one counts, their number is enough. The anchors of a backward interval are
 * in order, but not the starts. A family has its members whatever the range is.
 */
static void collect_narrow(struct collection *c, size_t n, enum sample_need need)
{
	struct limits range = c->evaluation->range;
	bool each = c->times_only && (!c->matches || (c->matches->matched == n && !c->unmatched));

	c->n = n;
	if (c->source->per != PER_NOTHING ||
	    (c->matches && c->matches->interval->direction != FORWARDS))
		return;
	c->n = collect_count_before(c, n, range.to + 1);
	if (need != NEED_RANGE && !(need == NEED_COUNT && each))
		return;
	c->first = collect_count_before(c, c->n, range.from);
	c->n -= c->first;
	if (need == NEED_COUNT)
		c->samples->before = c->first;
}

/* Returns which threads a source selects; NULL: all. */
static bool *threads_chosen(const struct evaluation *v, const struct source_node *source)
{
	bool *threads = evaluation_threads(v, source);

	for (unsigned i = 0; i < v->trace->nthreads; i++)
		if (!threads[i])
			return threads;
	free(threads);
	return NULL;
}

static bool asks_for_times_only(const struct collection *c)
{
	const struct expr_subject *subject = &c->source->subject;

	return !c->source->selections && !c->evaluation->threads && !c->samples->has_key &&
	       !subject->metric && (c->matches || !c->samples->has_value) &&
	       (!c->matches || !subject->has_value || subject->attribute < 0);
}

/* Whether what has no end exists to the end of the trace. */
static bool is_endless(const struct source_node *source)
{
	const struct interval *interval = source->subject.interval;

	return interval->kind == KIND_LIFE && interval->direction == FORWARDS &&
	       !source->asks_partner;
}

void samples_collect(struct evaluation *v, const struct source_node *source, enum sample_need need,
		     struct value_samples *s)
{
	const struct expr_subject *subject = &source->subject;
	struct collection c = {
	    .evaluation = v,
	    .source = source,
	    .threads = threads_chosen(v, source),
	    .conditions = conditions_of(source),
	    .unmatched = need == NEED_UNMATCHED,
	    .samples = s,
	};
	size_t n;

	if (subject->event)
		c.list = trace_events(v->trace, subject->event);
	else
		c.matches = evaluation_matches(v, subject->interval);
	c.endless = c.matches && need == NEED_ALL && is_endless(source);
	if (subject->metric)
		c.metric = formula_of(subject->metric->value);
	if (source->per == PER_EXPRESSION)
		c.family = formula_of(source->per_expression);
	n = c.matches ? c.matches->count : event_list_size(c.list);
	c.times_only = asks_for_times_only(&c);
	collect_narrow(&c, n, need);
	c.over = need == NEED_ALL && source->per == PER_NOTHING ? v->range.from : -INFINITY;
	collect_all(&c);
	for (unsigned i = 0; i < parallel_workers(); i++) {
		v->faults += c.parts[i].faults;
		samples_clear(&c.parts[i].samples);
	}
	free(c.parts);
	free(c.threads);
	conditions_free(&c.conditions);
	formula_clear(&c.metric);
	formula_clear(&c.family);
	samples_sort(s);
}
