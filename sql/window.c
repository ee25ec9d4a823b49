#include "sql/window.h"
#include "base/array.h"
#include "base/json.h"
#include <stdlib.h>

/* SQL that concatenates pieces of text. */
struct pieces {
	FILE *out;
	char *text;
	size_t size;
	enum dialect dialect;
	bool any;
};

static void pieces_begin(struct pieces *p, enum dialect d)
{
	*p = (struct pieces){.dialect = d};
	p->out = open_memstream(&p->text, &p->size);
	if (!p->out)
		array_exhausted();
}

/* Adds SQL of a text. */
static void sql_add(struct pieces *p, const char *sql)
{
	fprintf(p->out, "%s%s", p->any ? " || " : "", sql);
	p->any = true;
}

static void text_add(struct pieces *p, const char *text)
{
	char *quoted = sql_text(p->dialect, text);

	sql_add(p, quoted);
	free(quoted);
}

/* Adds a key and a value that is SQL of a text; takes the value over. */
static void member_add(struct pieces *p, const char *comma, const char *key, char *sql)
{
	char *before = text_format("%s\"%s\": ", comma, key);

	text_add(p, before);
	sql_add(p, sql);
	free(before);
	free(sql);
}

static char *pieces_end(struct pieces *p)
{
	fclose(p->out);
	return p->text;
}

/* ---- values as JSON ---- */

static const char *text_type(enum dialect d)
{
	static const char *const names[NDIALECTS] = {"VARCHAR", "TEXT", "STRING"};

	return names[d];
}

static char *number_sql(enum dialect d, const char *column)
{
	return text_format("CAST(%s AS %s)", column, text_type(d));
}

/* JSON has neither NaN nor infinities. Readers take -0 for a whole number, which has no sign. */
static char *real_sql(enum dialect d, const char *column)
{
	char *number = number_sql(d, column);
	char *sql =
	    text_format("CASE lower(%s) WHEN 'nan' THEN '\"nan\"' WHEN 'infinity' THEN '\"inf\"' "
			"WHEN '-infinity' THEN '\"-inf\"'\n\tWHEN 'inf' THEN '\"inf\"' WHEN '-inf' "
			"THEN '\"-inf\"' WHEN '-0' THEN '-0.0' ELSE %s END",
			number, number);

	free(number);
	return sql;
}

/* Bytes of any kind. Two engines break the lines of base64. */
static char *bytes_sql(enum dialect d, const char *column)
{
	static const char *const encode[NDIALECTS] = {
	    "base64(%s)", "translate(encode(%s, 'base64'), chr(10), '')",
	    "translate(base64(%s), concat(chr(13), chr(10)), '')"};
	char *digits = text_format(encode[d], column);
	char *sql = text_format("'{\"base64\": \"' || %s || '\"}'", digits);

	free(digits);
	return sql;
}

/* A text in which nothing is hidden: names of threads and programs. */
static char *text_sql(const char *column)
{
	return text_format("'\"' || replace(replace(%s, chr(92), chr(92) || chr(92)), '\"', "
			   "chr(92) || '\"') || '\"'",
			   column);
}

static char *value_sql(enum dialect d, const char *column, enum type type)
{
	switch (sql_type_of(type)) {
	case SQL_DOUBLE:
		return real_sql(d, column);
	case SQL_BYTES:
		return bytes_sql(d, column);
	default:
		return number_sql(d, column);
	}
}

/* ---- events ---- */

static char *event_line(enum dialect d, const struct event_type *e)
{
	struct sql_end end = sql_end_of(e);
	char *name = text_format(", \"event\": \"%s\", \"attributes\": {", e->name);
	struct pieces p;

	pieces_begin(&p, d);
	member_add(&p, "{", "time", number_sql(d, "e.time"));
	member_add(&p, ", ", "thread", number_sql(d, "e.thread"));
	member_add(&p, ", ", "seq", number_sql(d, "e.seq"));
	text_add(&p, name);
	for (unsigned i = 0; i < e->nattributes; i++) {
		char *quoted = sql_identifier(d, sql_attribute_name(&end, i));
		char *column = text_format("e.%s", quoted);

		fputs("\n\t", p.out);
		member_add(&p, i ? ", " : "", e->attributes[i].name,
			   value_sql(d, column, e->attributes[i].type));
		free(quoted);
		free(column);
	}
	text_add(&p, "}}");
	free(name);
	sql_end_free(&end);
	return pieces_end(&p);
}

