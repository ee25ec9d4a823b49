/* A malloc() of one's own, as preloaded allocators have: it counts, and takes from a pool. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Alignas(64) unsigned char pool[64 << 20];
static size_t used;
static int taken, given;

void *malloc(size_t size)
{
	size_t from = __atomic_fetch_add(&used, ((size + 15) & ~(size_t)15) + 16, __ATOMIC_RELAXED);

	if (from + size + 16 > sizeof pool)
		return NULL;
	__atomic_add_fetch(&taken, 1, __ATOMIC_RELAXED);
	memcpy(pool + from, &size, sizeof size);
	return pool + from + 16;
}

void *calloc(size_t count, size_t size)
{
	return malloc(count * size);
}

void free(void *block)
{
	if (!block)
		return;
	if ((uintptr_t)block - (uintptr_t)pool >= sizeof pool)
		abort();
	__atomic_add_fetch(&given, 1, __ATOMIC_RELAXED);
}

void *realloc(void *block, size_t size)
{
	void *to = malloc(size);
	size_t had = 0;

	if (block)
		memcpy(&had, (unsigned char *)block - 16, sizeof had);
	if (block && to)
		memcpy(to, block, had < size ? had : size);
	if (to)
		free(block);
	return to;
}

/* Blocks begin at multiples of 16: 16 bytes after their size. */
void *memalign(size_t align, size_t size)
{
	unsigned char *block = malloc(size + align + 16), *at;

	if (!block)
		return NULL;
	at = block + (align - (uintptr_t)block % align) % align;
	memcpy(at - 16, &size, sizeof size);
	return at;
}

void *aligned_alloc(size_t align, size_t size)
{
	return memalign(align, size);
}

int posix_memalign(void **block, size_t align, size_t size)
{
	*block = memalign(align, size);
	return *block ? 0 : 12;
}

void *valloc(size_t size)
{
	return memalign(4096, size);
}

void *pvalloc(size_t size)
{
	return memalign(4096, size);
}

__attribute__((destructor)) static void tell(void)
{
	char text[64];
	int length = snprintf(text, sizeof text, "own: %d taken %d given\n", taken, given);

	if (write(2, text, (size_t)length) < 0)
		abort();
}
