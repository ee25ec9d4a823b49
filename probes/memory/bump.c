#include "probes/memory/bump.h"
#include <errno.h>
#include <stdint.h>
#include <string.h>

#define BUMP_SIZE (64 << 10)
#define BUMP_ALIGN 16

static _Alignas(BUMP_ALIGN) unsigned char memory[BUMP_SIZE];
static size_t taken;

/* The size is stored before the block. */
void *bump_take(size_t align, size_t size)
{
	size_t need, from;
	uintptr_t at;

	if (align < BUMP_ALIGN)
		align = BUMP_ALIGN;
	if (size > BUMP_SIZE || align > BUMP_SIZE) {
		errno = ENOMEM;
		return NULL;
	}
	need = size + align + BUMP_ALIGN;
	from = __atomic_fetch_add(&taken, need, __ATOMIC_RELAXED);
	if (need > BUMP_SIZE || from > BUMP_SIZE - need) {
		__atomic_fetch_sub(&taken, need, __ATOMIC_RELAXED);
		errno = ENOMEM;
		return NULL;
	}
	at = ((uintptr_t)memory + from + BUMP_ALIGN + align - 1) & ~(uintptr_t)(align - 1);
	memcpy((unsigned char *)at - sizeof size, &size, sizeof size);
	return (void *)at;
}

bool bump_has(const void *block)
{
	return (uintptr_t)block - (uintptr_t)memory < sizeof memory;
}

size_t bump_size(const void *block)
{
	size_t size;

	memcpy(&size, (const unsigned char *)block - sizeof size, sizeof size);
	return size;
}
