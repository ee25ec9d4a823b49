#undef _FORTIFY_SOURCE          /* whose functions would stand before those of this file */
#include "failures.h"
#include "runtime/glimpse.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

struct failures *failures;

const char *const call_names[CALLS] = {
	"openat", "close", "fcntl", "fstat", "fstatat", "faccessat", "unlinkat", "mkdir", "pwrite",
	"pread", "read", "write", "ftruncate", "fallocate", "mmap", "munmap", "madvise",
	"copy_file_range", "getcwd", "prctl", "fstatfs", "getrlimit", "fdopendir", "io_setup",
	"io_submit", "io_getevents", "io_destroy", "tgkill",
};

/* Sanitizers call some of these functions before they can check any. */
#define UNCHECKED __attribute__((no_sanitize("address", "thread", "undefined")))

/* Where the runtime's code is. */
static uintptr_t from, to;

static int object_look(struct dl_phdr_info *info, size_t size, void *argument)
{
	uintptr_t wanted = (uintptr_t)(void *)glimpse_close, own = *(uintptr_t *)argument;
	uintptr_t begin = UINTPTR_MAX, end = 0;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		begin = at < begin ? at : begin;
		end = at + p->p_memsz > end ? at + p->p_memsz : end;
	}
	if (wanted < begin || wanted >= end)
		return 0;
	if (own < begin || own >= end) {
		from = begin;
		to = end;
	}
	return 1;
}

bool failures_prepare(void)
{
	uintptr_t own = (uintptr_t)(void *)failures_prepare;

	dl_iterate_phdr(object_look, &own);
	return from != 0;
}

/* Counts a call, and returns whether it is to fail. */
UNCHECKED static bool call_fails(enum call call, const void *caller)
{
	uintptr_t at = (uintptr_t)caller;
	unsigned n;

	if (!failures || at < from || at >= to)
		return false;
	n = __atomic_fetch_add(&failures->count[call], 1, __ATOMIC_RELAXED);
	if ((int)call != failures->call ||
	    (failures->on ? n < failures->nth : n != failures->nth))
		return false;
	__atomic_fetch_add(&failures->failed, 1, __ATOMIC_RELAXED);
	if (failures->error != FAILURE_SHORT)
		errno = failures->error;
	return true;
}

/* The function of libc, or that of a sanitizer. */
#define REAL(name) \
	static __typeof__(name) *real; \
	if (!real) \
		*(void **)&real = dlsym(RTLD_NEXT, #name)

#define FAIL(call, result) \
	if (call_fails(call, __builtin_return_address(0))) \
		return result

UNCHECKED int openat(int directory, const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	REAL(openat);
	va_start(rest, flags);
	mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	FAIL(CALL_OPENAT, -1);
	return real(directory, path, flags, mode);
}

/* The number is free also when close() fails. */
UNCHECKED int close(int fd)
{
	int error = errno, result;

	REAL(close);
	result = real(fd);
	if (result == 0)
		errno = error;
	FAIL(CALL_CLOSE, -1);
	return result;
}

UNCHECKED int fcntl(int fd, int command, ...)
{
	va_list rest;
	long argument;

	REAL(fcntl);
	va_start(rest, command);
	argument = va_arg(rest, long);
	va_end(rest);
	FAIL(CALL_FCNTL, -1);
	return real(fd, command, argument);
}

UNCHECKED int fstat(int fd, struct stat *st)
{
	REAL(fstat);
	FAIL(CALL_FSTAT, -1);
	return real(fd, st);
}

UNCHECKED int fstatat(int directory, const char *path, struct stat *st, int flags)
{
	REAL(fstatat);
	FAIL(CALL_FSTATAT, -1);
	return real(directory, path, st, flags);
}

UNCHECKED int faccessat(int directory, const char *path, int mode, int flags)
{
	REAL(faccessat);
	FAIL(CALL_FACCESSAT, -1);
	return real(directory, path, mode, flags);
}

UNCHECKED int unlinkat(int directory, const char *path, int flags)
{
	REAL(unlinkat);
	FAIL(CALL_UNLINKAT, -1);
	return real(directory, path, flags);
}

UNCHECKED int mkdir(const char *path, mode_t mode)
{
	REAL(mkdir);
	FAIL(CALL_MKDIR, -1);
	return real(path, mode);
}

UNCHECKED static size_t some_of(size_t size)
{
	return size > 4 ? size / 2 / 4 * 4 : size > 1 ? size - 1 : size;
}

UNCHECKED ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	REAL(pwrite);
	if (call_fails(CALL_PWRITE, __builtin_return_address(0))) {
		if (failures->error != FAILURE_SHORT)
			return -1;
		size = some_of(size);
	}
	return real(fd, bytes, size, offset);
}

