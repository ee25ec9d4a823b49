#include "failures.h"
#include "runtime/system.h"
#include <dirent.h>
#include <dlfcn.h>

struct failures *failures;

const char *const call_names[CALLS] = {
	"openat",    "close",        "fcntl",      "fstat",     "fstatat",   "faccessat",
	"unlinkat",  "mkdir",        "pwrite",     "pread",     "read",      "write",
	"ftruncate", "fallocate",    "mmap",       "munmap",    "madvise",   "copy_file_range",
	"getcwd",    "prctl",        "fstatfs",    "getrlimit", "fdopendir", "io_setup",
	"io_submit", "io_getevents", "io_destroy", "tgkill",
};

/* Counts a call, and returns whether it is to fail. */
static bool call_fails(enum call call)
{
	unsigned n;

	if (!failures || call == CALL_NONE)
		return false;
	n = __atomic_fetch_add(&failures->count[call], 1, __ATOMIC_RELAXED);
	if ((int)call != failures->call || (failures->on ? n < failures->nth : n != failures->nth))
		return false;
	__atomic_fetch_add(&failures->failed, 1, __ATOMIC_RELAXED);
	return true;
}

/* `flags` are those of newfstatat(), which looks at descriptors, too. */
static enum call call_of(long number, long flags)
{
#if SYSTEM_DIRECT
	switch (number) {
	case SYS_openat:
		return CALL_OPENAT;
	case SYS_close:
		return CALL_CLOSE;
	case SYS_fcntl:
		return CALL_FCNTL;
	case SYS_newfstatat:
		return flags & AT_EMPTY_PATH ? CALL_FSTAT : CALL_FSTATAT;
	case SYS_faccessat:
		return CALL_FACCESSAT;
	case SYS_unlinkat:
		return CALL_UNLINKAT;
#ifdef SYS_mkdir
	case SYS_mkdir:
#else
	case SYS_mkdirat:
#endif
		return CALL_MKDIR;
	case SYS_pwrite64:
		return CALL_PWRITE;
	case SYS_pread64:
		return CALL_PREAD;
	case SYS_read:
		return CALL_READ;
	case SYS_write:
		return CALL_WRITE;
	case SYS_ftruncate:
		return CALL_FTRUNCATE;
	case SYS_fallocate:
		return CALL_FALLOCATE;
	case SYS_mmap:
		return CALL_MMAP;
	case SYS_munmap:
		return CALL_MUNMAP;
	case SYS_madvise:
		return CALL_MADVISE;
	case SYS_copy_file_range:
		return CALL_COPY;
	case SYS_getcwd:
		return CALL_GETCWD;
	case SYS_prctl:
		return CALL_PRCTL;
	case SYS_fstatfs:
		return CALL_FSTATFS;
	case SYS_prlimit64:
		return CALL_GETRLIMIT;
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
		break;
	}
#else
	(void)number;
	(void)flags;
#endif
	return CALL_NONE;
}

static long some_of(long size)
{
	return size > 4 ? size / 2 / 4 * 4 : size > 1 ? size - 1 : size;
}

/* Calls of the C library do not come here. The number is free also when close() fails. */
long gl_system_call(long number, long a, long b, long c, long d, long e, long f)
{
	enum call call = call_of(number, d);

	if (!call_fails(call))
		return syscall(number, a, b, c, d, e, f);
	if (failures->error == FAILURE_SHORT)
		return syscall(number, a, b, some_of(c), d, e, f);
	if (call == CALL_CLOSE && syscall(number, a))
		return -1;
	errno = failures->error;
	return -1;
}

DIR *fdopendir(int fd)
{
	static __typeof__(fdopendir) *real;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "fdopendir");
	if (!call_fails(CALL_FDOPENDIR))
		return real(fd);
	errno = failures->error;
	return NULL;
}
