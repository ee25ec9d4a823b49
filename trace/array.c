#include "trace/array.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *array_check(void *array)
{
	if (!array) {
		fputs("glimpse: error: out of memory; use --thread, --event or a shorter trace\n", stderr);
		exit(2);
	}
	return array;
}

void *array_new(size_t n, size_t size)
{
	return array_resize(NULL, n, size);
}

void *array_zero(size_t n, size_t size)
{
	return array_check(calloc(n ? n : 1, size));
}

void *array_resize(void *array, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n ? n : 1, size, &bytes))
		return array_check(NULL);
	return array_check(realloc(array, bytes));
}
