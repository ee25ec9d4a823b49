#include "codegen/emit.h"
#include "base/array.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Returns the columns of the last line of a text. */
static unsigned width(const char *text)
{
	unsigned columns = 0;

	for (; *text; text++)
		columns = *text == '\n' ? 0 : columns + (*text == '\t' ? 8 : 1);
	return columns;
}

void wrap_item(struct wrap *w, const char *format, ...)
{
	char *item, *shown;
	va_list arguments;

	va_start(arguments, format);
	item = text_vformat(format, arguments);
	va_end(arguments);
	shown = item;
	if (w->column + strlen(item) > WRAP_COLUMNS) {
		fputs(w->between, w->out);
		w->column = width(w->between);
		if (*shown == ' ')
			shown++;
	}
	fputs(shown, w->out);
	w->column += (unsigned)strlen(shown);
	free(item);
}

static void byte_emit(FILE *out, unsigned char c, const char *escaped)
{
	if (c == '\n')
		fputs("\\n", out);
	else if (c == '\t')
		fputs("\\t", out);
	else if (c && strchr(escaped, c))
		fprintf(out, "\\%c", c);
	else if (c < 0x20 || c >= 0x7f)
		fprintf(out, "\\%03o", c);
	else
		putc(c, out);
}

void literal_emit(FILE *out, const char *bytes, size_t length, const char *escaped)
{
	putc('"', out);
	for (size_t i = 0; i < length; i++)
		byte_emit(out, (unsigned char)bytes[i], escaped);
	putc('"', out);
}

const char *spec_origin(const struct spec *s)
{
	const char *path = s->sources[0]->name, *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *local_name(const struct event_type *e, const char *base, const char *suffix)
{
	char *name = text_format("%s%s", base, suffix);

	while (event_attribute(e, name) >= 0) {
		char *longer = text_format("%s_", name);
		free(name);
		name = longer;
	}
	return name;
}

const struct attribute *event_string(const struct event_type *e, unsigned n)
{
	const struct attribute *a = e->attributes;

	while (a->type != TYPE_STRING || a->string_index != n)
		a++;
	return a;
}
