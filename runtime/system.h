/*
 * The system calls that the runtime and the probes make for themselves. On the processors below no
 * function of the C library is called: allocators, the program and other preloaded libraries define
 * functions of these names. Those come back into us, hold locks, or answer with a faked clock.
 *
 * Each function has the parameters, the result and the errno of its namesake. None is a
 * cancellation point.
 */
#ifndef GLIMPSE_RUNTIME_SYSTEM_H
#define GLIMPSE_RUNTIME_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

/* Makes a system call. Returns its result; -1 with errno set if it fails. */
long gl_system_call(long number, long a, long b, long c, long d, long e, long f);

#define SYSTEM_CALL(...) SYSTEM_CALL_OF_SIX(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
#define SYSTEM_CALL_OF_SIX(number, a, b, c, d, e, f, ...) \
	gl_system_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#define KERNEL_SIGNALS_SIZE ((size_t)(_NSIG / 8)) /* of a set of signals */

/* Where the structures and offsets of the C library are those of the kernel. */
#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__LP64__)
#define SYSTEM_DIRECT 1
#define SYSTEM(direct, libc) (direct)
#else
#include <sys/ioctl.h>
#define SYSTEM_DIRECT 0
#define SYSTEM(direct, libc) (libc)
#endif

/* ---- Files ----------------------------------------------------------------------------------- */

static inline int system_openat(int directory, const char *path, int flags, mode_t mode)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_openat, directory, path, flags, mode),
			   openat(directory, path, flags, mode));
}

static inline int system_close(int fd)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_close, fd), close(fd));
}

static inline ssize_t system_read(int fd, void *to, size_t size)
{
	return SYSTEM(SYSTEM_CALL(SYS_read, fd, to, size), read(fd, to, size));
}

static inline ssize_t system_write(int fd, const void *from, size_t size)
{
	return SYSTEM(SYSTEM_CALL(SYS_write, fd, from, size), write(fd, from, size));
}

static inline ssize_t system_pread(int fd, void *to, size_t size, off_t offset)
{
	return SYSTEM(SYSTEM_CALL(SYS_pread64, fd, to, size, offset), pread(fd, to, size, offset));
}

static inline ssize_t system_pwrite(int fd, const void *from, size_t size, off_t offset)
{
	return SYSTEM(SYSTEM_CALL(SYS_pwrite64, fd, from, size, offset),
		      pwrite(fd, from, size, offset));
}

static inline ssize_t system_copy_file_range(int from, off_t *at, int to, off_t *out, size_t size)
{
	return SYSTEM(SYSTEM_CALL(SYS_copy_file_range, from, at, to, out, size, 0),
		      copy_file_range(from, at, to, out, size, 0));
}

static inline int system_ftruncate(int fd, off_t size)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_ftruncate, fd, size), ftruncate(fd, size));
}

static inline int system_fallocate(int fd, int mode, off_t offset, off_t size)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_fallocate, fd, mode, offset, size),
			   fallocate(fd, mode, offset, size));
}

static inline int system_fcntl(int fd, int command, int argument)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_fcntl, fd, command, argument),
			   fcntl(fd, command, argument));
}

static inline int system_ioctl(int fd, unsigned long request, void *argument)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_ioctl, fd, request, argument),
			   ioctl(fd, request, argument));
}

static inline int system_fstatat(int directory, const char *path, struct stat *st, int flags)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_newfstatat, directory, path, st, flags),
			   fstatat(directory, path, st, flags));
}

static inline int system_fstat(int fd, struct stat *st)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_newfstatat, fd, "", st, AT_EMPTY_PATH), fstat(fd, st));
}

static inline int system_stat(const char *path, struct stat *st)
{
	return system_fstatat(AT_FDCWD, path, st, 0);
}

static inline int system_fstatfs(int fd, struct statfs *system)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_fstatfs, fd, system), fstatfs(fd, system));
}

static inline int system_faccessat(int directory, const char *path, int mode)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_faccessat, directory, path, mode),
			   faccessat(directory, path, mode, 0));
}

static inline int system_unlinkat(int directory, const char *path, int flags)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_unlinkat, directory, path, flags),
			   unlinkat(directory, path, flags));
}

/* Filters of system calls for x86-64 allow the older ones: README.md lists them. */
static inline int system_mkdir(const char *path, mode_t mode)
{
#ifdef SYS_mkdir
	return (int)SYSTEM(SYSTEM_CALL(SYS_mkdir, path, mode), mkdir(path, mode));
#else
	return (int)SYSTEM(SYSTEM_CALL(SYS_mkdirat, AT_FDCWD, path, mode), mkdir(path, mode));
#endif
}

static inline int system_rmdir(const char *path)
{
#ifdef SYS_rmdir
	return (int)SYSTEM(SYSTEM_CALL(SYS_rmdir, path), rmdir(path));
#else
	return system_unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
#endif
}

static inline int system_chmod(const char *path, mode_t mode)
{
#ifdef SYS_chmod
	return (int)SYSTEM(SYSTEM_CALL(SYS_chmod, path, mode), chmod(path, mode));
#else
	return (int)SYSTEM(SYSTEM_CALL(SYS_fchmodat, AT_FDCWD, path, mode), chmod(path, mode));
#endif
}

