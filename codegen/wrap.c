#include "codegen/wrap.h"
#include "base/array.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the line that the text leaves behind. */
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
