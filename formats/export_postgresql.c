#include "base/array.h"
#include "base/output.h"
#include "base/units.h"
#include "formats/chosen_events.h"
#include "formats/event_tables.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	MEMORY = 64 << 20, /* bytes of rows that are not yet in the dump */
	NAME_MOST = 63,    /* bytes */
};

/* Rows of a table, as COPY reads them. */
struct copy {
	const char *name;
	const struct table_columns *columns;
	size_t column; /* that gets the next value */
	VECTOR(char) text;
	uint64_t odd_nans;
};

struct dump {
	FILE *out;
	const struct export_request *request;
	struct event_tables tables;
	struct table_columns *columns; /* of each event type */
	struct copy *copies;           /* of each event type */
	size_t bytes;                  /* of all texts */
	uint64_t cut;
};

/* ---- values ---- */

static void put(struct copy *c, const char *text, size_t n)
{
	vector_append(&c->text, text, n);
}

/* Begins a value; returns the column that it is of. */
static const struct table_column *value_begin(struct copy *c)
{
	if (c->column)
		put(c, "\t", 1);
	return &c->columns->at[c->column++];
}

static void integer_put(void *copy, uint64_t value)
{
	bool is_signed = value_begin(copy)->type == COLUMN_INTEGER;
	char text[24];
	int n = is_signed ? snprintf(text, sizeof text, "%" PRId64, (int64_t)value)
			  : snprintf(text, sizeof text, "%" PRIu64, value);

	put(copy, text, (size_t)n);
}

/* PostgreSQL reads "NaN" as the one of <math.h>; others lose their bits. */
static void double_put(void *copy, double value)
{
	static const double nan_read = NAN;
	struct copy *c = copy;
	char text[UNITS_TEXT];

	value_begin(c);
	if (isnan(value)) {
		c->odd_nans += memcmp(&value, &nan_read, sizeof value) != 0;
		strcpy(text, "NaN");
	} else if (isinf(value)) {
		strcpy(text, value < 0 ? "-Infinity" : "Infinity");
	} else {
		units_real(text, value, 15);
	}
	put(c, text, strlen(text));
}

static void text_put(struct copy *c, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\\')
			put(c, "\\", 1);
		put(c, &text[i], 1);
	}
}

/* Bytes are "\x" and their digits. Texts are visible: no tab or line feed ends them. */
static void string_put(void *copy, const void *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *at = bytes;
	struct copy *c = copy;
	char *to;

	if (value_begin(c)->type == COLUMN_TEXT) {
		text_put(c, bytes, n);
		return;
	}
	put(c, "\\\\x", 3);
	c->text.at = vector_reserve(c->text.at, c->text.n + 2 * n, &c->text.room, 1);
	to = c->text.at + c->text.n;
	for (size_t i = 0; i < n; i++) {
		*to++ = digits[at[i] >> 4];
		*to++ = digits[at[i] & 15];
	}
	c->text.n += 2 * n;
}

static void row_end(void *copy)
{
	struct copy *c = copy;

	c->column = 0;
	put(c, "\n", 1);
}

static const struct table_writer writer = {integer_put, double_put, string_put, row_end};

/* ---- tables ---- */

static const char *type_of(enum column_type type)
{
	static const char *const types[] = {[COLUMN_INTEGER] = "bigint",
					    [COLUMN_UNSIGNED] = "numeric(20,0)",
					    [COLUMN_DOUBLE] = "double precision",
					    [COLUMN_BYTES] = "bytea",
					    [COLUMN_TEXT] = "text"};

	return types[type];
}

static void table_create(FILE *out, const char *name, const struct table_columns *columns)
{
	fprintf(out, "CREATE TABLE \"%s\" (", name);
	for (size_t i = 0; i < columns->n; i++)
		fprintf(out, "%s\"%s\" %s NOT NULL", i ? ", " : "", columns->at[i].name,
			type_of(columns->at[i].type));
	fputs(");\n", out);
}

/* Writes the rows that a table has so far. */
static void copy_write(FILE *out, struct copy *c)
{
	if (c->text.n) {
		fprintf(out, "COPY \"%s\" FROM stdin;\n", c->name);
		fwrite(c->text.at, 1, c->text.n, out);
		fputs("\\.\n", out);
	}
	free(c->text.at);
	*c = (struct copy){.name = c->name, .columns = c->columns, .odd_nans = c->odd_nans};
}

static void tables_write(const struct dump *d)
{
	struct copy trace = {.name = "trace", .columns = &trace_columns};
	struct copy processes = {.name = "processes", .columns = &process_columns};
	struct copy threads = {.name = "threads", .columns = &thread_columns};
	struct copy *const fixed[] = {&trace, &processes, &threads};

	trace_row_put(&writer, &trace, d->request->trace, 0);
	process_rows_put(&writer, &processes, d->request->trace);
	thread_rows_put(&writer, &threads, d->request);
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
		table_create(d->out, fixed[i]->name, fixed[i]->columns);
		copy_write(d->out, fixed[i]);
	}
}

