/*
 * Preloaded: makes a call of glimpse fail, one that its libraries or its program make. The file
 * that HOSTILE_FILE names counts the calls of all processes, and says which one fails.
 */
#undef _FORTIFY_SOURCE /* whose functions would stand before those of this file */
#include "tests/hostile/fails.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct fails *fails;

/* Where glimpse's code is; `wraps`: in a library that makes the program's calls, too. */
static struct range {
	uintptr_t begin, end;
	int wraps;
} ranges[32];
static unsigned ranges_count;

static const char *const names[] = {
#define FAILING(name, result) #name,
#include "tests/hostile/failing.h"
#undef FAILING
};

enum {
#define FAILING(name, result) CALL_##name,
#include "tests/hostile/failing.h"
#undef FAILING
};

static int makes_calls_of_program(const char *library)
{
	return strstr(library, "/libglimpse-io.so") || strstr(library, "/libglimpse-threads.so");
}

static void range_add(const struct dl_phdr_info *info)
{
	struct range r = {UINTPTR_MAX, 0, makes_calls_of_program(info->dlpi_name)};

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		r.begin = at < r.begin ? at : r.begin;
		r.end = at + p->p_memsz > r.end ? at + p->p_memsz : r.end;
	}
	if (ranges_count < sizeof ranges / sizeof *ranges)
		ranges[ranges_count++] = r;
}

/* The libraries in a program, or the recorder itself. */
static int object_look(struct dl_phdr_info *info, size_t size, void *argument)
{
	const char *name = strrchr(info->dlpi_name, '/');
	int recorder = *(int *)argument;

	(void)size;
	if (recorder ? !*info->dlpi_name : name && !strncmp(name, "/libglimpse", 11))
		range_add(info);
	return 0;
}

/* Before the libraries that are observed begin, so that their first calls can fail, too. */
static void prepare(void)
{
	static int prepared;
	const char *path = getenv("HOSTILE_FILE");
	char self[4096];
	int fd, recorder;
	long n;

	if (__atomic_exchange_n(&prepared, 1, __ATOMIC_ACQ_REL) || !path)
		return;
	n = syscall(SYS_readlink, "/proc/self/exe", self, sizeof self - 1);
	self[n > 0 ? n : 0] = '\0';
	recorder = n > 8 && !strcmp(self + n - 8, "/glimpse");
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	fails = (struct fails *)syscall(SYS_mmap, NULL, sizeof *fails, PROT_READ | PROT_WRITE,
					MAP_SHARED, fd, 0);
	syscall(SYS_close, fd);
	if (fails == MAP_FAILED || (int)fails->in_recorder != recorder)
		fails = NULL;
	else
		dl_iterate_phdr(object_look, &recorder);
}

/* Counts a call by glimpse, and returns whether it fails. */
static int call_fails(unsigned call, const void *caller)
{
	uintptr_t at = (uintptr_t)caller;
	unsigned n, i;

	prepare();
	for (i = 0; fails && i < ranges_count; i++)
		if (at >= ranges[i].begin && at < ranges[i].end)
			break;
	if (!fails || i == ranges_count || (ranges[i].wraps && call >= CALL_openat))
		return 0;
	n = __atomic_fetch_add(&fails->count[call], 1, __ATOMIC_RELAXED);
	if (call != fails->call || (fails->on ? n < fails->nth : n != fails->nth))
		return 0;
	__atomic_fetch_add(&fails->failed, 1, __ATOMIC_RELAXED);
	errno = fails->error;
	return 1;
}

/* What no kernel refuses. */
static int never_fails(long number)
{
	return number == SYS_gettid || number == SYS_futex || number == SYS_rt_sigprocmask;
}

/* All have up to six arguments, of integers and pointers; what fails returns `result`. */
#define FAILING(name, result) \
	extern long fails_##name(long a, long b, long c, long d, long e, long f, \
				 long g) __asm__(#name); \
	long fails_##name(long a, long b, long c, long d, long e, long f, long g) \
	{ \
		static long (*real)(long, long, long, long, long, long, long); \
		if (!real) \
			*(void **)&real = dlsym(RTLD_NEXT, names[CALL_##name]); \
		if (CALL_##name == CALL_syscall && never_fails(a)) \
			return real(a, b, c, d, e, f, g); \
		if (call_fails(CALL_##name, __builtin_return_address(0))) \
			return (long)(result); \
		return real(a, b, c, d, e, f, g); \
	}
#include "tests/hostile/failing.h"