UNCHECKED ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
	REAL(pread);
	if (call_fails(CALL_PREAD, __builtin_return_address(0))) {
		if (failures->error != FAILURE_SHORT)
			return -1;
		size = some_of(size);
	}
	return real(fd, bytes, size, offset);
}

UNCHECKED ssize_t read(int fd, void *bytes, size_t size)
{
	REAL(read);
	FAIL(CALL_READ, -1);
	return real(fd, bytes, size);
}

UNCHECKED ssize_t write(int fd, const void *bytes, size_t size)
{
	REAL(write);
	FAIL(CALL_WRITE, -1);
	return real(fd, bytes, size);
}

UNCHECKED int ftruncate(int fd, off_t size)
{
	REAL(ftruncate);
	FAIL(CALL_FTRUNCATE, -1);
	return real(fd, size);
}

UNCHECKED int fallocate(int fd, int mode, off_t offset, off_t size)
{
	REAL(fallocate);
	FAIL(CALL_FALLOCATE, -1);
	return real(fd, mode, offset, size);
}

UNCHECKED void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	REAL(mmap);
	FAIL(CALL_MMAP, MAP_FAILED);
	return real(at, size, protection, flags, fd, offset);
}

UNCHECKED int munmap(void *at, size_t size)
{
	REAL(munmap);
	FAIL(CALL_MUNMAP, -1);
	return real(at, size);
}

UNCHECKED int madvise(void *at, size_t size, int advice)
{
	REAL(madvise);
	FAIL(CALL_MADVISE, -1);
	return real(at, size, advice);
}

UNCHECKED ssize_t copy_file_range(int in, off_t *in_at, int out, off_t *out_at, size_t size,
				  unsigned flags)
{
	REAL(copy_file_range);
	FAIL(CALL_COPY, -1);
	return real(in, in_at, out, out_at, size, flags);
}

UNCHECKED char *getcwd(char *path, size_t size)
{
	REAL(getcwd);
	FAIL(CALL_GETCWD, NULL);
	return real(path, size);
}

UNCHECKED int prctl(int option, ...)
{
	unsigned long a[4];
	va_list rest;

	REAL(prctl);
	va_start(rest, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(rest, unsigned long);
	va_end(rest);
	FAIL(CALL_PRCTL, -1);
	return real(option, a[0], a[1], a[2], a[3]);
}

UNCHECKED int fstatfs(int fd, struct statfs *system)
{
	REAL(fstatfs);
	FAIL(CALL_FSTATFS, -1);
	return real(fd, system);
}

UNCHECKED int getrlimit(__rlimit_resource_t resource, struct rlimit *limit)
{
	REAL(getrlimit);
	FAIL(CALL_GETRLIMIT, -1);
	return real(resource, limit);
}

UNCHECKED DIR *fdopendir(int fd)
{
	REAL(fdopendir);
	FAIL(CALL_FDOPENDIR, NULL);
	return real(fd);
}

UNCHECKED static enum call call_of(long number)
{
	switch (number) {
	case SYS_io_setup:
		return CALL_IO_SETUP;
	case SYS_io_submit:
		return CALL_IO_SUBMIT;
	case SYS_io_getevents:
		return CALL_IO_GETEVENTS;
	case SYS_io_destroy:
		return CALL_IO_DESTROY;
	case SYS_tgkill:
		return CALL_TGKILL;
	default:
		return CALL_NONE;
	}
}

UNCHECKED long syscall(long number, ...)
{
	enum call call = call_of(number);
	va_list rest;
	long a[6];

	REAL(syscall);
	va_start(rest, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(rest, long);
	va_end(rest);
	if (call != CALL_NONE)
		FAIL(call, -1);
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
