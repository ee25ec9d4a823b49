#include "analysis/activity/thread_walk.h"
#include "base/base64.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "config.h"
#include "formats/export.h"
#include "formats/otlp_spans.h"
#include "spec/layout.h"
#include "trace/address.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	/* A line ends after so many spans, events and links. */
	LINE_ENTRIES = 512,
	/* A span has at most so many; it says how many more there were. */
	SPAN_EVENTS = 1000,
	SPAN_LINKS = 128,
	TRACE_ID = 2 * 16 + 1,
};

struct span_event {
	int64_t time;
	uint32_t type;
	const unsigned char *record;
};

/* Events in an open span. */
struct span_events {
	VECTOR(struct span_event) list;
	uint64_t dropped;
};

struct otlp_export {
	const struct export_request *request;
	struct trace *trace;
	struct otlp_spans spans;
	struct json json;
	char trace_id[TRACE_ID];
	bool *wanted;                     /* by event type: events that spans have */
	uint64_t dropped, outside, links; /* left out: events in full spans and in none, links */
	uint64_t done, total;             /* spans */
	/* The line that is being written. */
	uint32_t process;
	unsigned entries; /* 0: there is none */
	/* The thread that is being written. */
	size_t thread;
	otlp_open_vector open;
	VECTOR(struct span_events) events; /* as open; those behind it are empty */
};

/* ---- values ---- */

static void value_begin(struct json *j, const char *prefix, const char *name)
{
	char *key = text_format("%s%s", prefix, name);

	json_object(j, NULL);
	json_string(j, "key", key);
	json_object(j, "value");
	free(key);
}

static void value_end(struct json *j)
{
	json_close(j);
	json_close(j);
}

static void text_write(struct json *j, const char *key, const char *text)
{
	value_begin(j, "", key);
	json_string(j, "stringValue", text);
	value_end(j);
}

/* 64 bits are decimal strings in the JSON of protocol buffers. */
static void digits_write(struct json *j, const char *key, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, number);
	json_string(j, key, text);
}

static void whole_write(struct json *j, __int128 number)
{
	char text[24];

	if (number > INT64_MAX) {
		digits_write(j, "stringValue", (uint64_t)number);
		return;
	}
	snprintf(text, sizeof text, "%" PRId64, (int64_t)number);
	json_string(j, "intValue", text);
}

static void number_write(struct json *j, const char *key, uint64_t number)
{
	value_begin(j, "", key);
	whole_write(j, number);
	value_end(j);
}

static void real_write(struct json *j, double number)
{
	if (isfinite(number))
		json_real(j, "doubleValue", number);
	else
		json_string(j, "doubleValue",
			    isnan(number) ? "NaN"
			    : number > 0  ? "Infinity"
					  : "-Infinity");
}

/* Texts must be UTF-8; others are bytes. */
static void bytes_write(struct json *j, const char *bytes, size_t length)
{
	char *text = NULL;
	size_t size;
	FILE *memory;

	if (utf8_check(bytes, length) == length) {
		json_bytes(j, "stringValue", bytes, length);
		return;
	}
	memory = open_memstream(&text, &size);
	if (!memory)
		array_exhausted();
	base64_write(memory, (const unsigned char *)bytes, length);
	if (fclose(memory) != 0)
		array_exhausted();
	json_string(j, "bytesValue", text);
	free(text);
}

static void value_write(struct json *j, const struct value *v)
{
	if (v->kind == VALUE_STRING)
		bytes_write(j, v->string.bytes, v->string.length);
	else if (v->kind == VALUE_REAL)
		real_write(j, v->real);
	else if (v->kind == VALUE_BOOL)
		json_bool(j, "boolValue", v->truth);
	else
		whole_write(j, v->integer);
}

/* Writes "PREFIX.NAME" of each attribute; beside addresses what people call them. */
static void attributes_write(struct otlp_export *o, const char *prefix, const struct event *e)
{
	struct json *j = &o->json;
	char buffer[ADDRESS_TEXT];

	for (unsigned i = 0; i < e->type->nattributes; i++) {
		const struct attribute *a = &e->type->attributes[i];
		struct value v = record_value(e->type, i, e->record);
		const char *text;

		if (event_attribute_is_internal(e->type, i))
			continue;
		value_begin(j, prefix, a->name);
		value_write(j, &v);
		value_end(j);
		if (!type_is_address(a->type))
			continue;
		text = address_text(o->trace, buffer, e, i);
		if (strncmp(text, "0x", 2) != 0) {
			char *key = text_format("%s%s.name", prefix, a->name);

			text_write(j, key, text);
			free(key);
		}
	}
}

