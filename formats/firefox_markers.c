#include "formats/firefox_markers.h"
#include "spec/layout.h"
#include "trace/address.h"
#include <stdlib.h>

/* ---- making ---- */

static bool is_shown(const struct role *r)
{
	return r->kind != KIND_CAUSE && !(r->kind == KIND_STATE && r->state == STATE_RUNNING);
}

static int marker_order(const void *left, const void *right)
{
	const struct firefox_marker *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->interval != b->interval)
		return a->interval < b->interval ? -1 : 1;
	return (a->anchor > b->anchor) - (a->anchor < b->anchor);
}

static void interval_add(struct firefox_markers *m, const struct interval *interval,
			 const bool *threads)
{
	uint32_t number = (uint32_t)m->intervals.n;
	struct firefox_interval *i = vector_add(&m->intervals);
	struct instance instance;

	*i = (struct firefox_interval){role_of(interval), match_interval(m->trace, interval)};
	for (size_t k = 0; k < i->matches->count; k++) {
		uint32_t thread;

		if (i->matches->partner_of[k] == UNMATCHED)
			continue;
		matches_look(i->matches, k, &instance);
		thread = trace_thread_index(m->trace, instance.anchor.thread);
		if (thread < m->trace->nthreads && (!threads || threads[thread]))
			*vector_add(&m->threads[thread]) =
			    (struct firefox_marker){instance.start, number, (uint32_t)k};
	}
}

void firefox_markers_make(struct firefox_markers *m, struct trace *t, const bool *threads,
			  const struct interval *const *intervals)
{
	*m = (struct firefox_markers){.trace = t};
	m->threads = array_zero(t->nthreads, sizeof *m->threads);
	for (; *intervals; intervals++) {
		struct role role = role_of(*intervals);

		if (is_shown(&role))
			interval_add(m, *intervals, threads);
	}
	for (unsigned i = 0; i < t->nthreads; i++)
		if (m->threads[i].n)
			qsort(m->threads[i].at, m->threads[i].n, sizeof *m->threads[i].at,
			      marker_order);
}

void firefox_markers_free(struct firefox_markers *m)
{
	for (size_t i = 0; i < m->intervals.n; i++)
		matches_free(m->intervals.at[i].matches);
	for (unsigned i = 0; i < m->trace->nthreads; i++)
		free(m->threads[i].at);
	free(m->intervals.at);
	free(m->threads);
}

/* ---- what markers have ---- */

/* The profiler gives some types of markers a meaning of their own; none begins so. */
static const char TYPE_PREFIX[] = "glimpse.";

static void field_write(struct json *j, const char *key, const char *label, const char *format)
{
	json_object(j, NULL);
	json_string(j, "key", key);
	json_string(j, "label", label);
	json_string(j, "format", format);
	json_close(j);
}

static const char *attribute_format(enum type type)
{
	if (type == TYPE_STRING || type_is_address(type))
		return "string";
	return type == TYPE_DOUBLE ? "decimal" : "integer";
}

static void attribute_fields(struct json *j, const struct role *r, bool end)
{
	/* Ends that are other intervals have no attributes of their own. */
	const struct event_type *e = end ? r->end.event : r->start.event;

	for (unsigned i = 0; e && i < e->nattributes; i++) {
		const struct attribute *a = &e->attributes[i];
		char *key = text_format("%s_%s", end ? "end" : "start", a->name);
		char *label = text_format("%s, at the %s", a->name, end ? "end" : "start");

		if (!event_attribute_is_internal(e, i))
			field_write(j, key, label, attribute_format(a->type));
		free(key);
		free(label);
	}
}

static const char *metric_format(const struct expr *e)
{
	if (e->kind == VALUE_BOOL || e->kind == VALUE_STRING || e->unit == UNIT_ADDRESS)
		return "string";
	if (e->unit != UNIT_NONE)
		return e->unit == UNIT_TIME ? "nanoseconds" : "bytes";
	return e->kind == VALUE_REAL ? "decimal" : "integer";
}

