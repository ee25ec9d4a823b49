/*
 * OpenTelemetry traces: OTLP as JSON lines, as the collector's file exporter writes them
 * (opentelemetry-proto, trace/v1/trace.proto in its JSON mapping). A span is a begin and an end
 * with its ids; each name of spans is an interval, and so are the ways from parents to children and
 * along links.
 */
#include "formats/import.h"
#include "formats/json_read.h"
#include "formats/logs_named.h"
#include <stdlib.h>

/* Names of spans that have intervals of their own; all spans are in the interval Span. */
enum { INTERVALS_MOST = 60 };

struct otlp_import {
	struct import_input *in;
	struct logs *logs;
	struct named_types types; /* of what spans have as attributes, and their events */
	const struct logs_event *begin, *end, *link;
	struct hash_table names, processes;
	uint32_t nprocesses, nnames;
	struct logs_process *process; /* of the resource that is read */
	const char *service;
	uint64_t spans, timeless;
	uint64_t undated; /* events of spans */
	VECTOR(char *) made;
};

/* Of SpanKind: it calls another service. */
enum { SPAN_CLIENT = 3 };

static bool otlp_recognise(const struct import_input *in)
{
	const char *head = (const char *)in->head;

	head += strspn(head, " \t\r\n");
	return !in->directory && *head == '{' && strstr(head, "\"resourceSpans\"") != NULL;
}

/* ---- values ---- */

static struct logs_value text_value(const struct json_value *v)
{
	return v && v->kind == JSON_TEXT ? logs_bytes(v->text, v->length) : logs_bytes("", 0);
}

/* Returns an AnyValue: {"intValue": "3"}. */
static struct logs_value any_value(struct otlp_import *o, const struct json_value *v)
{
	const struct json_value *inner = v && v->kind == JSON_OBJECT ? v->first : NULL;
	struct logs_value value;
	char *made;

	if (!inner)
		return logs_bytes("", 0);
	if (strcmp(inner->key, "intValue") == 0)
		return logs_integer(json_integer_of(inner, 0));
	if (strcmp(inner->key, "doubleValue") == 0)
		return logs_real(json_real_of(inner, 0));
	value = json_logs_value(inner, &made);
	*vector_add(&o->made) = made;
	return value;
}

static const struct json_value *attribute_value(const struct json_value *attributes,
						const char *key)
{
	for (const struct json_value *a = attributes ? attributes->first : NULL; a; a = a->next)
		if (strcmp(json_text_of(json_member(a, "key"), ""), key) == 0)
			return json_member(a, "value");
	return NULL;
}

static const char *attribute_text(const struct json_value *attributes, const char *key)
{
	return json_text_of(json_member(attribute_value(attributes, key), "stringValue"), NULL);
}

static int64_t attribute_integer(const struct json_value *attributes, const char *key)
{
	return json_integer_of(json_member(attribute_value(attributes, key), "intValue"), 0);
}

/* ---- the specification ---- */

static bool types_make(struct otlp_import *o)
{
	static const struct logs_field begin[] = {{"name", TYPE_STRING},   {"kind", TYPE_LONG},
						  {"trace", TYPE_STRING},  {"span", TYPE_STRING},
						  {"parent", TYPE_STRING}, {"scope", TYPE_STRING}};
	static const struct logs_field end[] = {
	    {"span", TYPE_STRING}, {"status", TYPE_LONG}, {"message", TYPE_STRING}};
	static const struct logs_field link[] = {
	    {"trace", TYPE_STRING}, {"span", TYPE_STRING}, {"to", TYPE_STRING}};

	o->begin = logs_event_make(o->logs, "SpanBegin", begin, 6, NULL);
	o->end = logs_event_make(o->logs, "SpanEnd", end, 3, NULL);
	o->link = logs_event_make(o->logs, "SpanLink", link, 3, NULL);
	logs_text(
	    o->logs,
	    "/* From a span to each of its children, of any process. */\n"
	    "interval Child [ c:SpanBegin <- p:SpanBegin ] where c.parent == p.span && c.parent != \"\" && c.process >= 0\n"
	    "\t= line (label \"child\");\n"
	    "/* From a span to one that names it as what it belongs to. */\n"
	    "interval Link [ l:SpanLink <- p:SpanBegin ] where l.to == p.span && l.process >= 0 = line (label \"link\");\n"
	    "interval Span [ b:SpanBegin -> e:SpanEnd ] where b.span == e.span\n"
	    "\t= rectangle (shown \"no\", label \"span\");\n");
	return o->link != NULL;
}

