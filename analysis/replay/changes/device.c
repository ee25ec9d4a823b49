#include "analysis/replay/changes/device.h"
#include "analysis/graph/timeline.h"
#include "spec/layout.h"
#include "trace/log/cursor.h"
#include "trace/open/opened.h"
#include <stdlib.h>

enum { UNKNOWN_BYTES = -1 };

/* Where a span's event with its bytes is expected. */
struct expected {
	int64_t time, start;
	size_t span;
	const struct event_type *type;
};

struct device_search {
	const struct model *model;
	const struct span_choice *chosen;
	const struct span_change *changes;
	struct devices *result;
	uint32_t *of_label;               /* by label: the device; NOT_CHANGED: none */
	int64_t *bytes;                   /* by span */
	VECTOR(struct expected) expected; /* of one thread, in the order of its events */
};

/* ---- which labels are of devices ---- */

static uint32_t device_of_change(struct device_search *f, uint32_t change)
{
	for (uint32_t i = 0; i < f->result->all.n; i++)
		if (f->result->all.at[i].change == change)
			return i;
	*vector_add(&f->result->all) = (struct device){.change = change};
	return (uint32_t)f->result->all.n - 1;
}

static void labels_find(struct device_search *f)
{
	for (size_t i = 0; i < f->chosen->labels.n; i++) {
		uint32_t change = f->chosen->labels.at[i].change;
		bool is = change != NOT_CHANGED && f->changes[change].kind == SPAN_IO &&
			  device_is_given(&f->changes[change].device);

		f->of_label[i] = is ? device_of_change(f, change) : NOT_CHANGED;
	}
}

/* ---- how many bytes ---- */

static int by_time(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->start < y->start) - (x->start > y->start); /* an inner one ends first */
}

static void expect(struct device_search *f, size_t i)
{
	const struct instance_span *s = &f->chosen->spans.at[i];
	const struct chosen_label *l = &f->chosen->labels.at[s->class];

	f->bytes[i] = UNKNOWN_BYTES;
	if (f->of_label[s->class] == NOT_CHANGED || !l->start || s->end == INT64_MAX)
		return;
	if (l->end->bytes_attribute >= 0)
		*vector_add(&f->expected) = (struct expected){s->end, s->start, i, l->end};
	else if (l->start->bytes_attribute >= 0)
		*vector_add(&f->expected) = (struct expected){s->start, s->start, i, l->start};
}

/* Gives an event to the first span that expects it and has none yet; *at: the first that may. */
static void event_take(struct device_search *f, size_t *at, const struct event *e)
{
	while (*at < f->expected.n && f->expected.at[*at].time < e->time)
		++*at;
	for (size_t i = *at; i < f->expected.n && f->expected.at[i].time == e->time; i++) {
		struct expected *x = &f->expected.at[i];
		struct value v;

		if (x->type != e->type)
			continue;
		v = record_value(e->type, (unsigned)e->type->bytes_attribute, e->record);
		f->bytes[x->span] = v.integer < 0 ? UNKNOWN_BYTES : (int64_t)v.integer;
		x->type = NULL;
		return;
	}
}

static void thread_read(struct device_search *f, uint32_t thread)
{
	const struct trace *t = f->model->trace;
	struct log_cursor c;
	size_t at = 0;

	f->expected.n = 0;
	for (size_t i = f->chosen->first[thread]; i < f->chosen->first[thread + 1]; i++)
		expect(f, i);
	if (!f->expected.n)
		return;
	qsort(f->expected.at, f->expected.n, sizeof *f->expected.at, by_time);
	log_cursor_open(&c, &opened_of(t)->logs[thread]);
	while (at < f->expected.n && log_cursor_next(&c)) {
		struct event e = {.time = c.time - t->origin, .record = c.record};

		if (c.type == NO_TYPE)
			continue;
		e.type = t->spec->events[c.type];
		if (e.type->bytes_attribute >= 0)
			event_take(f, &at, &e);
	}
}

/* ---- requests ---- */