/* Shows the object beside the name where there is one. */
static void labels_write(struct json *j, const struct role *r)
{
	const struct event_type *e = r->start.event;
	char *text;

	if (!e || r->start.object < 0 || !type_is_address(e->attributes[r->start.object].type))
		return;
	text = text_format("{marker.name} {marker.data.start_%s}",
			   e->attributes[r->start.object].name);
	json_string(j, "tooltipLabel", text);
	json_string(j, "tableLabel", text);
	json_string(j, "chartLabel", text);
	free(text);
}

static void interval_schema(struct json *j, const struct role *r)
{
	const struct interval *interval = r->interval;
	char *type = text_format("%s%s", TYPE_PREFIX, interval->name);

	json_object(j, NULL);
	json_string(j, "name", type);
	labels_write(j, r);
	if (interval->comment)
		json_string(j, "description", interval->comment);
	json_array(j, "display");
	json_string(j, NULL, "marker-chart");
	json_string(j, NULL, "marker-table");
	json_close(j);
	json_array(j, "fields");
	for (unsigned i = 0; i < interval->nmetrics; i++) {
		char *key = text_format("metric_%s", interval->metrics[i].name);

		field_write(j, key, interval->metrics[i].name,
			    metric_format(interval->metrics[i].value));
		free(key);
	}
	attribute_fields(j, r, false);
	attribute_fields(j, r, true);
	field_write(j, "to", "to the thread", "string");
	json_close(j);
	json_close(j);
	free(type);
}

void firefox_schema_write(struct json *j, const struct firefox_markers *m)
{
	json_array(j, "markerSchema");
	for (size_t i = 0; i < m->intervals.n; i++)
		interval_schema(j, &m->intervals.at[i].role);
	json_close(j);
}

/* ---- the data of one marker ---- */

static bool values_equal(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == VALUE_STRING)
		return a->string.length == b->string.length &&
		       memcmp(a->string.bytes, b->string.bytes, a->string.length) == 0;
	return a->kind == VALUE_REAL ? a->real == b->real : a->integer == b->integer;
}

/* Whether an attribute of the end is the same at the start, as the object mostly is. */
static bool is_repeated(const struct event *start, const struct event *end, unsigned attribute)
{
	int other = event_attribute(start->type, end->type->attributes[attribute].name);
	struct value a, b;

	if (other < 0 ||
	    start->type->attributes[other].type != end->type->attributes[attribute].type)
		return false;
	a = record_value(start->type, (unsigned)other, start->record);
	b = record_value(end->type, attribute, end->record);
	return values_equal(&a, &b);
}

static void value_write(struct json *j, const char *key, const struct value *v)
{
	if (v->kind == VALUE_STRING)
		json_bytes(j, key, v->string.bytes, v->string.length);
	else if (v->kind == VALUE_REAL)
		json_real(j, key, v->real);
	else if (v->integer < 0)
		json_int(j, key, (int64_t)v->integer);
	else
		json_uint(j, key, (uint64_t)v->integer);
}

/*
 * Writes the attributes of an event; of the end those that the start (else NULL) does not have so.
 */
static void attributes_write(struct json *j, const struct trace *t, const struct event *e,
			     const struct event *start)
{
	char buffer[ADDRESS_TEXT];

	for (unsigned i = 0; i < e->type->nattributes; i++) {
		const struct attribute *a = &e->type->attributes[i];
		struct value v = record_value(e->type, i, e->record);
		char *key;

		if (event_attribute_is_internal(e->type, i) || (start && is_repeated(start, e, i)))
			continue;
		key = text_format("%s_%s", start ? "end" : "start", a->name);
		if (type_is_address(a->type))
			json_string(j, key, address_text(t, buffer, e, i));
		else
			value_write(j, key, &v);
		free(key);
	}
}

