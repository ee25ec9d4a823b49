#include "viewers/gorge/wasm/missing.h"
#include "base/array.h"
#include "base/spill.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

char *program_invocation_short_name = "gorge";

int madvise(void *start, size_t size, int advice)
{
	(void)start, (void)size, (void)advice;
	return 0;
}

char *realpath(const char *path, char *resolved)
{
	(void)path, (void)resolved;
	errno = ENOENT;
	return NULL;
}

/* No comparison sorts. */
static int (*compare_with)(const void *, const void *, void *);
static void *compare_context;

static int compare_both(const void *a, const void *b)
{
	return compare_with(a, b, compare_context);
}

void qsort_r(void *items, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
	     void *context)
{
	compare_with = compare;
	compare_context = context;
	qsort(items, n, size, compare_both);
}

/* The compiler's own library may have been built with a guard of the stack. */
uintptr_t __stack_chk_guard;

void __stack_chk_fail(void);
void __stack_chk_fail(void)
{
	abort();
}

/* There is one memory. */

void *spill_new(size_t n, size_t size)
{
	return array_new(n, size);
}

void *spill_zero(size_t n, size_t size)
{
	return array_zero(n, size);
}

void *spill_reserve(void *array, size_t *room, size_t n, size_t size)
{
	if (n <= *room)
		return array;
	*room = n;
	return array_resize(array, n, size);
}

void spill_free(void *array)
{
	free(array);
}
