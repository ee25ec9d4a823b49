#include "cli/spark/plan.h"
#include "base/array.h"
#include "base/json.h"
#include "sql/parting.h"
#include <inttypes.h>
#include <stdlib.h>

/* ---- the specification of a part's own trace ---- */

/*
 * A trace begins with its first event. For times to be those of the whole trace, each part has one
 * more event at time 0, of a type of its own.
 */
static char *origin_name(const struct spec *spec)
{
	char *name = text_format("glimpse_origin");

	while (spec_event(spec, name) || spec_interval(spec, name)) {
		char *longer = text_format("%s_", name);

		free(name);
		name = longer;
	}
	return name;
}

static void specification_print(struct json *j, const struct spec *spec)
{
	char *origin = origin_name(spec), *text;
	const char *items;
	size_t n = spec_items(spec, &items);

	text = text_format("glimpse %s\n\n%.*sevent %s;\nend\n", spec->name, (int)n, items, origin);
	json_string(j, "specification", text);
	json_string(j, "origin", origin);
	free(text);
	free(origin);
}

/* ---- tables ---- */

static void table_print(struct json *j, const struct query *q, const struct event_type *e)
{
	struct sql_end end = sql_end_of(e);

	json_object(j, NULL);
	json_string(j, "event", e->name);
	json_string(j, "table", q->tables.of_event[e->index]);
	json_array(j, "columns");
	for (unsigned i = 0; i < e->nattributes; i++) {
		json_object(j, NULL);
		json_string(j, "attribute", e->attributes[i].name);
		json_string(j, "column", end.columns.at[EVENT_COLUMNS + i].name);
		json_string(j, "type", sql_column_type(DIALECT_SPARK, e->attributes[i].type));
		json_close(j);
	}
	json_close(j);
	json_close(j);
	sql_end_free(&end);
}

/* ---- intervals ---- */

static void place_print(struct json *j, const struct parting_place *place)
{
	json_object(j, NULL);
	json_bool(j, "anchor", place->anchor);
	json_array(j, "keys");
	for (size_t i = 0; i < place->keys.n; i++)
		json_string(j, NULL, place->keys.at[i]);
	json_close(j);
	json_close(j);
}

static void events_print(struct json *j, const struct parting *p)
{
	json_array(j, "events");
	for (size_t i = 0; i < p->events.n; i++) {
		const struct parting_event *e = &p->events.at[i];

		json_object(j, NULL);
		json_string(j, "event", e->event->name);
		json_bool(j, "asks_thread", e->asks_thread);
		json_array(j, "places");
		for (size_t k = 0; k < e->places.n; k++)
			place_print(j, &e->places.at[k]);
		json_close(j);
		json_close(j);
	}
	json_close(j);
}

static void metrics_print(struct json *j, const struct interval *i)
{
	struct field_names names = query_metric_names(i);

	json_array(j, "metrics");
	for (unsigned k = 0; k < i->nmetrics; k++) {
		json_object(j, NULL);
		json_string(j, "column", names.names[QUERY_COLUMNS + k]);
		json_string(j, "type",
			    sql_type_name(DIALECT_SPARK, sql_expr_type(i->metrics[k].value)));
		json_close(j);
	}
	json_close(j);
	field_names_free(&names);
}

static void interval_print(struct json *j, const struct interval *i, const char *table)
{
	static const char *const parted[] = {
	    [PARTING_BY_KEYS] = "keys",
	    [PARTING_BY_TIME] = "time",
	    [PARTING_BY_NOTHING] = "nothing",
	};
	struct parting p = parting_of(i);

	json_object(j, NULL);
	json_string(j, "interval", i->name);
	json_string(j, "table", table);
	json_string(j, "by", parted[p.by]);
	if (p.by == PARTING_BY_TIME) {
		json_int(j, "reach", p.reach);
		json_bool(j, "backwards", i->direction == BACKWARDS);
	}
	json_bool(j, "asks_owner", p.asks_owner);
	events_print(j, &p);
	metrics_print(j, i);
	json_close(j);
	parting_free(&p);
}

static void intervals_print(struct json *j, const struct interval *const *intervals)
{
	struct field_names tables = {NULL, 0};

	json_array(j, "intervals");
	for (; *intervals; intervals++)
		interval_print(j, *intervals, field_name_add(&tables, (*intervals)->name));
	json_close(j);
	field_names_free(&tables);
}

void spark_plan_print(const struct spec *spec, const struct interval *const *intervals, FILE *out)
{
	struct json j = json_begin(out, 2);
	struct query q;
	char schema[17];

	query_begin(&q, spec, DIALECT_SPARK);
	snprintf(schema, sizeof schema, "%016" PRIx64, spec->schema);
	json_object(&j, NULL);
	json_string(&j, "schema", schema);
	specification_print(&j, spec);
	json_array(&j, "tables");
	for (unsigned i = 0; i < spec->nevents; i++)
		table_print(&j, &q, spec->events[i]);
	json_close(&j);
	intervals_print(&j, intervals);
	json_close(&j);
	query_free(&q);
}