/* ---- the first line ---- */

/* The specification as JSON writes it, in quotes. */
static char *specification_json(const struct spec *spec)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct json j;

	if (!out)
		array_exhausted();
	j = json_begin(out, 0);
	json_string(&j, NULL, spec->text);
	fclose(out);
	return text;
}

/* All rows of a table as a list, by their numbers. */
static char *list_sql(enum dialect d, const char *table, const char *number, const char *line)
{
	char *quoted = sql_identifier(d, table), *sql;

	if (d == DIALECT_SPARK)
		sql = text_format(
		    "(SELECT array_join(transform(array_sort(collect_list(struct(%s AS n, "
		    "%s AS line))), x -> x.line), ', ') FROM %s)",
		    number, line, quoted);
	else
		sql = text_format("(SELECT string_agg(%s, ', ' ORDER BY %s) FROM %s)", line, number,
				  quoted);
	free(quoted);
	return sql;
}

static char *process_line(enum dialect d)
{
	struct pieces p;

	pieces_begin(&p, d);
	member_add(&p, "{", "path", text_sql("path"));
	member_add(&p, ", ", "program", text_sql("program"));
	member_add(&p, ", ", "pid", number_sql(d, "pid"));
	member_add(&p, ", ", "rank", number_sql(d, "rank"));
	text_add(&p, "}");
	return pieces_end(&p);
}

static char *thread_line(enum dialect d)
{
	struct pieces p;

	pieces_begin(&p, d);
	member_add(&p, "{", "thread", number_sql(d, "thread"));
	member_add(&p, ", ", "name", text_sql("name"));
	member_add(&p, ", ", "process", number_sql(d, "process"));
	member_add(&p, ", ", "pid", number_sql(d, "pid"));
	member_add(&p, ", ", "tid", number_sql(d, "tid"));
	text_add(&p, "}");
	return pieces_end(&p);
}

static void list_add(struct pieces *p, const char *key, const char *table, const char *number,
		     char *line)
{
	char *before = text_format(", \"%s\": [", key),
	     *list = list_sql(p->dialect, table, number, line);

	text_add(p, before);
	sql_add(p, list);
	text_add(p, "]");
	free(before);
	free(list);
	free(line);
}

static char *header_line(const struct query *q)
{
	enum dialect d = q->dialect;
	char *text = specification_json(q->spec),
	     *begin = text_format("{\"glimpse\": {\"version\": 1, \"specification\": %s", text);
	struct pieces p;

	pieces_begin(&p, d);
	text_add(&p, begin);
	member_add(&p, ", ", "origin", number_sql(d, "origin"));
	sql_add(&p, "CASE WHEN origin_real <> 0 THEN ', \"origin_real\": ' ELSE '' END");
	free(text);
	text = number_sql(d, "origin_real");
	fprintf(p.out, " || CASE WHEN origin_real <> 0 THEN %s ELSE '' END", text);
	member_add(&p, ", ", "duration", number_sql(d, "duration"));
	list_add(&p, "processes", "processes", "process", process_line(d));
	list_add(&p, "threads", "threads", "thread", thread_line(d));
	text_add(&p, "}}");
	free(text);
	free(begin);
	return pieces_end(&p);
}

/* ---- all ---- */

char *window_select(struct query *q)
{
	char *header = header_line(q), *trace = sql_identifier(q->dialect, "trace"),
	     *lines = query_expression(q, "window_lines");
	const char *bigint = sql_type_name(q->dialect, SQL_BIGINT);
	char *select;

	fprintf(
	    q->with,
	    "SELECT 0 AS part, CAST(0 AS %s) AS time, CAST(0 AS %s) AS thread, CAST(0 AS %s) AS "
	    "seq,\n\t%s AS line FROM %s",
	    bigint, bigint, bigint, header, trace);
	for (unsigned i = 0; i < q->spec->nevents; i++) {
		char *line = event_line(q->dialect, q->spec->events[i]);

		fprintf(q->with, "\nUNION ALL SELECT 1, e.time, e.thread, e.seq, %s\nFROM %s AS e",
			line, q->event_tables[i]);
		free(line);
	}
	fputs(")", q->with);
	select = text_format("SELECT line FROM %s ORDER BY part, time, thread, seq", lines);
	free(header);
	free(trace);
	free(lines);
	return select;
}