/* ---- events ---- */

static void largest_write(struct dump *d)
{
	struct copy *largest = d->copies;

	for (unsigned i = 1; i < d->request->trace->spec->nevents; i++)
		if (d->copies[i].text.n > largest->text.n)
			largest = &d->copies[i];
	d->bytes -= largest->text.n;
	copy_write(d->out, largest);
}

static void event_put(struct dump *d, const struct event *e)
{
	struct copy *c = &d->copies[e->type->index];
	size_t before = c->text.n;

	event_row_put(&writer, c, e);
	d->bytes += c->text.n - before;
	d->cut += event_cut_strings(e);
	if (d->bytes >= MEMORY)
		largest_write(d);
}

static bool events_write(struct dump *d)
{
	unsigned n = d->request->trace->spec->nevents;
	struct chosen_events events;
	uint32_t thread;
	struct event e;

	if (!chosen_events_begin(&events, d->request, &export_postgresql))
		return false;
	while (chosen_events_next(&events, &e, &thread))
		event_put(d, &e);
	chosen_events_end(&events);
	for (unsigned i = 0; i < n; i++)
		copy_write(d->out, &d->copies[i]);
	return !output_interrupted();
}

/* ---- the dump ---- */

static void dump_prepare(struct dump *d)
{
	const struct spec *spec = d->request->trace->spec;

	d->tables = event_tables_name(spec);
	d->columns = array_new(spec->nevents, sizeof *d->columns);
	d->copies = array_zero(spec->nevents, sizeof *d->copies);
	for (unsigned i = 0; i < spec->nevents; i++) {
		d->columns[i] = event_columns(spec->events[i]);
		d->copies[i].name = d->tables.of_event[i];
		d->copies[i].columns = &d->columns[i];
	}
}

static bool name_fits(const struct dump *d, const char *name)
{
	if (strlen(name) <= NAME_MOST)
		return true;
	diag_error(
	    d->request->diag, DIAG_NOWHERE,
	    "--format=postgresql: the name '%s' has more than %d bytes; use --format=parquet", name,
	    NAME_MOST);
	return false;
}

/* PostgreSQL cuts longer names, which may then be those of others. */
static bool names_fit(const struct dump *d)
{
	bool good = true;

	for (unsigned i = 0; i < d->request->trace->spec->nevents; i++) {
		good = name_fits(d, d->copies[i].name) && good;
		for (size_t k = 0; k < d->columns[i].n; k++)
			good = name_fits(d, d->columns[i].at[k].name) && good;
	}
	return good;
}

/* All or nothing is loaded: the end of a dump that was cut off is missing. */
static bool dump_write(struct dump *d)
{
	bool good;

	fputs("\\set ON_ERROR_STOP on\nBEGIN;\nSET LOCAL client_encoding = 'UTF8';\n", d->out);
	tables_write(d);
	for (unsigned i = 0; i < d->request->trace->spec->nevents; i++)
		table_create(d->out, d->copies[i].name, d->copies[i].columns);
	good = events_write(d);
	for (unsigned i = 0; i < d->request->trace->spec->nevents; i++)
		fprintf(d->out, "ANALYZE \"%s\";\n", d->copies[i].name);
	fputs("COMMIT;\n", d->out);
	return good;
}

static void losses_report(const struct dump *d)
{
	uint64_t odd_nans = 0;

	for (unsigned i = 0; i < d->request->trace->spec->nevents; i++)
		odd_nans += d->copies[i].odd_nans;
	export_left_out(d->request, &export_postgresql, odd_nans, "the bits of a NaN");
	export_left_out(d->request, &export_postgresql, d->cut, EXPORT_CUT_MARKS);
}

static void dump_clear(struct dump *d)
{
	for (unsigned i = 0; i < d->request->trace->spec->nevents; i++) {
		table_columns_free(&d->columns[i]);
		free(d->copies[i].text.at);
	}
	event_tables_free(&d->tables);
	free(d->columns);
	free(d->copies);
}

static bool postgresql_write(FILE *out, const struct export_request *r)
{
	struct dump d = {.out = out, .request = r};
	bool good;

	dump_prepare(&d);
	good = names_fit(&d) && dump_write(&d);
	if (good)
		losses_report(&d);
	dump_clear(&d);
	return good;
}

const struct export_format export_postgresql = {
    .name = "postgresql",
    .summary = "a dump for psql: a table for each event, processes and threads",
    .write = postgresql_write,
};
