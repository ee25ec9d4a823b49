/*
 * A trace as tables without NULL, of Parquet and PostgreSQL, which queries of `glimpse sql` read:
 * their names, columns and rows. A row of a table of events is an event of its type.
 */
#ifndef GLIMPSE_FORMATS_EVENT_TABLES_H
#define GLIMPSE_FORMATS_EVENT_TABLES_H

#include "formats/export.h"
#include "formats/field_names.h"

enum column_type {
	COLUMN_INTEGER,  /* 64 bits, signed */
	COLUMN_UNSIGNED, /* 64 bits */
	COLUMN_DOUBLE,
	COLUMN_BYTES,
	COLUMN_TEXT, /* of UTF-8, without NUL */
};

static inline bool table_type_is_whole(enum column_type type)
{
	return type == COLUMN_INTEGER || type == COLUMN_UNSIGNED;
}

struct table_column {
	const char *name;
	enum column_type type;
	bool ascends; /* its values mostly grow from row to row */
};

static inline bool table_column_is_string(const struct table_column *c)
{
	return c->type == COLUMN_BYTES || c->type == COLUMN_TEXT;
}

struct table_columns {
	struct table_column *at;
	size_t n;
	struct field_names names; /* that it owns */
};

/*
 * Names the tables of the events, by the events' indices, so that none has the name of a fixed
 * table.
 */
struct event_tables {
	struct field_names names;
	const char *const *of_event;
};
struct event_tables event_tables_name(const struct spec *spec);
void event_tables_free(struct event_tables *t);

/* What each table of events begins with: time, thread, seq. */
enum { EVENT_COLUMNS = 3 };

/*
 * Makes the columns of a table of events: the fixed ones, then those of the attributes. Their names
 * are also other than what engines add to a table: the folders of Parquet, the system's columns of
 * PostgreSQL.
 */
struct table_columns event_columns(const struct event_type *e);
extern const struct table_columns trace_columns, process_columns, thread_columns;
void table_columns_free(struct table_columns *c);

/* What a format does with the values of a row. */
struct table_writer {
	void (*integer)(void *table, uint64_t value); /* signed, too */
	void (*real)(void *table, double value);
	void (*string)(void *table, const void *bytes, size_t n);
	void (*row_end)(void *table);
};

/*
 * Put the rows of tables. Only threads that are exported have rows. slice: the length of slices of
 * time, or 0.
 */
void trace_row_put(const struct table_writer *w, void *table, const struct trace *t, int64_t slice);
void process_rows_put(const struct table_writer *w, void *table, const struct trace *t);
void thread_rows_put(const struct table_writer *w, void *table, const struct export_request *r);
void event_row_put(const struct table_writer *w, void *table, const struct event *e);

/* Returns the machine of a process, and its boot; "local" if the process does not say. */
const char *process_host(const struct trace_process *p);
/* Returns how many strings of an event the runtime cut, which no column says. */
unsigned event_cut_strings(const struct event *e);

#endif
