#include "config.h"
#include "formats/export.h"
#ifdef HAVE_SQLITE3
#include "base/array.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "formats/chosen_events.h"
#include "formats/field_names.h"
#include "match/join/match.h"
#include "match/stats/crossing.h"
#include "spec/layout.h"
#include "trace/format/record.h"
#include <sqlite3.h>
#include <stdlib.h>

struct sqlite {
	sqlite3 *db;
	const struct export_request *request;
	const struct spec *spec;
	bool failed;                 /* and reported */
	struct field_names tables;   /* and views, and indices: they share one name space */
	const char **event_table;    /* by the event's index */
	const char **interval_table; /* by the interval's index */
	sqlite3_stmt **inserts;      /* by the event's index; NULL until there is an event */
	sqlite3_stmt *cut;           /* into cut_strings */
	uint64_t negative_zeros;
};

/* ---- statements ---- */

static bool check(struct sqlite *s, int status)
{
	if (status == SQLITE_OK || status == SQLITE_DONE || s->failed)
		return !s->failed;
	diag_error(s->request->diag, DIAG_NOWHERE, "sqlite: %s", sqlite3_errmsg(s->db));
	s->failed = true;
	return false;
}

/* Runs statements; %w is an identifier that stands in double quotes, %Q a text with its quotes. */
static void run(struct sqlite *s, const char *format, ...)
{
	va_list arguments;
	char *sql;

	if (s->failed)
		return;
	va_start(arguments, format);
	sql = sqlite3_vmprintf(format, arguments);
	va_end(arguments);
	check(s, sql ? sqlite3_exec(s->db, sql, NULL, NULL, NULL) : SQLITE_NOMEM);
	sqlite3_free(sql);
}

static sqlite3_stmt *insert_prepare(struct sqlite *s, const char *table, size_t columns)
{
	sqlite3_str *sql = sqlite3_str_new(s->db);
	sqlite3_stmt *statement = NULL;
	char *text;

	sqlite3_str_appendf(sql, "INSERT INTO \"%w\" VALUES (", table);
	for (size_t i = 0; i < columns; i++)
		sqlite3_str_appendall(sql, i ? ",?" : "?");
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	if (!s->failed)
		check(s,
		      text ? sqlite3_prepare_v2(s->db, text, -1, &statement, NULL) : SQLITE_NOMEM);
	sqlite3_free(text);
	return statement;
}

/* Inserts the row that is bound. */
static void insert_run(struct sqlite *s, sqlite3_stmt *statement)
{
	if (!s->failed && check(s, sqlite3_step(statement)))
		sqlite3_reset(statement);
}

static void text_bind(sqlite3_stmt *statement, int column, const char *bytes, size_t n)
{
	bool text = utf8_check(bytes, n) == n && !memchr(bytes, '\0', n);

	if (text)
		sqlite3_bind_text(statement, column, bytes, (int)n, SQLITE_STATIC);
	else /* a text of sqlite ends with NUL */
		sqlite3_bind_blob(statement, column, bytes, (int)n, SQLITE_STATIC);
}

/* An integer beyond 63 bits becomes the negative one of the same bits; sqlite makes NaN NULL. */
static void value_bind(struct sqlite *s, sqlite3_stmt *statement, int column, const struct value *v)
{
	if (v->kind == VALUE_STRING) {
		text_bind(statement, column, v->string.bytes, v->string.length);
	} else if (v->kind == VALUE_REAL) {
		s->negative_zeros += v->real == 0 && __builtin_signbit(v->real);
		sqlite3_bind_double(statement, column, v->real);
	} else {
		sqlite3_bind_int64(statement, column, (int64_t)v->integer);
	}
}

/* ---- what the trace is ---- */