static bool is_own_wait(const struct stretch *s)
{
	return s->activity != ACTIVITY_RUNNING && s->activity != ACTIVITY_READY &&
	       s->cause_thread == NO_THREAD;
}

static bool is_others_wait(const struct stretch *s)
{
	return s->activity != ACTIVITY_RUNNING && s->activity != ACTIVITY_READY &&
	       s->cause_thread != NO_THREAD;
}

/* Whether an instance is the device's: what waited for another thread is that thread's doing. */
static bool is_request(const struct device_model *m, int64_t own, int64_t others)
{
	return own > 0 || (m->all && others <= 0);
}

static void request_add(struct device_search *f, struct device *d, size_t span)
{
	const struct device_model *m = &f->changes[d->change].device;
	int64_t length = device_time(m, (uint64_t)f->bytes[span]);

	*vector_add(&f->result->requests) = (struct device_request){
	    f->chosen->spans.at[span].start, length, (uint32_t)(d - f->result->all.at)};
	f->result->served[span] = true;
	d->requests++;
	d->bytes += (uint64_t)f->bytes[span];
	d->busy += length;
}

static void thread_request(struct device_search *f, uint32_t thread)
{
	const struct timeline *l = &f->model->graph->threads[thread];
	struct timeline_sums own = timeline_sums_of(l, is_own_wait),
			     others = timeline_sums_of(l, is_others_wait);

	for (size_t i = f->chosen->first[thread]; i < f->chosen->first[thread + 1]; i++) {
		const struct instance_span *s = &f->chosen->spans.at[i];
		uint32_t number = f->of_label[s->class];
		struct device *d = number == NOT_CHANGED ? NULL : &f->result->all.at[number];

		if (!d)
			continue;
		if (f->bytes[i] == UNKNOWN_BYTES) {
			d->without++;
			continue;
		}
		d->instances++;
		if (is_request(&f->changes[d->change].device,
			       timeline_sums_between(&own, s->start, s->end),
			       timeline_sums_between(&others, s->start, s->end)))
			request_add(f, d, i);
	}
	timeline_sums_free(&own);
	timeline_sums_free(&others);
}

/* Returns why a device cannot be replayed, or NULL. */
static char *device_refuse(const struct device_search *f, const struct device *d)
{
	const char *what = f->changes[d->change].what;

	if (!d->instances)
		return text_format(
		    "no event has the number of bytes that '%s' reads or writes: give it the style "
		    "(bytes \"ATTRIBUTE\") in the specification, or name other input and "
		    "output, such as Read and Write of the probe io",
		    what);
	if (!d->requests)
		return text_format(
		    "no thread waited in '%s', because the data was in memory; "
		    "--io '%s=BANDWIDTH,LATENCY,all' sends all requests to the device",
		    what, what);
	return NULL;
}

/* ---- all ---- */

struct devices *devices_of(const struct model *m, const struct span_choice *c,
			   const struct span_change *changes, char **refusal)
{
	struct device_search f = {.model = m, .chosen = c, .changes = changes};
	uint32_t nthreads = m->trace->nthreads;
	struct devices *d = f.result = array_zero(1, sizeof *d);

	d->first = array_new((size_t)nthreads + 1, sizeof *d->first);
	d->served = array_zero(c->spans.n, sizeof *d->served);
	f.of_label = array_new(c->labels.n, sizeof *f.of_label);
	f.bytes = array_new(c->spans.n, sizeof *f.bytes);
	labels_find(&f);
	for (uint32_t t = 0; t < nthreads; t++) {
		d->first[t] = d->requests.n;
		thread_read(&f, t);
		thread_request(&f, t);
	}
	d->first[nthreads] = d->requests.n;
	*refusal = NULL;
	for (size_t i = 0; i < d->all.n && !*refusal; i++)
		*refusal = device_refuse(&f, &d->all.at[i]);
	free(f.of_label);
	free(f.bytes);
	free(f.expected.at);
	if (!*refusal)
		return d;
	devices_free(d);
	return NULL;
}

void devices_free(struct devices *d)
{
	free(d->all.at);
	free(d->requests.at);
	free(d->first);
	free(d->served);
	free(d);
}
