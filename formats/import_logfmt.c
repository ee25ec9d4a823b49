/*
 * logfmt: lines of key=value, with values in quotes where they have blanks. Our own export begins
 * with a line that has the specification.
 */
#include "formats/rows.h"
#include "formats/unescape.h"
#include <stdlib.h>
#include <string.h>

struct logfmt_import {
	struct rows rows;
	VECTOR(struct row_field) fields;
};

static bool logfmt_recognise(const struct import_input *in)
{
	size_t n = strlen(in->path);

	return !in->directory && (strncmp((const char *)in->head, "glimpse=1 ", 10) == 0 ||
				  (n > 7 && strcmp(in->path + n - 7, ".logfmt") == 0));
}

/* Takes a value in quotes, its escapes replaced in place. Returns what follows it. */
static char *quoted_take(struct line_text *value, char *at)
{
	char *begin = ++at;

	while (*at && *at != '"')
		at += *at == '\\' && at[1] ? 2 : 1;
	*value = (struct line_text){begin, unescape(begin, (size_t)(at - begin))};
	return at + (*at == '"');
}

static char *field_take(struct row_field *field, char *at)
{
	size_t n = strcspn(at, "= \t");

	field->name = (struct line_text){at, n};
	field->text = (struct line_text){"true", 4};
	at += n;
	if (*at != '=')
		return at;
	at++;
	field->is_text = *at == '"';
	if (field->is_text)
		return quoted_take(&field->text, at);
	n = strcspn(at, " \t");
	field->text = (struct line_text){at, n};
	return at + n;
}

static void line_split(struct logfmt_import *f, char *at)
{
	f->fields.n = 0;
	for (at += strspn(at, " \t"); *at && f->fields.n < FIELDS_MOST; at += strspn(at, " \t")) {
		struct row_field field = {.is_text = false};

		at = field_take(&field, at);
		if (f->rows.own && field.is_text)
			rows_unescape(&field);
		*vector_add(&f->fields) = field;
	}
}

static bool line_take(struct logfmt_import *f, char *line)
{
	struct rows *r = &f->rows;
	struct row row;

	if (r->lines.in->line == 1 && strncmp(line, "glimpse=1 ", 10) == 0) {
		line_split(f, line);
		r->own = true;
		return rows_own(r, rows_field(f->fields.at, f->fields.n, "specification"));
	}
	line_split(f, line);
	row = row_of(f->fields.at, f->fields.n);
	return !row.ncommon || rows_take(r, &row);
}

static bool logfmt_read(struct import_input *in, struct logs *l)
{
	struct logfmt_import f = {.fields = {NULL, 0, 0}};
	bool good = rows_begin(&f.rows, in, l), bad = false;
	char *line;

	if (good)
		do
			while (good && import_line(in, &line, &bad) >= 0)
				good = line_take(&f, line);
		while (good && !bad && import_next(in, &bad));
	good = rows_end(&f.rows, good && !bad);
	free(f.fields.at);
	return good;
}

const struct import_format import_logfmt = {
    .name = "logfmt",
    .summary = "lines of key=value; our own, or any by its keys (-s: a specification)",
    .several = true,
    .recognise = logfmt_recognise,
    .read = logfmt_read,
};