static inline int system_fchmod(int fd, mode_t mode)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_fchmod, fd, mode), fchmod(fd, mode));
}

static inline ssize_t system_readlink(const char *path, char *to, size_t size)
{
	return SYSTEM(SYSTEM_CALL(SYS_readlinkat, AT_FDCWD, path, to, size),
		      readlink(path, to, size));
}

/* A directory that cannot be reached from the root has no path. */
static inline char *system_getcwd(char *to, size_t size)
{
#if SYSTEM_DIRECT
	if (SYSTEM_CALL(SYS_getcwd, to, size) < 0)
		return NULL;
	if (*to == '/')
		return to;
	errno = ENOENT;
	return NULL;
#else
	return getcwd(to, size);
#endif
}

/* ---- Sockets --------------------------------------------------------------------------------- */

static inline int system_socket(int domain, int type, int protocol)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_socket, domain, type, protocol),
			   socket(domain, type, protocol));
}

static inline int system_connect(int fd, const struct sockaddr *to, socklen_t length)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_connect, fd, to, length), connect(fd, to, length));
}

static inline int system_setsockopt(int fd, int level, int option, const void *value,
				    socklen_t size)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_setsockopt, fd, level, option, value, size),
			   setsockopt(fd, level, option, value, size));
}

static inline ssize_t system_send(int fd, const void *from, size_t size, int flags)
{
	return SYSTEM(SYSTEM_CALL(SYS_sendto, fd, from, size, flags, NULL, 0),
		      send(fd, from, size, flags));
}

static inline ssize_t system_recvmsg(int fd, struct msghdr *message, int flags)
{
	return SYSTEM(SYSTEM_CALL(SYS_recvmsg, fd, message, flags), recvmsg(fd, message, flags));
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static inline void *system_mmap(void *at, size_t size, int protection, int flags, int fd,
				off_t offset)
{
	return SYSTEM((void *)SYSTEM_CALL(SYS_mmap, at, size, protection, flags, fd, offset),
		      mmap(at, size, protection, flags, fd, offset));
}

static inline void *system_mremap(void *from, size_t size, size_t larger, int flags, void *to)
{
	return (void *)SYSTEM(SYSTEM_CALL(SYS_mremap, from, size, larger, flags, to),
			      mremap(from, size, larger, flags, to));
}

static inline int system_munlock(const void *at, size_t size)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_munlock, at, size), munlock(at, size));
}

static inline int system_munmap(void *at, size_t size)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_munmap, at, size), munmap(at, size));
}

static inline int system_mprotect(void *at, size_t size, int protection)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_mprotect, at, size, protection),
			   mprotect(at, size, protection));
}

static inline int system_madvise(void *at, size_t size, int advice)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_madvise, at, size, advice), madvise(at, size, advice));
}

/* ---- Processes, threads, time ---------------------------------------------------------------- */

static inline pid_t system_getpid(void)
{
	return (pid_t)SYSTEM_CALL(SYS_getpid);
}

static inline pid_t system_gettid(void)
{
	return (pid_t)SYSTEM_CALL(SYS_gettid);
}

static inline pid_t system_getpgid(pid_t pid)
{
	return (pid_t)SYSTEM_CALL(SYS_getpgid, pid);
}

static inline uid_t system_geteuid(void)
{
	return (uid_t)SYSTEM(SYSTEM_CALL(SYS_geteuid), geteuid());
}

static inline int system_kill(pid_t pid, int number)
{
	return (int)SYSTEM_CALL(SYS_kill, pid, number);
}

static inline int system_getrlimit(int resource, struct rlimit *limit)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_prlimit64, 0, resource, NULL, limit),
			   getrlimit((__typeof__(RLIMIT_NOFILE))resource, limit));
}

static inline int system_prctl(int option, void *argument)
{
	return (int)SYSTEM_CALL(SYS_prctl, option, argument);
}

static inline int system_sigaltstack(const stack_t *set, stack_t *old)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_sigaltstack, set, old), sigaltstack(set, old));
}

static inline int system_sigpending(sigset_t *pending)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_rt_sigpending, pending, KERNEL_SIGNALS_SIZE),
			   sigpending(pending));
}

static inline int system_sigtimedwait(const sigset_t *set, const struct timespec *time)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_rt_sigtimedwait, set, NULL, time, KERNEL_SIGNALS_SIZE),
			   sigtimedwait(set, NULL, time));
}

/*
 * `set` and `old` are of KERNEL_SIGNALS_SIZE: the signals of the C library itself are among them.
 */
static inline void system_signals_set(const unsigned char *set, unsigned char *old)
{
	SYSTEM_CALL(SYS_rt_sigprocmask, SIG_SETMASK, set, old, KERNEL_SIGNALS_SIZE);
}

static inline void system_sched_yield(void)
{
	SYSTEM_CALL(SYS_sched_yield);
}

static inline int system_nanosleep(const struct timespec *time)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_nanosleep, time, NULL), nanosleep(time, NULL));
}

/* Enters the kernel always; gl_vdso_gettime() does not. */
static inline int system_clock_gettime(clockid_t clock, struct timespec *time)
{
	return (int)SYSTEM(SYSTEM_CALL(SYS_clock_gettime, clock, time), clock_gettime(clock, time));
}

#endif
