#include "codegen/check_json.h"
#include "base/array.h"
#include "base/json.h"
#include "base/utf8.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* From 0, as editors count: characters are units of UTF-16. */
struct json_position {
	unsigned line, character;
};

struct json_location {
	char *uri;
	struct json_position start, end;
};

struct related {
	struct json_location where;
	char *text;
};

struct diagnostic {
	struct json_location where;
	enum diag_severity severity;
	char *text, *category;
	VECTOR(struct related) related;
};

struct check_json {
	VECTOR(char *) files; /* their URIs */
	VECTOR(struct diagnostic) diagnostics;
	const char *path; /* of the specification that is being checked */
};

/* ---- places ---- */

static bool is_standard_input(const char *path)
{
	return strcmp(path, "-") == 0 || strcmp(path, "<standard input>") == 0;
}

static char *uri_of(const char *path)
{
	char *absolute = is_standard_input(path) ? text_format("/dev/stdin") : realpath(path, NULL);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		array_exhausted();
	fputs("file://", out);
	for (const char *c = absolute ? absolute : path; *c; c++)
		if (isalnum((unsigned char)*c) || strchr("/-._~", *c))
			putc(*c, out);
		else
			fprintf(out, "%%%02X", (unsigned char)*c);
	if (fclose(out) != 0)
		array_exhausted();
	free(absolute);
	return text;
}

/*
 * Editors end a line also at a carriage return alone. A byte that is no UTF-8 is one character to
 * them.
 */
static struct json_position position_of(const struct source *s, size_t offset)
{
	struct json_position p = {0, 0};
	size_t n;

	/* the byte order mark is no part of the text */
	for (size_t i = strncmp(s->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; i < offset; i += n) {
		n = utf8_length(s->text + i, s->length - i);
		if (s->text[i] == '\n' || (s->text[i] == '\r' && s->text[i + 1] != '\n'))
			p = (struct json_position){p.line + 1, 0};
		else
			p.character += n == 4 ? 2 : 1;
		n += n == 0;
	}
	return p;
}

static struct json_location place_of(const struct check_json *c, struct span where)
{
	struct json_location p = {.uri = NULL};

	if (!where.source) {
		p.uri = uri_of(c->path);
		return p;
	}
	p.uri = uri_of(where.source->name);
	p.start = position_of(where.source, where.start);
	p.end = position_of(where.source, where.end > where.start ? where.end : where.start);
	return p;
}

/* ---- taking ---- */

static void file_add(struct check_json *c, const char *uri)
{
	for (size_t i = 0; i < c->files.n; i++)
		if (strcmp(c->files.at[i], uri) == 0)
			return;
	*vector_add(&c->files) = text_format("%s", uri);
}

struct check_json *check_json_new(void)
{
	return array_zero(1, sizeof(struct check_json));
}

void check_json_begin(struct check_json *c, const char *path)
{
	char *uri = uri_of(path);

	c->path = path;
	file_add(c, uri);
	free(uri);
}

static void note_take(struct check_json *c, const struct diag_message *m)
{
	struct diagnostic *last = &c->diagnostics.at[c->diagnostics.n - 1];
	struct related *note = vector_add(&last->related);

	note->text = text_format("%s", m->text);
	if (m->where.source) {
		note->where = place_of(c, m->where);
	} else {
		note->where = last->where;
		note->where.uri = text_format("%s", last->where.uri);
	}
}

void check_json_take(void *check_json, const struct diag_message *m)
{
	struct check_json *c = check_json;
	struct diagnostic *d;

	if (m->severity == DIAG_NOTE && c->diagnostics.n) {
		note_take(c, m);
		return;
	}
	d = vector_add(&c->diagnostics);
	d->where = place_of(c, m->where);
	d->severity = m->severity;
	d->text = text_format("%s", m->text);
	d->category = m->category ? text_format("%s", m->category) : NULL;
	file_add(c, d->where.uri);
}

/* ---- printing ---- */

static void position_print(struct json *j, const char *key, struct json_position p)
{
	json_object(j, key);
	json_uint(j, "line", p.line);
	json_uint(j, "character", p.character);
	json_close(j);
}

static void range_print(struct json *j, const struct json_location *p)
{
	json_object(j, "range");
	position_print(j, "start", p->start);
	position_print(j, "end", p->end);
	json_close(j);
}

static void related_print(struct json *j, const struct related *r)
{
	json_object(j, NULL);
	json_object(j, "location");
	json_string(j, "uri", r->where.uri);
	range_print(j, &r->where);
	json_close(j);
	json_string(j, "message", r->text);
	json_close(j);
}

static void diagnostic_print(struct json *j, const struct diagnostic *d)
{
	/* of the protocol */
	static const unsigned severities[] = {
	    [DIAG_ERROR] = 1, [DIAG_WARNING] = 2, [DIAG_NOTE] = 3};

	json_object(j, NULL);
	range_print(j, &d->where);
	json_uint(j, "severity", severities[d->severity]);
	if (d->category)
		json_string(j, "code", d->category);
	json_string(j, "source", "glimpsec");
	json_string(j, "message", d->text);
	if (d->related.n) {
		json_array(j, "relatedInformation");
		for (size_t i = 0; i < d->related.n; i++)
			related_print(j, &d->related.at[i]);
		json_close(j);
	}
	json_close(j);
}

void check_json_print(const struct check_json *c, FILE *out)
{
	struct json j = json_begin(out, 0);

	for (size_t i = 0; i < c->files.n; i++) {
		json_object(&j, NULL);
		json_string(&j, "uri", c->files.at[i]);
		json_array(&j, "diagnostics");
		for (size_t k = 0; k < c->diagnostics.n; k++)
			if (strcmp(c->diagnostics.at[k].where.uri, c->files.at[i]) == 0)
				diagnostic_print(&j, &c->diagnostics.at[k]);
		json_close(&j);
		json_close(&j);
	}
}

void check_json_free(struct check_json *c)
{
	for (size_t i = 0; i < c->files.n; i++)
		free(c->files.at[i]);
	for (size_t i = 0; i < c->diagnostics.n; i++) {
		struct diagnostic *d = &c->diagnostics.at[i];

		for (size_t k = 0; k < d->related.n; k++) {
			free(d->related.at[k].where.uri);
			free(d->related.at[k].text);
		}
		free(d->related.at);
		free(d->where.uri);
		free(d->text);
		free(d->category);
	}
	free(c->files.at);
	free(c->diagnostics.at);
	free(c);
}