/* ---- lines ---- */

static void resource_write(struct json *j, const struct trace_process *p)
{
	json_object(j, "resource");
	json_array(j, "attributes");
	text_write(j, "service.name", *p->program ? p->program : "unknown_service");
	if (p->pid)
		number_write(j, "process.pid", p->pid);
	if (p->rank)
		number_write(j, "glimpse.rank", p->rank);
	json_close(j);
	json_close(j);
}

static void line_end(struct otlp_export *o)
{
	if (!o->entries)
		return;
	while (o->json.depth)
		json_close(&o->json);
	o->entries = 0;
}

/* Begins a line if there is none, or that of another process. */
static void line_continue(struct otlp_export *o)
{
	uint32_t process = o->trace->threads[o->thread].directory;
	struct json *j = &o->json;

	if (o->entries >= LINE_ENTRIES || (o->entries && process != o->process))
		line_end(o);
	if (o->entries)
		return;
	o->process = process;
	json_object(j, NULL);
	json_array(j, "resourceSpans");
	json_object(j, NULL);
	resource_write(j, &o->trace->processes[process]);
	json_array(j, "scopeSpans");
	json_object(j, NULL);
	json_object(j, "scope");
	json_string(j, "name", "glimpse");
	json_string(j, "version", PACKAGE_VERSION);
	json_close(j);
	json_array(j, "spans");
}

/* ---- a span ---- */

static void id_write(struct json *j, const char *key, uint64_t number)
{
	char text[17];

	snprintf(text, sizeof text, "%016" PRIx64, number);
	json_string(j, key, text);
}

static void moment_write(struct otlp_export *o, const char *key, int64_t time)
{
	const struct trace *t = o->trace;
	int64_t origin = t->origin_real ? t->origin_real : t->origin;

	digits_write(&o->json, key, (uint64_t)origin + (uint64_t)time);
}

static void metrics_write(struct json *j, const struct otlp_interval *i, size_t anchor)
{
	const struct interval *interval = i->role.interval;
	struct binding b;
	struct value v;

	if (interval->nmetrics)
		matches_bind(i->matches, anchor, true, &b);
	for (unsigned k = 0; k < interval->nmetrics; k++) {
		if (!expr_value(interval->metrics[k].value, &b, &v))
			continue; /* it overflowed: there is no value */
		value_begin(j, "metric.", interval->metrics[k].name);
		value_write(j, &v);
		value_end(j);
	}
}

static void link_write(struct otlp_export *o, uint64_t span, const char *why)
{
	struct json *j = &o->json;

	json_object(j, NULL);
	json_string(j, "traceId", o->trace_id);
	id_write(j, "spanId", span);
	json_array(j, "attributes");
	text_write(j, "glimpse.link", why);
	json_close(j);
	json_close(j);
	o->entries++;
}

/* Links a span with that of the other thread, and with the causes that let its end go on. */
static void links_write(struct otlp_export *o, const struct otlp_span *span,
			const unsigned char *last)
{
	const struct otlp_spans *s = &o->spans;
	const struct otlp_caused *c = otlp_causes_of(s, last), *end = s->caused.at + s->caused.n;
	bool is_cause = s->intervals.at[span->interval].role.kind == KIND_CAUSE;
	uint64_t n = 0, dropped = 0;

	json_array(&o->json, "links");
	if (span->other) {
		link_write(o, span->other, "partner");
		n++;
	}
	for (; !is_cause && c < end && c->record == last; c++)
		if (n++ < SPAN_LINKS)
			link_write(o, c->cause, "cause");
		else
			dropped++;
	json_close(&o->json);
	if (dropped)
		json_uint(&o->json, "droppedLinksCount", dropped);
	o->links += dropped;
}

