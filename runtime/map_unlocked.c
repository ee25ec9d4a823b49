#include "runtime/map_unlocked.h"
#include "runtime/glimpse.h"
#include "runtime/system.h"

static bool locking;

void gl_map_locks(bool locks)
{
	__atomic_store_n(&locking, locks, __ATOMIC_RELAXED);
}

/*
 * New memory counts before it can be unlocked, so one page is mapped and unlocked. What it grows by
 * is not locked, and does not count.
 */
static void *map_grow(void *at, size_t span, int protection, int flags, int fd)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int how = at ? MREMAP_MAYMOVE | MREMAP_FIXED : MREMAP_MAYMOVE;
	void *first = system_mmap(NULL, page, protection, flags, fd, 0), *map;

	if (first == MAP_FAILED)
		return MAP_FAILED;
	system_munlock(first, page);
	map = system_mremap(first, page, span, how, at);
	if (map == MAP_FAILED)
		system_munmap(first, page);
	return map;
}

void *gl_map_unlocked(void *at, size_t span, int protection, int flags, int fd)
{
	if (__atomic_load_n(&locking, __ATOMIC_RELAXED))
		return map_grow(at, span, protection, flags, fd);
	return system_mmap(at, span, protection, at ? flags | MAP_FIXED : flags, fd, 0);
}

void *glimpse_map(size_t size)
{
	void *map = gl_map_unlocked(NULL, size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	return map == MAP_FAILED ? NULL : map;
}
