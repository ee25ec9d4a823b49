#include "formats/event_tables.h"
#include "base/array.h"
#include "base/visible.h"
#include "spec/layout.h"
#include "trace/format/record.h"
#include <inttypes.h>
#include <stdlib.h>

/* ---- names ---- */

static const char *const fixed_tables[] = {"trace", "processes", "threads"};
enum { FIXED_TABLES = sizeof fixed_tables / sizeof *fixed_tables };

struct event_tables event_tables_name(const struct spec *spec)
{
	struct event_tables t = {{NULL, 0}, NULL};

	for (int i = 0; i < FIXED_TABLES; i++)
		field_name_add(&t.names, fixed_tables[i]);
	for (unsigned i = 0; i < spec->nevents; i++)
		field_name_add(&t.names, spec->events[i]->name);
	t.of_event = (const char *const *)t.names.names + FIXED_TABLES;
	return t;
}

void event_tables_free(struct event_tables *t)
{
	field_names_free(&t->names);
}

/* ---- columns ---- */

static const char *const fixed_names[] = {"time", "thread",            /* columns */
					  "seq",  "host",     "slice", /* folders of Parquet */
					  "ctid", "tableoid", "xmin",  "cmin",
					  "xmax", "cmax",     NULL}; /* PostgreSQL's */
enum { FIXED_NAMES = sizeof fixed_names / sizeof *fixed_names - 1 };

static enum column_type attribute_column(enum type type)
{
	switch (type) {
	case TYPE_STRING:
		return COLUMN_BYTES;
	case TYPE_DOUBLE:
		return COLUMN_DOUBLE;
	case TYPE_ULONG:
	case TYPE_ADDRESS:
	case TYPE_CODE:
	case TYPE_OBJECT:
		return COLUMN_UNSIGNED;
	default:
		return COLUMN_INTEGER;
	}
}

struct table_columns event_columns(const struct event_type *e)
{
	struct table_columns c = {.names = attribute_names(e, fixed_names),
				  .n = EVENT_COLUMNS + e->nattributes};

	c.at = array_zero(c.n, sizeof *c.at);
	for (size_t i = 0; i < EVENT_COLUMNS; i++)
		c.at[i].name = c.names.names[i];
	c.at[0].ascends = c.at[2].ascends = true;
	for (unsigned i = 0; i < e->nattributes; i++) {
		c.at[EVENT_COLUMNS + i].name = c.names.names[FIXED_NAMES + i];
		c.at[EVENT_COLUMNS + i].type = attribute_column(e->attributes[i].type);
	}
	return c;
}

void table_columns_free(struct table_columns *c)
{
	free(c->at);
	field_names_free(&c->names);
}

#define COLUMNS(columns) \
	{ \
		(struct table_column *)(columns), sizeof(columns) / sizeof *(columns), \
		{ \
			NULL, 0 \
		} \
	}

static const struct table_column columns_of_trace[] = {
    {"version", COLUMN_INTEGER, false},  {"schema", COLUMN_TEXT, false},
    {"origin", COLUMN_INTEGER, false},   {"origin_real", COLUMN_INTEGER, false},
    {"duration", COLUMN_INTEGER, false}, {"lost", COLUMN_INTEGER, false},
    {"slice", COLUMN_INTEGER, false},    {"specification", COLUMN_BYTES, false},
};
const struct table_columns trace_columns = COLUMNS(columns_of_trace);

static const struct table_column columns_of_processes[] = {
    {"process", COLUMN_INTEGER, false}, {"host", COLUMN_TEXT, false},
    {"path", COLUMN_TEXT, false},       {"program", COLUMN_TEXT, false},
    {"pid", COLUMN_INTEGER, false},     {"rank", COLUMN_INTEGER, false},
    {"ended", COLUMN_INTEGER, false},   {"dropped", COLUMN_INTEGER, false},
};
const struct table_columns process_columns = COLUMNS(columns_of_processes);

static const struct table_column columns_of_threads[] = {
    {"thread", COLUMN_INTEGER, false},  {"name", COLUMN_TEXT, false},
    {"process", COLUMN_INTEGER, false}, {"pid", COLUMN_INTEGER, false},
    {"tid", COLUMN_INTEGER, false},     {"events", COLUMN_INTEGER, false},
    {"lost", COLUMN_INTEGER, false},    {"owner", COLUMN_BYTES, false},
    {"first", COLUMN_INTEGER, false},   {"last", COLUMN_INTEGER, false},
};
const struct table_columns thread_columns = COLUMNS(columns_of_threads);

/* ---- rows ---- */

static void text_put(const struct table_writer *w, void *table, const char *text)
{
	char *visible = visible_text(text);

	w->string(table, visible, strlen(visible));
	free(visible);
}

const char *process_host(const struct trace_process *p)
{
	return *p->host ? p->host : "local";
}

void trace_row_put(const struct table_writer *w, void *table, const struct trace *t, int64_t slice)
{
	char schema[17];

	snprintf(schema, sizeof schema, "%016" PRIx64, t->spec->schema);
	w->integer(table, 1);
	text_put(w, table, schema);
	w->integer(table, (uint64_t)t->origin);
	w->integer(table, (uint64_t)t->origin_real);
	w->integer(table, (uint64_t)t->duration);
	w->integer(table, t->lost);
	w->integer(table, (uint64_t)slice);
	w->string(table, t->spec->text, strlen(t->spec->text));
	w->row_end(table);
}

void process_rows_put(const struct table_writer *w, void *table, const struct trace *t)
{
	for (unsigned i = 0; i < t->nprocesses; i++) {
		const struct trace_process *p = &t->processes[i];

		w->integer(table, i);
		text_put(w, table, process_host(p));
		text_put(w, table, p->path);
		text_put(w, table, p->program);
		w->integer(table, p->pid);
		w->integer(table, p->rank);
		w->integer(table, p->ended);
		w->integer(table, p->dropped);
		w->row_end(table);
	}
}

void thread_rows_put(const struct table_writer *w, void *table, const struct export_request *r)
{
	for (unsigned i = 0; i < r->trace->nthreads; i++) {
		const struct trace_thread *thread = &r->trace->threads[i];

		if (r->threads && !r->threads[i])
			continue;
		w->integer(table, thread->number);
		text_put(w, table, thread->name);
		w->integer(table, thread->directory);
		w->integer(table, thread->process);
		w->integer(table, thread->tid);
		w->integer(table, thread->events);
		w->integer(table, thread->lost);
		w->string(table, thread->owner, strlen(thread->owner));
		w->integer(table, (uint64_t)thread->first);
		w->integer(table, (uint64_t)thread->last);
		w->row_end(table);
	}
}

void event_row_put(const struct table_writer *w, void *table, const struct event *e)
{
	w->integer(table, (uint64_t)e->time);
	w->integer(table, e->thread);
	w->integer(table, e->seq);
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		struct value v = record_value(e->type, i, e->record);

		if (v.kind == VALUE_STRING)
			w->string(table, v.string.bytes, v.string.length);
		else if (v.kind == VALUE_REAL)
			w->real(table, v.real);
		else
			w->integer(table, (uint64_t)v.integer);
	}
	w->row_end(table);
}

unsigned event_cut_strings(const struct event *e)
{
	unsigned cut = 0;

	for (unsigned i = 0; e->type->nstrings && i < e->type->nattributes; i++) {
		struct value v = record_value(e->type, i, e->record);

		cut += v.kind == VALUE_STRING && string_is_cut(&v);
	}
	return cut;
}