static void span_events_write(struct otlp_export *o, struct span_events *events)
{
	struct json *j = &o->json;

	json_array(j, "events");
	for (size_t i = 0; i < events->list.n; i++) {
		const struct span_event *s = &events->list.at[i];
		struct event e = {.type = o->trace->spec->events[s->type], .record = s->record};

		e.time = s->time;
		e.thread = o->trace->threads[o->thread].number;
		json_object(j, NULL);
		moment_write(o, "timeUnixNano", s->time);
		json_string(j, "name", e.type->name);
		json_array(j, "attributes");
		attributes_write(o, "", &e);
		json_close(j);
		json_close(j);
	}
	json_close(j);
	if (events->dropped)
		json_uint(j, "droppedEventsCount", events->dropped);
	o->entries += (unsigned)events->list.n;
	o->dropped += events->dropped;
}

/* Calls are named by their functions. */
static const char *span_name(const struct otlp_export *o, const struct role *r,
			     const struct event *start, char buffer[ADDRESS_TEXT])
{
	if (r->kind != KIND_CALL || r->start.code[0] < 0)
		return r->interval->name;
	return address_function(o->trace, buffer, start, (unsigned)r->start.code[0]);
}

static void span_attributes(struct otlp_export *o, const struct otlp_span *span,
			    const struct event *start, const struct event *end)
{
	const struct otlp_interval *i = &o->spans.intervals.at[span->interval];
	const struct trace_thread *thread = &o->trace->threads[o->thread];
	const char *kind = interval_kind_name(i->role.kind);
	struct json *j = &o->json;

	json_array(j, "attributes");
	text_write(j, "glimpse.interval", i->role.interval->name);
	if (kind)
		text_write(j, "glimpse.kind", kind);
	number_write(j, "thread.id", thread->tid ? thread->tid : thread->number);
	text_write(j, "thread.name", thread->name);
	number_write(j, "glimpse.start.thread", start->thread);
	number_write(j, "glimpse.end.thread", end->thread);
	attributes_write(o, "start.", start);
	attributes_write(o, "end.", end);
	metrics_write(j, i, span->anchor);
	json_close(j);
}

/* events: NULL: it has none. */
static void span_write(struct otlp_export *o, const struct otlp_span *span,
		       struct span_events *events)
{
	enum { INTERNAL = 1, PRODUCER = 4, CONSUMER = 5 };
	const struct otlp_interval *i = &o->spans.intervals.at[span->interval];
	bool forwards = i->role.interval->direction == FORWARDS;
	const struct event *start, *end;
	struct json *j = &o->json;
	struct instance instance;
	char buffer[ADDRESS_TEXT];

	matches_look(i->matches, span->anchor, &instance);
	start = forwards ? &instance.anchor : &instance.partner;
	end = forwards ? &instance.partner : &instance.anchor;
	line_continue(o);
	o->entries++;
	json_object(j, NULL);
	json_string(j, "traceId", o->trace_id);
	id_write(j, "spanId", otlp_span_number(&o->spans, span));
	if (span->parent)
		id_write(j, "parentSpanId", span->parent);
	json_string(j, "name", span_name(o, &i->role, start, buffer));
	json_uint(j, "kind", !span->crosses ? INTERNAL : forwards ? PRODUCER : CONSUMER);
	moment_write(o, "startTimeUnixNano", span->start);
	moment_write(o, "endTimeUnixNano", span->end);
	span_attributes(o, span, start, end);
	if (events && events->list.n)
		span_events_write(o, events);
	links_write(o, span, end->record);
	json_close(j);
	progress_step(++o->done, o->total);
}

/* ---- a thread ---- */

/* Writes the open spans down to the n outermost. */
static void close_down_to(struct otlp_export *o, size_t n)
{
	while (o->open.n > n) {
		size_t span = o->open.at[--o->open.n].span;
		struct span_events *events = &o->events.at[o->open.n];

		span_write(o, &o->spans.threads[o->thread].at[span], events);
		events->list.n = 0;
		events->dropped = 0;
	}
}

static void event_take(struct otlp_export *o, const struct thread_walk *w)
{
	struct span_events *events;
	size_t n;

	if (!o->wanted[w->type])
		return;
	n = otlp_open_at(&o->open, w->time);
	if (!n) {
		o->outside++;
		return;
	}
	events = &o->events.at[n - 1];
	if (events->list.n == SPAN_EVENTS)
		events->dropped++;
	else
		*vector_add(&events->list) = (struct span_event){w->time, w->type, w->record};
}