static void metrics_write(struct json *j, const struct firefox_interval *i, size_t anchor)
{
	const struct interval *interval = i->role.interval;
	char digits[ADDRESS_TEXT];
	struct binding b;
	struct value v;

	matches_bind(i->matches, anchor, true, &b);
	for (unsigned k = 0; k < interval->nmetrics; k++) {
		const struct expr *e = interval->metrics[k].value;
		char *key = text_format("metric_%s", interval->metrics[k].name);

		if (!expr_value(e, &b, &v))
			; /* it overflowed: there is no value */
		else if (v.kind == VALUE_BOOL)
			json_string(j, key, v.truth ? "true" : "false");
		else if (e->unit == UNIT_ADDRESS)
			json_string(j, key, address_digits(digits, (uint64_t)v.integer));
		else
			value_write(j, key, &v);
		free(key);
	}
}

static void data_write(struct json *j, const struct firefox_markers *m,
		       const struct firefox_marker *k)
{
	const struct firefox_interval *i = &m->intervals.at[k->interval];
	char *type = text_format("%s%s", TYPE_PREFIX, i->role.interval->name);
	const struct event *start, *end;
	struct instance instance;

	matches_look(i->matches, k->anchor, &instance);
	start = i->role.interval->direction == FORWARDS ? &instance.anchor : &instance.partner;
	end = start == &instance.anchor ? &instance.partner : &instance.anchor;
	json_object(j, NULL);
	json_string(j, "type", type);
	if (i->role.interval->nmetrics)
		metrics_write(j, i, k->anchor);
	if (i->role.start.event)
		attributes_write(j, m->trace, start, NULL);
	if (i->role.end.event)
		attributes_write(j, m->trace, end, start);
	if (instance.partner.thread != instance.anchor.thread)
		json_string(j, "to", trace_thread(m->trace, instance.partner.thread)->label);
	json_close(j);
	free(type);
}

/* ---- the table ---- */

/* Calls are named by their functions. */
static uint32_t marker_name(const struct firefox_markers *m, const struct firefox_marker *k,
			    struct firefox_tables *f)
{
	const struct role *r = &m->intervals.at[k->interval].role;
	char buffer[ADDRESS_TEXT];
	struct instance i;

	if (r->kind != KIND_CALL || r->start.code[0] < 0)
		return firefox_string(f, r->interval->name);
	matches_look(m->intervals.at[k->interval].matches, k->anchor, &i);
	return firefox_string(
	    f, address_function(m->trace, buffer,
				r->interval->direction == FORWARDS ? &i.anchor : &i.partner,
				(unsigned)r->start.code[0]));
}

enum marker_column {
	COLUMN_DATA,
	COLUMN_NAME,
	COLUMN_START,
	COLUMN_END,
	COLUMN_PHASE,
	COLUMN_CATEGORY,
	NCOLUMNS
};

static void cell_write(struct json *j, const struct firefox_markers *m,
		       const struct firefox_marker *k, enum marker_column column,
		       struct firefox_tables *f)
{
	enum { PHASE_INTERVAL = 1 };
	const struct firefox_interval *i = &m->intervals.at[k->interval];

	switch (column) {
	case COLUMN_DATA:
		data_write(j, m, k);
		break;
	case COLUMN_NAME:
		json_uint(j, NULL, marker_name(m, k, f));
		break;
	case COLUMN_START:
		json_real(j, NULL, (double)k->start / 1e6);
		break;
	case COLUMN_END:
		json_real(j, NULL,
			  (double)(k->start + llabs(matches_duration(i->matches, k->anchor))) /
			      1e6);
		break;
	case COLUMN_PHASE:
		json_uint(j, NULL, PHASE_INTERVAL);
		break;
	default:
		json_uint(j, NULL, FIREFOX_KIND + (unsigned)i->role.kind);
	}
}

void firefox_markers_write(struct json *j, const struct firefox_markers *m, size_t thread,
			   struct firefox_tables *f)
{
	static const char *const names[NCOLUMNS] = {"data",    "name",  "startTime",
						    "endTime", "phase", "category"};

	json_object(j, "markers");
	json_uint(j, "length", m->threads[thread].n);
	for (int c = 0; c < NCOLUMNS; c++) {
		json_array(j, names[c]);
		for (size_t i = 0; i < m->threads[thread].n; i++)
			cell_write(j, m, &m->threads[thread].at[i], (enum marker_column)c, f);
		json_close(j);
	}
	json_close(j);
}
