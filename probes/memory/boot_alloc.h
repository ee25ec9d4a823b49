/*
 * Memory for those who ask for some while the real functions are being looked for: dlsym() itself
 * may. It is never freed.
 */
#ifndef GLIMPSE_PROBES_MEMORY_BOOT_ALLOC_H
#define GLIMPSE_PROBES_MEMORY_BOOT_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* Returns zeros, aligned to `align` (a power of two), or NULL with errno ENOMEM. */
void *boot_alloc(size_t align, size_t size);

bool boot_alloc_has(const void *block);

/* Returns the size of a block that boot_alloc() returned. */
size_t boot_alloc_size(const void *block);

#endif
