#include "probes/memory/boot_alloc.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>

#define BOOT_ALLOC_SIZE (64 << 10)
#define BOOT_ALLOC_ALIGN 16

static _Alignas(BOOT_ALLOC_ALIGN) unsigned char memory[BOOT_ALLOC_SIZE];
static size_t taken;

/* The size is stored before the block. */
void *boot_alloc(size_t align, size_t size)
{
	size_t need, from;
	uintptr_t at;

	if (align < BOOT_ALLOC_ALIGN)
		align = BOOT_ALLOC_ALIGN;
	if (size > BOOT_ALLOC_SIZE || align > BOOT_ALLOC_SIZE) {
		errno = ENOMEM;
		return NULL;
	}
	need = size + align + BOOT_ALLOC_ALIGN;
	from = __atomic_fetch_add(&taken, need, __ATOMIC_RELAXED);
	if (need > BOOT_ALLOC_SIZE || from > BOOT_ALLOC_SIZE - need) {
		__atomic_fetch_sub(&taken, need, __ATOMIC_RELAXED);
		errno = ENOMEM;
		return NULL;
	}
	at = ((uintptr_t)memory + from + BOOT_ALLOC_ALIGN + align - 1) & ~(uintptr_t)(align - 1);
	memcpy((unsigned char *)at - sizeof size, &size, sizeof size);
	return (void *)at;
}

bool boot_alloc_has(const void *block)
{
	return (uintptr_t)block - (uintptr_t)memory < sizeof memory;
}

size_t boot_alloc_size(const void *block)
{
	size_t size;

	memcpy(&size, (const unsigned char *)block - sizeof size, sizeof size);
	return size;
}
