/*
 * Comma-separated values (RFC 4180) whose first line names the columns; also with semicolons or
 * tabs. Our own export is told by its first columns.
 */
#include "formats/rows.h"
#include <stdlib.h>
#include <string.h>

static const char OWN[] = "time,realtime,process,pid,thread,tid,name,seq,event";

struct csv_import {
	struct rows rows;
	char separator;
	VECTOR(struct row_field) columns; /* of the first line: their names */
	VECTOR(struct row_field) fields;
	VECTOR(char) record; /* of several lines */
	uint64_t odd;        /* records with more or fewer fields than columns */
};

/* Returns whether the file's name ends so, perhaps with .gz behind it. */
static bool is_called(const char *path, const char *suffix)
{
	size_t n = strlen(path), m = strlen(suffix);

	if (n > 3 && strcmp(path + n - 3, ".gz") == 0)
		n -= 3;
	return n > m && strncmp(path + n - m, suffix, m) == 0;
}

static bool csv_recognise(const struct import_input *in)
{
	const char *head = (const char *)in->head;

	return !in->directory && (strncmp(head, OWN, sizeof OWN - 1) == 0 ||
				  is_called(in->path, ".csv") || is_called(in->path, ".tsv"));
}

/* ---- records ---- */

/* Returns whether a quote is open at the end of a text. */
static bool is_open(const char *text, size_t length, bool open)
{
	while (length) {
		const char *quote = memchr(text, '"', length);

		if (!quote)
			break;
		open = !open;
		length -= (size_t)(quote + 1 - text);
		text = quote + 1;
	}
	return open;
}

/*
 * Reads a record, which may have line breaks in quotes. Returns its length, or -1 as import_line()
 * does.
 */
static ssize_t record_read(struct csv_import *c, char **record, bool *bad)
{
	struct import_input *in = c->rows.lines.in;
	ssize_t length = import_line(in, record, bad);
	uint64_t first = in->line;
	bool open;

	if (length < 0 || !is_open(*record, (size_t)length, false))
		return length;
	c->record.n = 0;
	for (open = false;;) {
		vector_append(&c->record, *record, (size_t)length);
		open = is_open(*record, (size_t)length, open);
		if (!open)
			break;
		*vector_add(&c->record) = '\n';
		length = import_line(in, record, bad);
		if (length < 0) {
			in->line = first;
			*bad = true;
			import_fail(in, "a quote is not closed");
			return -1;
		}
	}
	*vector_add(&c->record) = '\0';
	*record = c->record.at;
	return (ssize_t)c->record.n - 1;
}

/* Takes a field in quotes, and removes them in place. Returns what follows it. */
static char *quoted_take(struct line_text *field, char *at, char separator)
{
	char *to = at;

	field->bytes = at++;
	while (*at && (*at != '"' || at[1] == '"')) {
		at += *at == '"';
		*to++ = *at++;
	}
	at += *at == '"';
	while (*at && *at != separator)
		*to++ = *at++;
	field->length = (size_t)(to - field->bytes);
	return at;
}

/* An empty field without quotes is none. */
static char *plain_take(struct line_text *field, char *at, const char *end, char separator)
{
	char *next = memchr(at, separator, (size_t)(end - at));

	if (!next)
		next = at + (end - at);
	*field = (struct line_text){next > at ? at : NULL, (size_t)(next - at)};
	return next;
}

/* Splits a record into the texts of fields. */
static void record_split(struct csv_import *c, char *record, size_t length)
{
	char *at = record, *end = record + length;

	c->fields.n = 0;
	for (;;) {
		struct line_text text;

		at = *at == '"' ? quoted_take(&text, at, c->separator)
				: plain_take(&text, at, end, c->separator);
		*vector_add(&c->fields) = (struct row_field){.text = text};
		if (c->rows.own)
			rows_unescape(&c->fields.at[c->fields.n - 1]);
		if (at >= end)
			return;
		at++;
		if (c->fields.n == FIELDS_MOST)
			return;
	}
}

/* ---- the first line ---- */

static char separator_of(const char *header)
{
	unsigned counts[256] = {0};

	for (; *header; header++)
		counts[(unsigned char)*header]++;
	if (counts['\t'] > counts[','] && counts['\t'] > counts[';'])
		return '\t';
	return counts[';'] > counts[','] ? ';' : ',';
}

static void columns_free(struct csv_import *c)
{
	for (size_t i = 0; i < c->columns.n; i++)
		free((char *)c->columns.at[i].name.bytes);
	c->columns.n = 0;
}

/* Reads the names of the columns of a file. Returns false at its end, or after a report. */
static bool header_read(struct csv_import *c, bool *bad)
{
	char *record;
	ssize_t length = record_read(c, &record, bad);

	if (length < 0)
		return false;
	if (length >= 3 && memcmp(record, "\xef\xbb\xbf", 3) == 0) {
		record += 3;
		length -= 3;
	}
	c->rows.own = strncmp(record, OWN, sizeof OWN - 1) == 0;
	c->separator = separator_of(record);
	record_split(c, record, (size_t)length);
	columns_free(c);
	for (size_t i = 0; i < c->fields.n; i++) {
		struct line_text name = c->fields.at[i].text;
		char *text = text_format("%.*s", (int)name.length, name.bytes ? name.bytes : "");

		vector_add(&c->columns)->name = (struct line_text){text, strlen(text)};
	}
	return true;
}

/* ---- rows ---- */

static bool record_take(struct csv_import *c, char *record, size_t length)
{
	struct row row;

	record_split(c, record, length);
	c->odd += c->fields.n != c->columns.n;
	if (c->fields.n > c->columns.n)
		c->fields.n = c->columns.n;
	for (size_t i = 0; i < c->fields.n; i++)
		c->fields.at[i].name = c->columns.at[i].name;
	row = row_of(c->fields.at, c->fields.n);
	return rows_take(&c->rows, &row);
}

static bool file_read(struct csv_import *c)
{
	bool bad = false, good = true;
	ssize_t length = 0;
	char *record;

	if (!header_read(c, &bad))
		return !bad;
	while (good && (length = record_read(c, &record, &bad)) >= 0)
		if (length)
			good = record_take(c, record, (size_t)length);
	return good && !bad;
}

static bool csv_read(struct import_input *in, struct logs *l)
{
	struct csv_import c = {.odd = 0};
	bool good = rows_begin(&c.rows, in, l), bad = false;

	if (good)
		do
			good = file_read(&c);
		while (good && import_next(in, &bad));
	good = rows_end(&c.rows, good && !bad);
	if (good)
		import_passed_over(in, c.odd,
				   "lines have more or fewer fields than the first line names");
	columns_free(&c);
	free(c.columns.at);
	free(c.fields.at);
	free(c.record.at);
	return good;
}

const struct import_format import_csv = {
    .name = "csv",
    .summary = "comma-separated values; our own, or any by its columns (-s: a specification)",
    .several = true,
    .recognise = csv_recognise,
    .read = csv_read,
};
