#include "base/json.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/visible.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct json json_begin(FILE *out, unsigned lines)
{
	return (struct json){.out = out, .lines = lines};
}

static void escape(FILE *out, unsigned char c)
{
	static const char names[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	for (const char *n = names; *n; n += 2)
		if ((unsigned char)*n == c) {
			fprintf(out, "\\%c", n[1]);
			return;
		}
	fprintf(out, "\\u%04x", c);
}

/* The bytes at the front that stand for themselves: long texts are mostly such. */
static size_t plain_length(const char *bytes, const char *end)
{
	const char *at = bytes;

	while (at < end && *at >= 0x20 && *at < 0x7f && *at != '"' && *at != '\\')
		at++;
	return (size_t)(at - bytes);
}

/* Writes the next character; returns its bytes. */
static size_t quote_next(FILE *out, const char *bytes, size_t length)
{
	size_t n = utf8_length(bytes, length);
	char hidden[VISIBLE_ESCAPE];

	if (n == 0)
		fputs("\xef\xbf\xbd", out);
	else if (n == 1)
		escape(out, (unsigned char)*bytes);
	else if (visible_length(bytes, length) == 0 && visible_escape(hidden, bytes, length))
		fputs(hidden, out);
	else
		fwrite(bytes, 1, n, out);
	return n ? n : 1;
}

static void json_quote(FILE *out, const char *bytes, size_t length)
{
	const char *end = bytes + length;

	putc('"', out);
	while (bytes < end) {
		size_t plain = plain_length(bytes, end);
		fwrite(bytes, 1, plain, out);
		bytes += plain;
		if (bytes < end)
			bytes += quote_next(out, bytes, (size_t)(end - bytes));
	}
	putc('"', out);
}

static void new_line(struct json *j, unsigned depth)
{
	putc('\n', j->out);
	for (unsigned i = 0; i < depth; i++)
		fputs("  ", j->out);
}

/* What stands before a value: the comma, the line, the key. */
static void lead(struct json *j, const char *key)
{
	if (j->depth) {
		if (j->filled[j->depth])
			fputs(j->depth > j->lines ? ", " : ",", j->out);
		if (j->depth <= j->lines)
			new_line(j, j->depth);
		j->filled[j->depth] = true;
	}
	if (key) {
		json_quote(j->out, key, strlen(key));
		fputs(": ", j->out);
	}
}

static void open_container(struct json *j, const char *key, const char *brackets)
{
	assert(j->depth < JSON_DEPTH);
	lead(j, key);
	putc(brackets[0], j->out);
	j->depth++;
	j->filled[j->depth] = false;
	j->closing[j->depth] = brackets[1];
}

void json_object(struct json *j, const char *key)
{
	open_container(j, key, "{}");
}

void json_array(struct json *j, const char *key)
{
	open_container(j, key, "[]");
}

void json_close(struct json *j)
{
	char closing = j->closing[j->depth];
	bool filled = j->filled[j->depth], on_lines = j->depth <= j->lines;

	j->depth--;
	if (filled && on_lines)
		new_line(j, j->depth);
	putc(closing, j->out);
	if (j->depth == 0)
		putc('\n', j->out);
}

void json_bytes(struct json *j, const char *key, const char *bytes, size_t length)
{
	lead(j, key);
	json_quote(j->out, bytes, length);
}

void json_string(struct json *j, const char *key, const char *text)
{
	if (text)
		json_bytes(j, key, text, strlen(text));
	else
		json_null(j, key);
}

void json_int(struct json *j, const char *key, int64_t number)
{
	lead(j, key);
	fprintf(j->out, "%" PRId64, number);
}

void json_uint(struct json *j, const char *key, uint64_t number)
{
	lead(j, key);
	fprintf(j->out, "%" PRIu64, number);
}

void json_real(struct json *j, const char *key, double number)
{
	char text[UNITS_TEXT];

	if (!isfinite(number)) {
		json_null(j, key);
		return;
	}
	lead(j, key);
	fputs(units_real(text, number, 15), j->out);
}

void json_bool(struct json *j, const char *key, bool truth)
{
	lead(j, key);
	fputs(truth ? "true" : "false", j->out);
}

void json_null(struct json *j, const char *key)
{
	lead(j, key);
	fputs("null", j->out);
}