/* Makes the interval of the spans of a name. Who calls another service waits for it. */
static void name_note(struct otlp_import *o, const char *name, int64_t kind)
{
	uint64_t hash = hash_text(name);
	struct hash_slot *slot = hash_table_slot(&o->names, hash_mix(hash), hash);
	char *label;

	if (slot->head != HASH_NOTHING)
		return;
	slot->head = slot->tail = 0;
	if (o->nnames++ >= INTERVALS_MOST)
		return;
	label = logs_quoted(name, strlen(name));
	logs_text(
	    o->logs,
	    "interval %s [ b:SpanBegin -> e:SpanEnd ] where b.span == e.span && b.name == %s\n"
	    "\t= rectangle (kind \"%s\", label %s);\n",
	    logs_interval_name(o->logs, name), label, kind == SPAN_CLIENT ? "wait" : "work", label);
	free(label);
}

/* ---- resources ---- */

/* Finds the process of a resource: of each service, instance and process id one. */
static void resource_take(struct otlp_import *o, const struct json_value *resource)
{
	const struct json_value *attributes = json_member(resource, "attributes");
	const char *service = attribute_text(attributes, "service.name"),
		   *instance = attribute_text(attributes, "service.instance.id"),
		   *host = attribute_text(attributes, "host.name");
	int64_t pid = attribute_integer(attributes, "process.pid");
	char *key = text_format("%s\n%s\n%s\n%lld", service ? service : "",
				instance ? instance : "", host ? host : "", (long long)pid);
	uint64_t hash = hash_text(key);
	struct hash_slot *slot = hash_table_slot(&o->processes, hash_mix(hash), hash);

	free(key);
	o->service = service ? service : "unknown_service";
	if (slot->head == HASH_NOTHING) {
		slot->head = ++o->nprocesses;
		slot->tail = 0;
	}
	/* process ids of several hosts may be the same: the trace numbers its processes */
	o->process = logs_process(o->logs, slot->head, o->service);
}

static struct logs_thread *thread_of(struct otlp_import *o, const struct json_value *attributes)
{
	const char *name = attribute_text(attributes, "thread.name");
	struct logs_thread *t =
	    logs_thread(o->process, (uint64_t)attribute_integer(attributes, "thread.id"));

	logs_thread_name(t, name ? name : o->service);
	return t;
}

/* ---- spans ---- */

/* Logs attributes as an event of a name, with the span that they are of. */
static bool attributes_log(struct otlp_import *o, struct logs_thread *t, int64_t time,
			   const char *name, const struct json_value *span,
			   const struct json_value *attributes)
{
	struct logs_argument arguments[ARGUMENTS_MOST];
	const struct named_type *type;
	unsigned n = 0;

	arguments[n++] = (struct logs_argument){"span", text_value(json_member(span, "spanId"))};
	for (const struct json_value *a = attributes ? attributes->first : NULL; a; a = a->next)
		if (named_has_room(&o->types, n))
			arguments[n++] =
			    (struct logs_argument){json_text_of(json_member(a, "key"), "value"),
						   any_value(o, json_member(a, "value"))};
	type = named_type(&o->types, SPAN_NONE, name, arguments, n);
	if (type)
		named_write(&o->types, t, time, type, name, arguments, n);
	return type != NULL;
}

static bool events_log(struct otlp_import *o, struct logs_thread *t, const struct json_value *span)
{
	const struct json_value *events = json_member(span, "events");

	for (const struct json_value *e = events ? events->first : NULL; e; e = e->next) {
		o->undated += !json_member(e, "timeUnixNano");
		if (!attributes_log(o, t, json_integer_of(json_member(e, "timeUnixNano"), 0),
				    json_text_of(json_member(e, "name"), "event"), span,
				    json_member(e, "attributes")))
			return false;
	}
	return true;
}