static void trace_write(struct sqlite *s)
{
	const struct trace *t = s->request->trace;

	run(s,
	    "CREATE TABLE trace (version INTEGER, origin INTEGER, origin_real INTEGER,"
	    " duration INTEGER, lost INTEGER);"
	    "INSERT INTO trace VALUES (1, %lld, nullif(%lld, 0), %lld, %llu);"
	    "CREATE TABLE specification (text TEXT);"
	    "INSERT INTO specification VALUES (%Q)",
	    (long long)t->origin, (long long)t->origin_real, (long long)t->duration,
	    (unsigned long long)t->lost, s->spec->text);
}

static void processes_write(struct sqlite *s)
{
	const struct trace *t = s->request->trace;

	run(s, "CREATE TABLE processes (process INTEGER PRIMARY KEY, path TEXT, program TEXT,"
	       " pid INTEGER, rank INTEGER, ended INTEGER, dropped INTEGER)");
	for (unsigned i = 0; i < t->nprocesses; i++) {
		const struct trace_process *p = &t->processes[i];

		run(s,
		    "INSERT INTO processes VALUES (%u, %Q, %Q, nullif(%u, 0), nullif(%u, 0), %d, %llu)",
		    i, p->path, p->program, p->pid, p->rank, p->ended,
		    (unsigned long long)p->dropped);
	}
}

static void threads_write(struct sqlite *s)
{
	const struct trace *t = s->request->trace;

	run(s, "CREATE TABLE threads (thread INTEGER PRIMARY KEY, name TEXT, process INTEGER,"
	       " pid INTEGER, tid INTEGER, events INTEGER, lost INTEGER)");
	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct trace_thread *thread = &t->threads[i];

		if (!s->request->threads || s->request->threads[i])
			run(s,
			    "INSERT INTO threads VALUES (%u, %Q, %u, nullif(%u, 0), nullif(%llu, 0), %llu, %llu)",
			    thread->number, thread->name, thread->directory, thread->process,
			    (unsigned long long)thread->tid, (unsigned long long)thread->events,
			    (unsigned long long)thread->lost);
	}
}

/* ---- the tables of events and intervals ---- */

static const char *const event_fixed[] = {"time", "thread", "seq", NULL};
enum { EVENT_FIXED = sizeof event_fixed / sizeof *event_fixed - 1 };

static const char *column_type(enum value_kind kind)
{
	return kind == VALUE_STRING ? "TEXT" : kind == VALUE_REAL ? "REAL" : "INTEGER";
}

static enum value_kind attribute_kind(enum type type)
{
	return type_is_integer(type) ? VALUE_INT : type == TYPE_DOUBLE ? VALUE_REAL : VALUE_STRING;
}

/* Names what sqlite does not keep for itself. */
static const char *table_name(struct sqlite *s, const char *name)
{
	char *own = text_format("%s%s", strncasecmp(name, "sqlite_", 7) == 0 ? "_" : "", name);
	const char *added = field_name_add(&s->tables, own);

	free(own);
	return added;
}

static void event_create(struct sqlite *s, const struct event_type *e)
{
	struct field_names names = attribute_names(e, event_fixed);
	sqlite3_str *columns = sqlite3_str_new(s->db);
	const char *table = table_name(s, e->name);
	char *text;

	s->event_table[e->index] = table;
	run(s, "INSERT INTO event_types VALUES (%Q, %Q, %llu)", e->name, table,
	    (unsigned long long)s->request->trace->events_of_type[e->index]);
	for (unsigned i = 0; i < e->nattributes; i++) {
		const struct attribute *a = &e->attributes[i];
		const char *name = names.names[EVENT_FIXED + i];

		sqlite3_str_appendf(columns, ", \"%w\" %s", name,
				    column_type(attribute_kind(a->type)));
		run(s, "INSERT INTO attributes VALUES (%Q, %u, %Q, %Q, %Q)", e->name, i, a->name,
		    type_name(a->type), name);
	}
	text = sqlite3_str_finish(columns);
	run(s, "CREATE TABLE \"%w\" (time INTEGER, thread INTEGER, seq INTEGER%s)", table,
	    text ? text : "");
	sqlite3_free(text);
	field_names_free(&names);
}

