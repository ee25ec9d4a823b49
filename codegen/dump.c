#include "base/json.h"
#include "codegen/report.h"
#include "spec/print.h"
#include <inttypes.h>
#include <stdlib.h>

static void dump_style(struct json *j, const struct style *style)
{
	if (style->colour)
		json_string(j, "colour", style->colour);
	if (style->label)
		json_string(j, "label", style->label);
	if (style->shown != SHOWN_UNSAID)
		json_bool(j, "shown", style->shown == SHOWN_YES);
}

static void dump_attribute(struct json *j, const struct attribute *a)
{
	json_object(j, NULL);
	json_string(j, "name", a->name);
	json_string(j, "type", type_name(a->type));
	json_uint(j, "offset", a->offset);
	json_uint(j, "size", type_size(a->type));
	if (a->type == TYPE_STRING)
		json_uint(j, "string", a->string_index);
	if (a->internal)
		json_bool(j, "internal", true);
	json_close(j);
}

static void dump_from(struct json *j, const struct from *f)
{
	if (f->pattern)
		json_string(j, "from", f->pattern);
	if (f->time_text)
		json_string(j, "time", f->time_text);
	if (f->earlier)
		json_string(j, "earlier", f->earlier);
}

static void dump_event(struct json *j, const struct event_type *e)
{
	json_object(j, NULL);
	json_string(j, "name", e->name);
	json_uint(j, "index", e->index);
	if (e->comment)
		json_string(j, "comment", e->comment);
	json_uint(j, "fixed_size", e->fixed_size);
	json_uint(j, "strings", e->nstrings);
	json_string(j, "symbol", e->symbol == SYMBOL_NONE ? NULL : symbol_name(e->symbol));
	if (e->offset_attribute >= 0)
		json_string(j, "symbol_offset", e->attributes[e->offset_attribute].name);
	if (e->ends_attribute >= 0)
		json_string(j, "ends", e->attributes[e->ends_attribute].name);
	if (e->takes_attribute >= 0)
		json_string(j, "takes", e->attributes[e->takes_attribute].name);
	if (e->priority_attribute >= 0)
		json_string(j, "priority", e->attributes[e->priority_attribute].name);
	if (e->processors_attribute >= 0)
		json_string(j, "processors", e->attributes[e->processors_attribute].name);
	if (e->deadline_attribute >= 0)
		json_string(j, "deadline", e->attributes[e->deadline_attribute].name);
	if (e->limit_attribute >= 0)
		json_string(j, "limit", e->attributes[e->limit_attribute].name);
	if (e->errno_attribute >= 0)
		json_string(j, "errno", e->attributes[e->errno_attribute].name);
	if (e->bytes_attribute >= 0)
		json_string(j, "bytes", e->attributes[e->bytes_attribute].name);
	if (e->counts_attribute >= 0)
		json_string(j, "counts", e->attributes[e->counts_attribute].name);
	if (e->starts_attribute >= 0)
		json_string(j, "starts", e->attributes[e->starts_attribute].name);
	if (e->lost_attribute >= 0)
		json_string(j, "lost", e->attributes[e->lost_attribute].name);
	if (e->throttled_attribute >= 0)
		json_string(j, "throttled", e->attributes[e->throttled_attribute].name);
	if (e->off_attribute >= 0)
		json_string(j, "off", e->attributes[e->off_attribute].name);
	if (e->stack_attribute >= 0)
		json_string(j, "stack", e->attributes[e->stack_attribute].name);
	if (e->caller_attribute >= 0)
		json_string(j, "caller", e->attributes[e->caller_attribute].name);
	if (e->sample)
		json_string(j, "kind", "sample");
	if (e->wait)
		json_string(j, "kind", "wait");
	if (e->spin)
		json_string(j, "kind", "spin");
	if (e->exit)
		json_string(j, "kind", "exit");
	if (e->context_attribute >= 0)
		json_string(j, "context", e->attributes[e->context_attribute].name);
	if (e->patterns)
		json_string(j, "patterns", e->patterns);
	dump_from(j, &e->from);
	dump_style(j, &e->style);
	json_array(j, "attributes");
	for (unsigned i = 0; i < e->nattributes; i++)
		dump_attribute(j, &e->attributes[i]);
	json_close(j);
	json_close(j);
}