static void links_log(struct otlp_import *o, struct logs_thread *t, int64_t time,
		      const struct json_value *span)
{
	const struct json_value *links = json_member(span, "links");

	for (const struct json_value *l = links ? links->first : NULL; l; l = l->next) {
		const struct logs_value values[] = {text_value(json_member(l, "traceId")),
						    text_value(json_member(span, "spanId")),
						    text_value(json_member(l, "spanId"))};

		logs_write(t, time, o->link, values);
	}
}

static bool span_take(struct otlp_import *o, const struct json_value *span,
		      const struct json_value *scope)
{
	const struct json_value *attributes = json_member(span, "attributes"),
				*status = json_member(span, "status");
	const char *name = json_text_of(json_member(span, "name"), "unnamed");
	int64_t kind = json_integer_of(json_member(span, "kind"), 0),
		start = json_integer_of(json_member(span, "startTimeUnixNano"), 0),
		end = json_integer_of(json_member(span, "endTimeUnixNano"), 0);
	struct logs_thread *t = thread_of(o, attributes);
	const struct logs_value begins[] = {logs_bytes(name, strlen(name)),
					    logs_integer(kind),
					    text_value(json_member(span, "traceId")),
					    text_value(json_member(span, "spanId")),
					    text_value(json_member(span, "parentSpanId")),
					    text_value(json_member(scope, "name"))},
				ends[] = {
				    begins[3],
				    logs_integer(json_integer_of(json_member(status, "code"), 0)),
				    text_value(json_member(status, "message"))};
	char *described;
	bool good = true;

	if (!start || end < start) {
		o->timeless++;
		return true;
	}
	if (!o->spans++)
		logs_realtime(o->logs, start, start);
	name_note(o, name, kind);
	logs_write(t, start, o->begin, begins);
	links_log(o, t, start, span);
	described = text_format("%s attributes", name);
	if (attributes && attributes->first)
		good = attributes_log(o, t, start, described, span, attributes);
	free(described);
	good = good && events_log(o, t, span);
	logs_write(t, end, o->end, ends);
	return good;
}

static bool scopes_take(struct otlp_import *o, const struct json_value *scopes)
{
	for (const struct json_value *s = scopes ? scopes->first : NULL; s; s = s->next) {
		const struct json_value *spans = json_member(s, "spans"),
					*scope = json_member(s, "scope");

		for (const struct json_value *i = spans ? spans->first : NULL; i; i = i->next)
			if (!span_take(o, i, scope))
				return false;
	}
	return true;
}

static bool line_take(void *context, const char *where, const struct json_value *v)
{
	struct otlp_import *o = context;
	const struct json_value *resources = json_member(v, "resourceSpans");
	bool good = true;

	(void)where;
	for (const struct json_value *r = resources ? resources->first : NULL; r && good;
	     r = r->next) {
		resource_take(o, json_member(r, "resource"));
		good = scopes_take(o, json_member(r, "scopeSpans"));
	}
	for (size_t i = 0; i < o->made.n; i++)
		free(o->made.at[i]);
	o->made.n = 0;
	return good;
}

static bool otlp_read(struct import_input *in, struct logs *l)
{
	struct otlp_import o = {.in = in, .logs = l};
	bool good;

	named_begin(&o.types, l);
	good = types_make(&o) && json_read(in, true, line_take, &o, NULL);
	import_passed_over(in, o.timeless,
			   "spans have no times, or end before they begin: they were left out");
	import_passed_over(in, o.undated, "events of spans have no time: theirs is 0");
	import_passed_over(in, o.nnames > INTERVALS_MOST ? o.nnames - INTERVALS_MOST : 0,
			   "names of spans have no interval of their own, beyond 60 names");
	named_end(&o.types, in, good);
	hash_table_free(&o.names);
	hash_table_free(&o.processes);
	free(o.made.at);
	return good;
}

const struct import_format import_otlp = {
    .name = "otlp",
    .summary = "OpenTelemetry traces: OTLP as JSON lines",
    .recognise = otlp_recognise,
    .read = otlp_read,
};
