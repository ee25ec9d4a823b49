#include "base/vector.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void memory_exhausted(void)
{
	fputs("error: there is not enough memory for this picture; choose a part of the trace with "
	      "--from, --to and --threads\n", stderr);
	exit(2);
}

void *vector_room(void *items, size_t n, size_t *room, size_t size)
{
	if (items && n <= *room)
		return items;
	*room = n < 2 * *room ? 2 * *room : n < 16 ? 16 : n;
	items = reallocarray(items, *room, size);
	if (!items)
		memory_exhausted();
	return items;
}

void *vector_grow(void *items, size_t n, size_t *room, size_t size)
{
	items = vector_room(items, n + 1, room, size);
	memset((char *)items + n * size, 0, size);
	return items;
}

void *zeroed(size_t n, size_t size)
{
	void *items = calloc(n ? n : 1, size);

	if (!items)
		memory_exhausted();
	return items;
}

char *text_of(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		memory_exhausted();
	va_end(arguments);
	return text;
}
