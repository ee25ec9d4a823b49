#include "base/address_space.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST (UINT64_C(1) << 44)
#define LEAST (UINT64_C(1) << 32)
#define PAGE 4096

struct address_space {
	unsigned char *at;
	size_t size;
	atomic_size_t taken;
};

/* Sanitizers and limits leave less than there is. Large pages would give every array 2 MiB. */
static void *reserve(size_t *size)
{
	for (*size = MOST; *size >= LEAST; *size /= 4) {
		void *at = mmap(NULL, *size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (at == MAP_FAILED)
			continue;
		madvise(at, *size, MADV_NOHUGEPAGE);
		madvise(at, *size, MADV_DONTDUMP);
		return at;
	}
	return NULL;
}

struct address_space *address_space_new(void)
{
	struct address_space *a = calloc(1, sizeof *a);

	if (a && (a->at = reserve(&a->size)))
		return a;
	free(a);
	return NULL;
}

void address_space_free(struct address_space *a)
{
	if (a)
		munmap(a->at, a->size);
	free(a);
}

size_t address_space_size(const struct address_space *a)
{
	return a->size;
}

void *address_space_take(struct address_space *a, size_t size)
{
	size_t at;

	size = (size + PAGE - 1) / PAGE * PAGE;
	at = atomic_fetch_add(&a->taken, size);
	return at <= a->size && size <= a->size - at ? a->at + at : NULL;
}

void address_space_forget(void *at, size_t size)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = ((uintptr_t)at + page - 1) & ~(page - 1);
	uintptr_t end = ((uintptr_t)at + size) & ~(page - 1);

	if (begin < end)
		madvise((void *)begin, end - begin, MADV_DONTNEED);
}
