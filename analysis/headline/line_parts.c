#include "analysis/headline/line_parts.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void line_say(struct part_line *l, const char *format, ...)
{
	struct line_part *last = l->parts.n ? &l->parts.at[l->parts.n - 1] : NULL;
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_vformat(format, arguments);
	va_end(arguments);
	if (last && last->kind == PART_PLAIN) {
		char *before = last->text;

		last->text = text_format("%s%s", before, text);
		free(before);
		free(text);
		return;
	}
	*vector_add(&l->parts) = (struct line_part){
	    .kind = PART_PLAIN, .text = text, .number = -1, .from = -1, .to = -1};
}

struct line_part *line_link(struct part_line *l, enum part_kind kind, const char *name,
			    const char *format, ...)
{
	struct line_part *p = vector_add(&l->parts);
	va_list arguments;

	*p = (struct line_part){.kind = kind, .number = -1, .from = -1, .to = -1};
	p->name = text_format("%s", name);
	va_start(arguments, format);
	p->text = text_vformat(format, arguments);
	va_end(arguments);
	return p;
}

char *line_text(const struct part_line *l)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		array_exhausted();
	for (size_t i = 0; i < l->parts.n; i++)
		fputs(l->parts.at[i].text, out);
	if (fclose(out) != 0)
		array_exhausted();
	return text;
}

void line_free(struct part_line *l)
{
	for (size_t i = 0; i < l->parts.n; i++) {
		free(l->parts.at[i].text);
		free(l->parts.at[i].name);
	}
	free(l->parts.at);
}