/* Prints an end on one line, unlike other members of an interval. */
static void dump_end(struct json *j, const char *key, const struct interval_end *end)
{
	unsigned lines = j->lines;

	j->lines = j->depth;
	json_object(j, key);
	if (end->alias)
		json_string(j, "alias", end->alias);
	if (end->event) {
		json_string(j, "event", end->event->name);
	} else {
		json_string(j, "interval", end->interval->name);
		json_string(j, "moment", end->moment == MOMENT_START ? "start" : "end");
	}
	json_close(j);
	j->lines = lines;
}

static void dump_expr(struct json *j, const char *key, const struct expr *e,
		      const struct interval *interval)
{
	char *text = expr_text(e, interval);

	json_string(j, key, text);
	free(text);
}

static void dump_metric(struct json *j, const struct metric *m, const struct interval *interval)
{
	enum unit unit = m->value->unit;

	json_object(j, NULL);
	json_string(j, "name", m->name);
	dump_expr(j, "value", m->value, interval);
	/* a plain number has none */
	json_string(j, "unit", unit == UNIT_TIME ? "ns" : unit == UNIT_BYTES ? "bytes" : NULL);
	json_close(j);
}

static void dump_interval(struct json *j, const struct interval *i)
{
	static const char *const connections[] = {
	    [CONNECTION_NONE] = NULL,
	    [CONNECTION_LINE] = "line",
	    [CONNECTION_RECTANGLE] = "rectangle",
	};

	json_object(j, NULL);
	json_string(j, "name", i->name);
	if (i->comment)
		json_string(j, "comment", i->comment);
	dump_end(j, "anchor", &i->anchor);
	dump_end(j, "partner", &i->partner);
	json_string(j, "direction", i->direction == FORWARDS ? "forwards" : "backwards");
	json_bool(j, "match", i->match);
	json_bool(j, "once", i->once);
	json_bool(j, "nested", i->nested);
	dump_expr(j, "condition", i->condition, i);
	json_string(j, "connection", connections[i->connection]);
	if (i->kind != KIND_NONE)
		json_string(j, "kind", interval_kind_name(i->kind));
	if (i->until)
		json_string(j, "until", i->until);
	if (i->sampled)
		json_bool(j, "sampled", true);
	if (i->idle)
		json_bool(j, "idle", true);
	dump_style(j, &i->style);
	json_array(j, "metrics");
	for (unsigned m = 0; m < i->nmetrics; m++)
		dump_metric(j, &i->metrics[m], i);
	json_close(j);
	json_close(j);
}

static void dump_assertion(struct json *j, const struct assertion *a)
{
	json_object(j, NULL);
	json_string(j, "interval", a->interval ? a->interval->name : NULL);
	dump_expr(j, "condition", a->condition, a->interval);
	json_close(j);
}

void spec_dump(const struct spec *s, FILE *out)
{
	struct json j = json_begin(out, 4);
	char schema[17];

	snprintf(schema, sizeof schema, "%016" PRIx64, s->schema);
	json_object(&j, NULL);
	json_string(&j, "name", s->name);
	json_string(&j, "schema", schema);
	json_array(&j, "events");
	for (unsigned i = 0; i < s->nevents; i++)
		dump_event(&j, s->events[i]);
	json_close(&j);
	json_array(&j, "intervals");
	for (unsigned i = 0; i < s->nintervals; i++)
		dump_interval(&j, s->intervals[i]);
	json_close(&j);
	json_array(&j, "assertions");
	for (unsigned i = 0; i < s->nassertions; i++)
		dump_assertion(&j, s->assertions[i]);
	json_close(&j);
	json_close(&j);
}