static void interval_create(struct sqlite *s, const struct interval *interval)
{
	struct field_names names = metric_names(interval);
	sqlite3_str *columns = sqlite3_str_new(s->db);
	const char *table = table_name(s, interval->name);
	char *text;

	s->interval_table[interval->index] = table;
	run(s, "INSERT INTO interval_types VALUES (%Q, %Q, %Q, %Q)", interval->name, table,
	    interval->direction == FORWARDS ? "start" : "end", interval_kind_name(interval->kind));
	for (unsigned i = 0; i < interval->nmetrics; i++) {
		const char *name = names.names[INTERVAL_FIELDS + i];

		sqlite3_str_appendf(columns, ", \"%w\" %s", name,
				    column_type(interval->metrics[i].value->kind));
		run(s, "INSERT INTO metrics VALUES (%Q, %u, %Q, %Q)", interval->name, i,
		    interval->metrics[i].name, name);
	}
	text = sqlite3_str_finish(columns);
	run(s,
	    "CREATE TABLE \"%w\" (start INTEGER, \"end\" INTEGER, duration INTEGER,"
	    " anchor_thread INTEGER, anchor_seq INTEGER, partner_thread INTEGER, partner_seq INTEGER%s)",
	    table, text ? text : "");
	sqlite3_free(text);
	field_names_free(&names);
}

static void tables_create(struct sqlite *s)
{
	static const char *const fixed[] = {"trace",          "specification", "processes",
					    "threads",        "event_types",   "attributes",
					    "interval_types", "metrics",       "events",
					    "instances",      "cut_strings"};

	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		field_name_add(&s->tables, fixed[i]);
	run(s,
	    "CREATE TABLE event_types (event TEXT, \"table\" TEXT, events INTEGER);"
	    "CREATE TABLE attributes (event TEXT, position INTEGER, attribute TEXT, type TEXT,"
	    " \"column\" TEXT);"
	    "CREATE TABLE interval_types (interval TEXT, \"table\" TEXT, anchor TEXT, kind TEXT);"
	    "CREATE TABLE metrics (interval TEXT, position INTEGER, metric TEXT, \"column\" TEXT);"
	    "CREATE TABLE cut_strings (event TEXT, thread INTEGER, seq INTEGER, attribute TEXT)");
	s->event_table = array_zero(s->spec->nevents, sizeof *s->event_table);
	s->interval_table = array_zero(s->spec->nintervals, sizeof *s->interval_table);
	s->inserts = array_zero(s->spec->nevents, sizeof *s->inserts);
	for (unsigned i = 0; i < s->spec->nevents; i++)
		event_create(s, s->spec->events[i]);
	for (const struct interval *const *i = s->request->intervals; *i; i++)
		interval_create(s, *i);
	s->cut = insert_prepare(s, "cut_strings", 4);
}

/* ---- rows ---- */

