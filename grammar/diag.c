#include "grammar/diag.h"
#include "base/array.h"
#include "base/terminal.h"
#include "base/utf8.h"
#include "base/visible.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct severity {
	const char *word;
	const char *colour;
};

static const struct severity severities[] = {
    [DIAG_ERROR] = {"error", "\033[1;31m"},
    [DIAG_WARNING] = {"warning", "\033[1;35m"},
    [DIAG_NOTE] = {"note", "\033[1;36m"},
};

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Prints a line under a text. Tabs stay tabs; a character of several bytes is one column wide. */
static void underline(FILE *out, const char *text, size_t length, char first, char rest)
{
	for (size_t i = 0; i < length; i++) {
		if (is_continuation(text[i]))
			continue;
		fputc(rest == ' ' && text[i] == '\t' ? '\t' : i ? rest : first, out);
	}
}

/* Bytes of a long line that are shown, and how many of them before the place. */
enum { LONGEST_QUOTE = 200, QUOTE_BEFORE = 100 };

/* Returns the part of a long line around a place; sets *cut to how many bytes are before it. */
static const char *line_window(const char *line, size_t *length, size_t before, size_t *cut)
{
	*cut = *length > LONGEST_QUOTE && before > QUOTE_BEFORE ? before - QUOTE_BEFORE : 0;
	while (*cut && is_continuation(line[*cut]))
		--*cut;
	*length -= *cut;
	if (*length > LONGEST_QUOTE)
		*length = LONGEST_QUOTE;
	while (is_continuation(line[*cut + *length]))
		++*length;
	return line + *cut;
}

/* Prints a line under which another one is to fit: a question mark for what is not visible. */
static void put_line(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0, n; i < length; i += n ? n : 1) {
		n = utf8_length(text + i, length - i);
		if (text[i] == '\t' || visible_length(text + i, length - i))
			fwrite(text + i, 1, n, out);
		else
			fputc('?', out);
	}
}

static size_t diag_line_length(const char *line)
{
	size_t n = strcspn(line, "\n");
	return n && line[n - 1] == '\r' ? n - 1 : n;
}

static void quote_line(FILE *out, struct span where, size_t line, size_t column)
{
	const char *text = where.source->text + where.source->lines[line - 1];
	size_t length = diag_line_length(text), cut;
	size_t before = column - 1 < length ? column - 1 : length;
	text = line_window(text, &length, before, &cut);
	before -= cut;
	size_t width = where.end > where.start ? where.end - where.start : 1;
	if (width > length - before)
		width = length - before;
	fprintf(out, "%5zu | ", line);
	put_line(out, text, length);
	fputs("\n      | ", out);
	underline(out, text, before, ' ', ' ');
	if (width)
		underline(out, text + before, width, '^', '~');
	else
		fputc('^', out);
	fputc('\n', out);
}

static void print(const struct diag *d, const struct diag_message *m)
{
	FILE *out = d->out;
	const struct severity *s = &severities[m->severity];
	bool colour = terminal_has_colours(out);
	size_t line = 0, column = 0;
	if (m->where.source) {
		source_place(m->where.source, m->where.start, &line, &column);
		visible_puts(out, m->where.source->name);
		fprintf(out, ":%zu:%zu: ", line, column);
	} else {
		fprintf(out, "%s: ", d->program ? d->program : "glimpse");
	}
	fprintf(out, "%s%s:%s %s", colour ? s->colour : "", s->word, colour ? "\033[0m" : "",
		m->text);
	if (m->category)
		fprintf(out, " [-W%s%s]", m->severity == DIAG_ERROR ? "error=" : "", m->category);
	fputc('\n', out);
	if (m->where.source)
		quote_line(out, m->where, line, column);
}

__attribute__((format(printf, 4, 0))) static void tell(struct diag *d, enum diag_severity severity,
						       struct span where, const char *format,
						       va_list arguments, const char *category)
{
	struct diag_message m = {severity, where, NULL, category};
	char *text, *visible;
	if (!d->take && !d->out)
		return;
	text = text_vformat(format, arguments);
	m.text = visible = visible_text(text);
	if (d->take)
		d->take(d->context, &m);
	else
		print(d, &m);
	free(visible);
	free(text);
}

void diag_error(struct diag *d, struct span where, const char *format, ...)
{
	d->errors++;
	d->mute_notes = false;
	va_list arguments;
	va_start(arguments, format);
	tell(d, DIAG_ERROR, where, format, arguments, NULL);
	va_end(arguments);
}

static bool is_muted(const struct diag *d, const char *name)
{
	for (const char *const *m = d->muted; m && *m; m++)
		if (strcmp(*m, name) == 0)
			return true;
	return false;
}

void diag_warning(struct diag *d, const char *name, struct span where, const char *format, ...)
{
	d->mute_notes = is_muted(d, name);
	if (d->mute_notes)
		return;
	bool error = d->warnings_are_errors;
	*(error ? &d->errors : &d->warnings) += 1;
	va_list arguments;
	va_start(arguments, format);
	tell(d, error ? DIAG_ERROR : DIAG_WARNING, where, format, arguments, name);
	va_end(arguments);
}

void diag_unknown(struct diag *d, struct span where, const char *near, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_vformat(format, arguments);
	va_end(arguments);
	if (near)
		diag_error(d, where, "%s; did you mean '%s'?", text, near);
	else
		diag_error(d, where, "%s", text);
	free(text);
}

void diag_write_failed(void *diag, const char *path)
{
	diag_error(diag, DIAG_NOWHERE, "cannot write %s: %s", path, strerror(errno));
}

void diag_note(struct diag *d, struct span where, const char *format, ...)
{
	if (d->mute_notes)
		return;
	va_list arguments;
	va_start(arguments, format);
	tell(d, DIAG_NOTE, where, format, arguments, NULL);
	va_end(arguments);
}
