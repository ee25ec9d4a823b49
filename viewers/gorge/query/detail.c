#include "viewers/gorge/query/detail.h"
#include "base/array.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "viewers/gorge/index/logical.h"
#include "viewers/gorge/query/call_name.h"
#include "viewers/gorge/query/lookup.h"
#include "viewers/gorge/query/violations.h"
#include "viewers/gorge/query/wait_detail.h"
#include <inttypes.h>
#include <stdlib.h>

/* The most instances that are searched for the one that ends in an event. */
enum { MOST_SEARCHED = 1000000 };

/* Numbers are texts: those of JSON end at 2^53. */
static void write_value(struct json *j, const char *key, const struct value *v)
{
	char text[40];

	switch (v->kind) {
	case VALUE_STRING:
		json_bytes(j, key, v->string.bytes, v->string.length);
		return;
	case VALUE_BOOL:
		json_string(j, key, v->truth ? "true" : "false");
		return;
	case VALUE_REAL:
		snprintf(text, sizeof text, "%.15g", v->real);
		break;
	case VALUE_INT:
		if (v->integer < 0)
			snprintf(text, sizeof text, "%" PRId64, (int64_t)v->integer);
		else
			snprintf(text, sizeof text, "%" PRIu64, (uint64_t)v->integer);
		break;
	}
	json_string(j, key, text);
}

static void write_attributes(const struct trace *t, const struct event *e, struct json *j)
{
	json_array(j, "attributes");
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		const struct attribute *a = &e->type->attributes[i];
		struct value v = record_value(e->type, i, e->record);
		char text[ADDRESS_TEXT];

		if (event_attribute_is_internal(e->type, i))
			continue;
		json_array(j, NULL);
		json_string(j, NULL, a->name);
		if (type_is_address(a->type))
			json_string(j, NULL, address_text(t, text, e, i));
		else
			write_value(j, NULL, &v);
		json_close(j);
	}
	json_close(j);
}

static void write_event(const struct trace_index *m, const struct event *e, struct json *j,
			const char *key)
{
	const struct trace_thread *t = trace_thread(m->trace, e->thread);

	json_object(j, key);
	json_string(j, "event", e->type->name);
	json_int(j, "time", e->time);
	if (event_index_order(m->events))
		json_int(j, "clock", event_index_clock(m->events, event_index_id(m->events, e)));
	json_uint(j, "thread", e->thread);
	json_string(j, "label", t ? t->label : "");
	json_uint(j, "seq", e->seq);
	write_attributes(m->trace, e, j);
	json_close(j);
}

void detail_event(const struct trace_index *m, const struct event_type *type, size_t index,
		  struct json *j, const char *key)
{
	struct event e;

	if (!lookup_event(m, type, index, &e))
		return;
	write_event(m, &e, j, key);
	json_uint(j, "index", index);
	json_uint(j, "of", m->trace->events_of_type[type->index]);
}

static void write_end(const struct interval *interval, size_t index, const char *end,
		      struct json *j)
{
	json_object(j, NULL);
	json_string(j, "interval", interval->name);
	json_uint(j, "index", index);
	json_string(j, "end", end);
	json_close(j);
}

static void write_search(const struct trace_index *m, const struct interval *interval, size_t index,
			 struct json *j)
{
	struct instance i;

	if (lookup_instance(m, interval, index, &i))
		write_end(interval, index, i.partner.record ? "from" : "unmatched", j);
}

static void write_found(struct trace_index *m, const struct interval *interval, size_t index,
			struct json *j)
{
	const struct matches *found;
	struct event anchor;

	if (lookup_instances(m, interval) > MOST_SEARCHED)
		return;
	found = trace_index_matches(m, interval);
	for (size_t a = 0; a < found->count; a++)
		if (found->partner_of[a] != UNMATCHED && found->partner_of[a] == index) {
			moments_event(&found->anchors, a, &anchor);
			write_end(interval, lookup_index(m, &anchor), "to", j);
			return;
		}
}

void detail_ends(struct trace_index *m, const struct event_type *type, size_t index, struct json *j,
		 const char *key)
{
	json_array(j, key);
	for (unsigned i = 0; i < m->trace->spec->nintervals; i++) {
		const struct interval *interval = m->trace->spec->intervals[i];
		if (interval->anchor.event == type)
			write_search(m, interval, index, j);
		/* of a logical order, neighbours say it */
		if (interval->partner.event == type && !event_index_order(m->events))
			write_found(m, interval, index, j);
	}
	json_close(j);
}