static void cut_insert(struct sqlite *s, const struct event *e, unsigned attribute)
{
	if (s->failed)
		return;
	sqlite3_bind_text(s->cut, 1, e->type->name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(s->cut, 2, e->thread);
	sqlite3_bind_int64(s->cut, 3, (int64_t)e->seq);
	sqlite3_bind_text(s->cut, 4, e->type->attributes[attribute].name, -1, SQLITE_STATIC);
	insert_run(s, s->cut);
}

static void event_insert(struct sqlite *s, const struct event *e)
{
	sqlite3_stmt **insert = &s->inserts[e->type->index];

	if (!*insert)
		*insert = insert_prepare(s, s->event_table[e->type->index],
					 EVENT_FIXED + e->type->nattributes);
	if (s->failed)
		return;
	sqlite3_bind_int64(*insert, 1, e->time);
	sqlite3_bind_int64(*insert, 2, e->thread);
	sqlite3_bind_int64(*insert, 3, (int64_t)e->seq);
	for (unsigned i = 0; i < e->type->nattributes; i++) {
		struct value v = record_value(e->type, i, e->record);

		value_bind(s, *insert, EVENT_FIXED + 1 + (int)i, &v);
		if (v.kind == VALUE_STRING && string_is_cut(&v))
			cut_insert(s, e, i);
	}
	insert_run(s, *insert);
}

static void events_insert(struct sqlite *s)
{
	struct chosen_events events;
	uint32_t thread;
	struct event e;

	s->failed = s->failed || !chosen_events_begin(&events, s->request, &export_sqlite);
	if (s->failed)
		return;
	while (!s->failed && chosen_events_next(&events, &e, &thread))
		event_insert(s, &e);
	chosen_events_end(&events);
}

/* What cannot be computed is NULL. */
static void metrics_bind(struct sqlite *s, sqlite3_stmt *insert, const struct matches *m, size_t i)
{
	struct binding b;
	struct value v;

	if (!m->interval->nmetrics)
		return;
	matches_bind(m, i, true, &b);
	for (unsigned k = 0; k < m->interval->nmetrics; k++) {
		int column = INTERVAL_FIELDS + 1 + (int)k;

		if (expr_value(m->interval->metrics[k].value, &b, &v))
			value_bind(s, insert, column, &v);
		else
			sqlite3_bind_null(insert, column);
	}
}

static void instance_insert(struct sqlite *s, sqlite3_stmt *insert, const struct matches *m,
			    size_t i)
{
	struct instance instance;

	matches_get(m, i, &instance);
	if (!instance.partner.record || !export_has_thread(s->request, instance.anchor.thread))
		return;
	sqlite3_bind_int64(insert, 1, instance.start);
	sqlite3_bind_int64(insert, 2, instance.end);
	sqlite3_bind_int64(insert, 3, instance.end - instance.start);
	sqlite3_bind_int64(insert, 4, instance.anchor.thread);
	sqlite3_bind_int64(insert, 5, (int64_t)instance.anchor.seq);
	sqlite3_bind_int64(insert, 6, instance.partner.thread);
	sqlite3_bind_int64(insert, 7, (int64_t)instance.partner.seq);
	metrics_bind(s, insert, m, i);
	insert_run(s, insert);
}

static void instances_insert(struct sqlite *s, const struct interval *interval)
{
	struct trace *t = s->request->trace;
	struct matches *m = match_interval(t, interval);
	sqlite3_stmt *insert = insert_prepare(s, s->interval_table[interval->index],
					      INTERVAL_FIELDS + interval->nmetrics);

	matches_warn(m, s->request->diag);
	crossing_warn_of(t, m, s->request->diag);
	for (size_t i = 0; i < m->count && !s->failed; i++)
		instance_insert(s, insert, m, i);
	sqlite3_finalize(insert);
	matches_free(m);
}

/* ---- views and indices ---- */

static void index_create(struct sqlite *s, const char *table, const char *columns,
			 const char *suffix)
{
	char *name = text_format("%s_%s", table, suffix);

	run(s, "CREATE INDEX \"%w\" ON \"%w\" (%s)", table_name(s, name), table, columns);
	free(name);
}

static void indices_create(struct sqlite *s)
{
	for (unsigned i = 0; i < s->spec->nevents; i++) {
		if (!s->inserts[i])
			continue;
		index_create(s, s->event_table[i], "time", "time");
		index_create(s, s->event_table[i], "thread, seq", "thread");
	}
	for (unsigned i = 0; i < s->spec->nintervals; i++) {
		if (!s->interval_table[i])
			continue;
		index_create(s, s->interval_table[i], "start", "start");
		index_create(s, s->interval_table[i], "anchor_thread, anchor_seq", "anchor");
	}
}

/* sqlite takes 500 SELECTs in a row: each such row is one of those that it joins. */
enum { SELECTS = 400 };

/*
 * Makes a view over tables (NULL: none), with the name of what each is of in the first column; none
 * without a table.
 */
static void view_create(struct sqlite *s, const char *view, const char *what, const char *columns,
			const char *const *tables, size_t n,
			const char *(*name)(const struct spec *, size_t))
{
	sqlite3_str *sql = sqlite3_str_new(s->db);
	size_t selects = 0;
	char *text;

	for (size_t i = 0; i < n; i++) {
		if (!tables[i])
			continue;
		if (selects % SELECTS == 0)
			sqlite3_str_appendf(
			    sql, "%s", selects ? ") UNION ALL SELECT * FROM (" : "SELECT * FROM (");
		else
			sqlite3_str_appendall(sql, " UNION ALL ");
		sqlite3_str_appendf(sql, "SELECT %Q AS \"%w\", %s FROM \"%w\"", name(s->spec, i),
				    what, columns, tables[i]);
		selects++;
	}
	text = sqlite3_str_finish(sql);
	if (text)
		run(s, "CREATE VIEW \"%w\" AS %s)", view, text);
	sqlite3_free(text);
}

static const char *event_name(const struct spec *spec, size_t i)
{
	return spec->events[i]->name;
}

static const char *interval_name(const struct spec *spec, size_t i)
{
	return spec->intervals[i]->name;
}

static void views_create(struct sqlite *s)
{
	view_create(s, "events", "event", "time, thread, seq", s->event_table, s->spec->nevents,
		    event_name);
	view_create(
	    s, "instances", "interval",
	    "start, \"end\", duration, anchor_thread, anchor_seq, partner_thread, partner_seq",
	    s->interval_table, s->spec->nintervals, interval_name);
}

/* ---- the database ---- */

static void database_fill(struct sqlite *s)
{
	/*
	 * The file is nobody's until it is complete: no journal, no lock, no waiting for the disk.
	 */
	run(s,
	    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE");
	run(s, "BEGIN");
	trace_write(s);
	processes_write(s);
	threads_write(s);
	tables_create(s);
	events_insert(s);
	for (const struct interval *const *i = s->request->intervals; *i && !s->failed; i++)
		instances_insert(s, *i);
	indices_create(s);
	views_create(s);
	run(s, "COMMIT");
}

static void sqlite_clear(struct sqlite *s)
{
	for (unsigned i = 0; s->inserts && i < s->spec->nevents; i++)
		sqlite3_finalize(s->inserts[i]);
	sqlite3_finalize(s->cut);
	free(s->inserts);
	free(s->event_table);
	free(s->interval_table);
	field_names_free(&s->tables);
	if (sqlite3_close(s->db) != SQLITE_OK)
		check(s, sqlite3_errcode(s->db));
}

static bool sqlite_save(const char *path, const struct export_request *r)
{
	struct sqlite s = {.request = r, .spec = r->trace->spec};
	/* a name like file:x means something else */
	char *plain = text_format("%s%s", *path == '/' ? "" : "./", path);

	/* confined, it may sort in no other folder for temporary files than all do */
	unsetenv("SQLITE_TMPDIR");
	check(&s, sqlite3_open_v2(plain, &s.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
	database_fill(&s);
	sqlite_clear(&s);
	free(plain);
	if (!s.failed)
		export_left_out(r, &export_sqlite, s.negative_zeros, "the sign of -0");
	return !s.failed;
}

#else

static bool sqlite_save(const char *path, const struct export_request *r)
{
	(void)path;
	return export_built_without(r, "sqlite3", "sqlite", "libsqlite3-dev");
}

#endif

const struct export_format export_sqlite = {
    .name = "sqlite",
    .summary = "a database: a table for each event and interval, views over all",
    .intervals = true,
    .save = sqlite_save,
};
