#include "recorder/messages.h"
#include "base/array.h"
#include "base/visible.h"
#include <stdio.h>
#include <stdlib.h>

bool messages_quiet;

/* Prints a line in one piece: the program may be writing, too. */
__attribute__((format(printf, 2, 0))) static void line_print(const char *what, const char *format,
							     va_list arguments)
{
	char *text = text_vformat(format, arguments), *shown = visible_text(text);

	fprintf(stderr, RECORD_NAME ": %s%s\n", what, shown);
	free(shown);
	free(text);
}

void record_note(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (!messages_quiet)
		line_print("", format, arguments);
	va_end(arguments);
}

void record_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	line_print("error: ", format, arguments);
	va_end(arguments);
}

void record_fail(int status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	line_print("error: ", format, arguments);
	exit(status);
}
