/*
 * Threads get a larger stack than the program asked for, by what Glimpse takes of it: the C library
 * puts the thread-local data of all libraries there, and wrappers and handlers have frames. The
 * program's attributes stay as they are. A stack that the program gave cannot grow; C11's threads,
 * which have no attributes, have the default size.
 */
#include "probes/follow_exec/jump.h"
#include "probes/follow_exec/libraries.h"
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* About twice what wrappers and the runtime below them use, by tests/probes/same/limits.test. */
#define FRAMES 12288u

typedef int create_function(pthread_t *restrict, const pthread_attr_t *restrict, void *(*)(void *),
			    void *restrict);

static create_function *real_create;
static size_t extra; /* bytes for each stack */

/*
 * In the thread's data, as the call of the real function is a jump; they are read only during that.
 */
static __thread pthread_attr_t grown __attribute__((tls_model("initial-exec")));
static __thread bool grown_of_default __attribute__((tls_model("initial-exec")));

struct needs {
	size_t data;  /* thread-local, of our libraries */
	bool handler; /* probe samples: one of its signals may come at any time */
};

static int needs_add(struct dl_phdr_info *library, size_t size, void *to)
{
	struct needs *needs = to;

	(void)size;
	if (!library_is_ours(library))
		return 0;
	needs->handler |= library_has_name(library, "libglimpse-samples");
	for (int i = 0; i < library->dlpi_phnum; i++)
		if (library->dlpi_phdr[i].p_type == PT_TLS)
			needs->data +=
			    library->dlpi_phdr[i].p_memsz + library->dlpi_phdr[i].p_align;
	return 0;
}

/* The kernel's frame for a handler has all registers: several KiB on some processors. */
static size_t handler_frame(void)
{
#ifdef AT_MINSIGSTKSZ
	size_t size = getauxval(AT_MINSIGSTKSZ);

	if (size)
		return size;
#endif
	return MINSIGSTKSZ;
}

__attribute__((constructor(101))) static void stacks_prepare(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct needs needs = {0, false};

	if (real_create)
		return;
	dl_iterate_phdr(needs_add, &needs);
	extra = needs.data + FRAMES + (needs.handler ? handler_frame() : 0);
	extra = (extra + page - 1) / page * page;
	real_create = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
}

/* In glibc the end of a stack that was not given is address 0; in musl there is no stack to get. */
static bool stack_given(const pthread_attr_t *attributes)
{
	size_t size;
	void *low;

	return !pthread_attr_getstack(attributes, &low, &size) && (uintptr_t)low + size;
}

/*
 * Returns the attributes to create a thread with. A copy of them is only read, and shares what they
 * point to; a copy of the default ones owns that, and frees it when the thread creates the next.
 */
static const pthread_attr_t *stack_grow(const pthread_attr_t *attributes)
{
	size_t size;

	if (grown_of_default)
		pthread_attr_destroy(&grown);
	grown_of_default = !attributes && !pthread_getattr_default_np(&grown);
	if (attributes && stack_given(attributes))
		return attributes;
	if (attributes)
		grown = *attributes;
	else if (!grown_of_default)
		return NULL;
	if (pthread_attr_getstacksize(&grown, &size) ||
	    pthread_attr_setstacksize(&grown, size + extra))
		return attributes;
	return &grown;
}

JUMPS_BEGIN

EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
			  void *(*function)(void *), void *restrict argument)
{
	if (!real_create)
		stacks_prepare();
	JUMP real_create(thread, stack_grow(attributes), function, argument);
}

JUMPS_END
