#include "base/memory.h"
#include <stdio.h>
#include <stdlib.h>

static void *check(void *memory)
{
	if (!memory) {
		fputs("glimpsec: error: out of memory\n", stderr);
		exit(2);
	}
	return memory;
}

void *memory_new(size_t n, size_t size)
{
	return check(calloc(n, size));
}

char *memory_vprint(const char *format, va_list arguments)
{
	char *text = NULL;

	return check(vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

char *memory_print(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = memory_vprint(format, arguments);
	va_end(arguments);
	return text;
}
