/*
 * Memory for those who ask for some while the real functions are being looked for: dlsym() itself
 * may. It is never given back.
 */
#ifndef GLIMPSE_PROBES_MEMORY_BUMP_H
#define GLIMPSE_PROBES_MEMORY_BUMP_H

#include <stdbool.h>
#include <stddef.h>

/* Returns zeros, aligned to `align` (a power of two), or NULL with errno ENOMEM. */
void *bump_take(size_t align, size_t size);

bool bump_has(const void *block);

/* Returns the size of a block that bump_take() returned. */
size_t bump_size(const void *block);

#endif
