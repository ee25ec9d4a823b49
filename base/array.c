#include "base/array.h"
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <stdio.h>
#include <stdlib.h>

void array_fail(const char *what)
{
	fprintf(stderr, "%s: error: %s; take fewer intervals at a time, or a shorter trace\n",
		program_invocation_short_name, what);
	exit(2);
}

static void *array_check(void *array)
{
	if (!array)
		array_fail("out of memory");
	return array;
}

enum { HUGE_PAGE = 1 << 21 };

/* Large arrays are written from end to end: huge pages save most of the faults. */
static void *array_advise(void *array, size_t bytes)
{
	uintptr_t begin = ((uintptr_t)array + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
	uintptr_t end = ((uintptr_t)array + bytes) & ~(uintptr_t)(HUGE_PAGE - 1);

	if (begin < end)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
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
	return array_advise(array_check(realloc(array, bytes)), bytes);
}