/* Opens a span; those that end before it have no more events, for it is nearer to them. */
static void span_open(struct otlp_export *o, size_t i)
{
	const struct otlp_span *span = &o->spans.threads[o->thread].at[i];

	if (!span->encloses) {
		span_write(o, span, NULL);
		return;
	}
	close_down_to(o, otlp_open_at(&o->open, span->end));
	*vector_add(&o->open) = (struct otlp_open){span->end, i};
	if (o->events.n < o->open.n)
		vector_add(&o->events);
}

static void thread_write(struct otlp_export *o, size_t thread)
{
	size_t n = o->spans.threads[thread].n;
	struct thread_walk walk = {0};
	bool more;

	o->thread = thread;
	thread_walk_open(&walk, o->trace, thread);
	more = thread_walk_next(&walk);
	for (size_t i = 0; i <= n; i++) {
		for (; more && (i == n || walk.time < o->spans.threads[thread].at[i].start);
		     more = thread_walk_next(&walk))
			event_take(o, &walk);
		if (i < n)
			span_open(o, i);
	}
	close_down_to(o, 0);
}

/* ---- all ---- */

/* Numbers the run: that of the same logs is the same. */
static void trace_id_make(struct otlp_export *o)
{
	const struct trace *t = o->trace;
	unsigned char hash[SHA256_BYTES];
	char *text = text_format("%" PRId64 " %" PRId64 " %" PRIx64, t->origin_real, t->origin,
				 t->spec->schema);

	for (unsigned i = 0; i < t->nprocesses; i++) {
		char *longer = text_format("%s %" PRIu32, text, t->processes[i].pid);

		free(text);
		text = longer;
	}
	sha256_compute(hash, text, strlen(text));
	for (unsigned i = 0; i < TRACE_ID / 2; i++)
		snprintf(o->trace_id + 2 * (size_t)i, 3, "%02x", hash[i]);
	free(text);
}

static void end_leave(struct otlp_export *o, const struct interval_end *end)
{
	if (end->event)
		o->wanted[end->event->index] = false;
}

/* Events that begin or end no interval; samples and call stacks are left out. */
static void events_choose(struct otlp_export *o)
{
	const struct spec *spec = o->trace->spec;
	uint64_t stacks = 0;

	o->wanted = array_zero(spec->nevents, sizeof *o->wanted);
	for (unsigned i = 0; i < spec->nevents; i++) {
		o->wanted[i] = spec->events[i]->stack_attribute < 0;
		stacks += o->wanted[i] ? 0 : o->trace->events_of_type[i];
	}
	for (unsigned i = 0; i < spec->nintervals; i++) {
		end_leave(o, &spec->intervals[i]->anchor);
		end_leave(o, &spec->intervals[i]->partner);
	}
	export_left_out(o->request, &export_otlp, stacks, "samples and call stacks");
}

static void losses_report(const struct otlp_export *o)
{
	const struct export_request *r = o->request;
	uint64_t unmatched = 0;

	for (size_t i = 0; i < o->spans.intervals.n; i++)
		unmatched += o->spans.intervals.at[i].matches->count -
			     o->spans.intervals.at[i].matches->matched;
	export_left_out(r, &export_otlp, unmatched, "events without the other end of an interval");
	export_left_out(r, &export_otlp, o->outside, "events outside of spans");
	export_left_out(r, &export_otlp, o->dropped, "more than 1000 events of a span");
	export_left_out(r, &export_otlp, o->links, "more than 128 links of a span");
}

static bool otlp_of(FILE *out, const struct export_request *r)
{
	struct otlp_export o = {.request = r, .trace = r->trace, .json = json_begin(out, 0)};

	trace_id_make(&o);
	events_choose(&o);
	otlp_spans_make(&o.spans, r->trace, r->threads, r->intervals);
	for (unsigned i = 0; i < r->trace->nthreads; i++)
		o.total += o.spans.threads[i].n;
	progress_begin("writing the spans");
	for (unsigned i = 0; i < r->trace->nthreads; i++)
		if (!r->threads || r->threads[i])
			thread_write(&o, i);
	line_end(&o);
	progress_end();
	losses_report(&o);
	for (size_t i = 0; i < o.events.n; i++)
		free(o.events.at[i].list.at);
	free(o.events.at);
	free(o.open.at);
	free(o.wanted);
	otlp_spans_free(&o.spans);
	return true;
}

const struct export_format export_otlp = {
    .name = "otlp",
    .summary = "intervals as spans of OpenTelemetry: JSON lines, as a collector's file",
    .intervals = true,
    .write = otlp_of,
};
