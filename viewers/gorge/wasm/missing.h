/* What the C library for WebAssembly lacks; each compilation for it includes this first. */
#ifndef GLIMPSE_GORGE_WASM_MISSING_H
#define GLIMPSE_GORGE_WASM_MISSING_H

#include <stddef.h>

#define MADV_HUGEPAGE 0
int madvise(void *start, size_t size, int advice);

void qsort_r(void *items, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
	     void *context);

/* Returns NULL: there are no paths. */
char *realpath(const char *path, char *resolved);

#endif
