#include "base/array.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 1 << 21 };

void array_fail(const char *what)
{
	fprintf(stderr, "%s: error: %s\n", program_invocation_short_name, what);
	exit(2);
}

void array_exhausted(void)
{
	array_fail("out of memory; a shorter part of the trace or fewer intervals need less");
}

void array_advise(void *array, size_t bytes)
{
	uintptr_t begin = ((uintptr_t)array + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
	uintptr_t end = ((uintptr_t)array + bytes) & ~(uintptr_t)(HUGE_PAGE - 1);

	if (begin < end)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

void *array_new(size_t n, size_t size)
{
	return array_resize(NULL, n, size);
}

void *array_zero(size_t n, size_t size)
{
	void *array = calloc(n ? n : 1, size);

	if (!array)
		array_exhausted();
	return array;
}

void *array_resize(void *array, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n ? n : 1, size, &bytes))
		array_exhausted();
	array = realloc(array, bytes);
	if (!array)
		array_exhausted();
	array_advise(array, bytes);
	return array;
}

void *array_grow(void *array, size_t n, size_t size)
{
	return n & (n - 1) ? array : array_resize(array, n ? 2 * n : 1, size);
}

void *vector_reserve(void *items, size_t n, size_t *room, size_t size)
{
	if (items && n <= *room)
		return items;
	*room = n < 2 * *room ? 2 * *room : n < 16 ? 16 : n;
	return array_resize(items, *room, size);
}

void *vector_grow(void *items, size_t n, size_t *room, size_t size)
{
	items = vector_reserve(items, n + 1, room, size);
	memset((char *)items + n * size, 0, size);
	return items;
}

char *text_vformat(const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0)
		array_exhausted();
	return text;
}

char *text_format(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_vformat(format, arguments);
	va_end(arguments);
	return text;
}
