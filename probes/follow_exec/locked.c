/*
 * mlockall(): what is locked of the process is what the program has. The memory of Glimpse's
 * libraries and what the runtime mapped is unlocked again, and later memory is made so.
 */
#include "probes/follow_exec/libraries.h"
#include "runtime/glimpse.h"
#include "runtime/system.h"
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))

static int (*real_lock)(int);
static int (*real_unlock)(void);

__attribute__((constructor(101))) static void locked_prepare(void)
{
	if (real_lock)
		return;
	real_unlock = dlsym(RTLD_NEXT, "munlockall");
	real_lock = dlsym(RTLD_NEXT, "mlockall");
}

static int library_unlock(struct dl_phdr_info *library, size_t size, void *unused)
{
	(void)size, (void)unused;
	for (int i = 0; library_is_ours(library) && i < library->dlpi_phnum; i++)
		if (library->dlpi_phdr[i].p_type == PT_LOAD)
			system_munlock((void *)(library->dlpi_addr + library->dlpi_phdr[i].p_vaddr),
				       library->dlpi_phdr[i].p_memsz);
	return 0;
}

EXPORT int mlockall(int flags)
{
	int result, error;

	locked_prepare();
	result = real_lock(flags);
	error = errno;
	if (!result) {
		glimpse_memory_locked(!!(flags & MCL_FUTURE));
		dl_iterate_phdr(library_unlock, NULL);
	}
	errno = error;
	return result;
}

EXPORT int munlockall(void)
{
	int result;

	locked_prepare();
	result = real_unlock();
	if (!result)
		glimpse_memory_locked(0);
	return result;
}