/* via: the interval that pairs them; NULL: they are in one thread. */
static void write_neighbour(const struct trace_index *m, event_id id, const struct interval *via,
			    struct json *j)
{
	const struct trace_thread *t = &m->trace->threads[event_id_thread(id)];
	struct event e;

	if (!event_index_event(m->events, id, &e))
		return;
	json_object(j, NULL);
	json_string(j, "event", e.type->name);
	json_uint(j, "index", lookup_index(m, &e));
	json_uint(j, "thread", t->number);
	json_string(j, "label", t->label);
	if (via)
		json_string(j, "via", via->name);
	json_close(j);
}

static void write_before(const struct trace_index *m, event_id id, struct json *j)
{
	const struct logical_order *o = event_index_order(m->events);
	const struct logical_pair *pairs;
	event_id before;
	size_t n;

	json_array(j, "before");
	if (event_index_before(m->events, id, &before))
		write_neighbour(m, before, NULL, j);
	pairs = logical_pairs_to(o, id, &n);
	for (size_t i = 0; i < n; i++)
		write_neighbour(m, pairs[i].early.id, m->trace->spec->intervals[pairs[i].interval],
				j);
	json_close(j);
}

static void write_after(const struct trace_index *m, event_id id, struct json *j)
{
	const struct logical_order *o = event_index_order(m->events);
	const size_t *pairs;
	event_id after;
	size_t n;

	json_array(j, "after");
	if (event_index_after(m->events, id, &after))
		write_neighbour(m, after, NULL, j);
	pairs = logical_pairs_from(o, id, &n);
	for (size_t i = 0; i < n; i++) {
		const struct logical_pair *p = &o->pairs.at[pairs[i]];
		write_neighbour(m, p->late.id, m->trace->spec->intervals[p->interval], j);
	}
	json_close(j);
}

void detail_neighbours(const struct trace_index *m, const struct event_type *type, size_t index,
		       struct json *j)
{
	event_id id;

	if (!event_index_order(m->events) || !event_index_select(m->events, type, index, &id))
		return;
	write_before(m, id, j);
	write_after(m, id, j);
}

static void write_metrics(const struct interval *interval, const struct binding *b, struct json *j)
{
	json_array(j, "metrics");
	for (unsigned i = 0; i < interval->nmetrics; i++) {
		struct value v;
		json_array(j, NULL);
		json_string(j, NULL, interval->metrics[i].name);
		if (expr_value(interval->metrics[i].value, b, &v))
			write_value(j, NULL, &v);
		else
			json_null(j, NULL);
		json_close(j);
	}
	json_close(j);
}

static void write_partner(const struct trace_index *m, const struct interval *interval,
			  const struct instance *i, struct json *j)
{
	struct binding b = {
	    .side[SIDE_ANCHOR] = event_operand(m->trace, &i->anchor),
	    .side[SIDE_PARTNER] = event_operand(m->trace, &i->partner),
	    .duration = i->end - i->start,
	};

	write_event(m, &i->partner, j, "partner");
	write_metrics(interval, &b, j);
	violations_write_broken(m->trace->spec, interval, &b, j, "violates");
}

bool detail_instance(struct trace_index *m, const struct interval *interval, size_t index,
		     struct json *j, const char *key)
{
	int function = call_function(interval);
	struct instance i;

	if (!lookup_instance(m, interval, index, &i))
		return false;
	json_object(j, key);
	json_string(j, "interval", interval->name);
	json_uint(j, "index", index);
	json_uint(j, "of", lookup_instances(m, interval));
	if (function >= 0) {
		char *name = call_name(m->trace, &i.anchor, function);
		json_string(j, "function", name);
		free(name);
	}
	json_bool(j, "matched", i.partner.record);
	json_int(j, "start", i.start);
	json_int(j, "end", i.end);
	write_event(m, &i.anchor, j, "anchor");
	if (i.partner.record)
		write_partner(m, interval, &i, j);
	wait_detail_write(m, interval, index, &i, j);
	json_close(j);
	return true;
}
