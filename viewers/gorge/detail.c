#include "viewers/gorge/detail.h"
#include "viewers/gorge/violations.h"
#include "viewers/vector.h"
#include <inttypes.h>

/* Numbers are texts: those of JSON end at 2^53. */
static void write_value(struct json *j, const char *key, const struct value *v, bool address)
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
		if (address)
			snprintf(text, sizeof text, "0x%" PRIx64, (uint64_t)v->integer);
		else if (v->integer < 0)
			snprintf(text, sizeof text, "%" PRId64, (int64_t)v->integer);
		else
			snprintf(text, sizeof text, "%" PRIu64, (uint64_t)v->integer);
		break;
	}
	json_string(j, key, text);
}

static void write_attributes(const struct event *e, struct json *j)
{
	json_array(j, "attributes");
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		const struct attribute *a = &e->type->attributes[i];
		struct value v = record_value(e->type, i, e->record);
		json_array(j, NULL);
		json_string(j, NULL, a->name);
		write_value(j, NULL, &v, a->type == TYPE_ADDRESS);
		json_close(j);
	}
	json_close(j);
}

static void write_event(const struct model *m, const struct event *e, struct json *j,
			const char *key)
{
	const struct trace_thread *t = trace_thread(m->trace, e->thread);

	json_object(j, key);
	json_string(j, "event", e->type->name);
	json_int(j, "time", e->time);
	json_uint(j, "thread", e->thread);
	json_string(j, "owner", t ? t->name : "");
	json_uint(j, "seq", e->seq);
	write_attributes(e, j);
	json_close(j);
}

void detail_event(struct model *m, const struct event_type *type, size_t index, struct json *j,
		  const char *key)
{
	struct event e;

	event_list_get(trace_events(m->trace, type), index, &e);
	write_event(m, &e, j, key);
}

static void write_metrics(const struct matches *found, size_t anchor, struct json *j)
{
	const struct interval *interval = found->interval;
	struct binding b;

	matches_bind(found, anchor, &b);
	json_array(j, "metrics");
	for (unsigned i = 0; i < interval->nmetrics; i++) {
		struct value v;
		json_array(j, NULL);
		json_string(j, NULL, interval->metrics[i].name);
		if (expr_value(interval->metrics[i].value, &b, &v))
			write_value(j, NULL, &v, false);
		else
			json_null(j, NULL);
		json_close(j);
	}
	json_close(j);
}

void detail_instance(struct model *m, const struct interval *interval, size_t anchor,
		     struct json *j, const char *key)
{
	const struct matches *found = model_matches(m, interval);
	struct instance i;

	matches_get(found, anchor, &i);
	json_object(j, key);
	json_string(j, "interval", interval->name);
	json_uint(j, "index", anchor);
	json_uint(j, "of", found->count);
	json_bool(j, "matched", i.partner.record);
	json_int(j, "start", i.start);
	json_int(j, "end", i.end);
	write_event(m, &i.anchor, j, "anchor");
	if (i.partner.record) {
		write_event(m, &i.partner, j, "partner");
		write_metrics(found, anchor, j);
		instance_write_violated(m->trace->spec, found, anchor, j, "violates");
	}
	json_close(j);
}

static size_t longest(const struct matches *found, size_t otherwise)
{
	size_t best = UNMATCHED;

	for (size_t i = 0; i < found->count; i++)
		if (found->partner_of[i] != UNMATCHED &&
		    (best == UNMATCHED ||
		     matches_duration(found, i) > matches_duration(found, best)))
			best = i;
	return best == UNMATCHED ? otherwise : best;
}

size_t detail_step(struct model *m, const struct interval *interval, size_t anchor, enum step step)
{
	const struct matches *found = model_matches(m, interval);
	bool unmatched = step == STEP_NEXT_UNMATCHED;

	if (step == STEP_NONE)
		return anchor;
	if (step == STEP_LONGEST)
		return longest(found, anchor);
	if (step == STEP_PREVIOUS) {
		for (size_t i = anchor; i-- > 0;)
			if (found->partner_of[i] != UNMATCHED)
				return i;
		return anchor;
	}
	for (size_t i = anchor + 1; i < found->count; i++)
		if ((found->partner_of[i] == UNMATCHED) == unmatched)
			return i;
	return anchor;
}
