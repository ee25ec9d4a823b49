/*
 * The io probe: stands before the functions of the C library that take descriptors.
 *
 * What the program's pointers point to is looked at only after the call has succeeded: with a wrong
 * pointer the program gets EFAULT from the system, as ever. A thread that is cancelled in a call
 * leaves its begin without an end.
 */
#include "io_glimpse.h"
#include "probes/descriptor_waits.h"
#include "probes/io/names.h"
#include "probes/io/vfork.h"
#include "probes/wrap.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>

/* ---- The functions that are next in line ----------------------------------------------------- */

static struct {
#define BYTES(kind, type, name, parameters, arguments, fd, asked, after) __typeof__(&name) name;
#define PLAIN(kind, type, name, parameters, arguments, fd, after) __typeof__(&name) name;
#define POLL(name, parameters, arguments, fd, count, what) __typeof__(&name) name;
#define OPENS(name) __typeof__(&name) name;
#define OTHER(name) __typeof__(&name) name;
#include "probes/io/entries.h"
#undef BYTES
#undef PLAIN
#undef POLL
#undef OPENS
#undef OTHER
} real;

extern const char glimpse_probe_io;

#define REAL(name) WRAP_REAL(real.name, #name, NULL)

__attribute__((constructor(101))) static void io_load(void)
{
#define BYTES(kind, type, name, parameters, arguments, fd, asked, after) REAL(name);
#define PLAIN(kind, type, name, parameters, arguments, fd, after) REAL(name);
#define POLL(name, parameters, arguments, fd, count, what) REAL(name);
#define OPENS(name) REAL(name);
#define OTHER(name) REAL(name);
#include "probes/io/entries.h"
#undef BYTES
#undef PLAIN
#undef POLL
#undef OPENS
#undef OTHER
}

/* The probe threads finds it, and lets this library tell of these calls. */
WRAP_EXPORT const char glimpse_probe_io = 1;

/* The probe threads has it. */
extern const struct descriptor_waits glimpse_descriptor_waits __attribute__((weak));

/* ---- What is logged -------------------------------------------------------------------------- */

/* A child of vfork() has descriptors of its own, but the memory, and so the log, of its parent. */
#define QUIET() (wrap_quiet() || vfork_child || glimpse_paused())

/*
 * Whether a descriptor has a name before the call: a socket that is being connected gets one by it.
 */
enum { NAME_Sync = 1, NAME_Accept = 1, NAME_Connect = 0 };

#define NOTHING ((void)0)
#define OUTCOME(result, error) ((result) < 0 ? -(int64_t)(error) : (int64_t)(result))

static uint64_t parts_bytes(const struct iovec *parts, size_t n)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += parts[i].iov_len;
	return bytes;
}

static uint64_t messages_bytes(const struct mmsghdr *messages, int n)
{
	uint64_t bytes = 0;

	for (int i = 0; i < n; i++)
		bytes += messages[i].msg_len;
	return bytes;
}

/* ---- The functions --------------------------------------------------------------------------- */

/* Returns the time of the start of a call whose waits are logged; 0: nobody logs them. */
static inline uint64_t call_since(enum descriptor_call call, int fd)
{
	if (!&glimpse_descriptor_waits || !glimpse_descriptor_waits.may_wait(call, fd))
		return 0;
	return glimpse_now();
}

/* Logs the waits of a call. Returns the end of the call. */
static inline uint64_t call_ended(enum descriptor_call call, int fd, uint64_t since,
				  int64_t outcome, const void *site)
{
	if (!since)
		return glimpse_now();
	return glimpse_descriptor_waits.called(call, fd, since, outcome, site);
}

static inline void poll_ended(const struct polled *what, int first, uint64_t since, uint64_t now,
			      int64_t outcome, const void *site)
{
	if (&glimpse_descriptor_waits)
		glimpse_descriptor_waits.polled(what, first, since, now, outcome, site);
}

/*
 * A call of a descriptor, whose name is told before where it is `named`; `end` logs what it did, at
 * `time`.
 */
#define CALL(kind, type, name, parameters, arguments, fd, named, end, after) \
	WRAP_EXPORT type name parameters \
	{ \
		uint64_t time; \
		int error; \
		type result; \
\
		if (QUIET()) \
			return REAL(name) arguments; \
		error = errno; \
		if (named) \
			names_used(fd); \
		kind##Begin_Stamp(fd, WRAP_SITE); \
		time = call_since(CALL_##kind, fd); \
		errno = error; \
		result = REAL(name) arguments; \
		error = errno; \
		time = call_ended(CALL_##kind, fd, time, OUTCOME(result, error), WRAP_SITE); \
		end; \
		if (result >= 0) \
			after; \
		errno = error; \
		return result; \
	}
#define BYTES(kind, type, name, parameters, arguments, fd, asked, after) \
	CALL(kind, type, name, parameters, arguments, fd, true, \
	     kind##End_StampAt(time, fd, result < 0 ? 0 : asked, OUTCOME(result, error)), after)
#define PLAIN(kind, type, name, parameters, arguments, fd, after) \
	CALL(kind, type, name, parameters, arguments, fd, NAME_##kind, \
	     kind##End_StampAt(time, fd, OUTCOME(result, error)), after)
#define POLL(name, parameters, arguments, ready, count, what) \
	WRAP_EXPORT int name parameters \
	{ \
		uint64_t since, now; \
		int result, error, first; \
\
		if (QUIET()) \
			return REAL(name) arguments; \
		PollBegin_Stamp(WRAP_SITE); \
		since = glimpse_now(); \
		result = REAL(name) arguments; \
		now = glimpse_now(); \
		error = errno; \
		first = result > 0 ? (int)(ready) : -1; \
		poll_ended(what, first, since, now, OUTCOME(result, error), WRAP_SITE); \
		PollEnd_StampAt(now, first, (uint32_t)(count), OUTCOME(result, error)); \
		errno = error; \
		return result; \
	}
#define OPENS(name)
#define OTHER(name)
#include "probes/io/entries.h"
#undef CALL
#undef BYTES
#undef PLAIN
#undef POLL
#undef OPENS
#undef OTHER

/* ---- Opening --------------------------------------------------------------------------------- */

/* After these errors nobody knows where the path ends. */
static bool path_known(int error)
{
	return error != EFAULT && error != ENAMETOOLONG;
}

static int opened(int fd, const char *path)
{
	int error = errno;

	OpenEnd_Stamp(fd >= 0 || path_known(error) ? path : "", OUTCOME(fd, error));
	if (fd >= 0)
		names_opened(fd, path);
	errno = error;
	return fd;
}

#define OPEN(path, call) \
	(__extension__({ \
		OpenBegin_Stamp(WRAP_SITE); \
		opened(call, path); \
	}))

/* The mode, which is there only if a file may be created. */
#define MODE(flags) \
	(__extension__({ \
		mode_t mode_ = 0; \
		if ((flags)&O_CREAT || ((flags)&O_TMPFILE) == O_TMPFILE) { \
			va_list list_; \
			va_start(list_, flags); \
			mode_ = va_arg(list_, mode_t); \
			va_end(list_); \
		} \
		mode_; \
	}))

#define DEFINE_OPEN(name) \
	WRAP_EXPORT int name(const char *path, int flags, ...) \
	{ \
		mode_t mode = MODE(flags); \
\
		if (QUIET()) \
			return REAL(name)(path, flags, mode); \
		return OPEN(path, REAL(name)(path, flags, mode)); \
	}
#define DEFINE_OPENAT(name) \
	WRAP_EXPORT int name(int folder, const char *path, int flags, ...) \
	{ \
		mode_t mode = MODE(flags); \
\
		if (QUIET()) \
			return REAL(name)(folder, path, flags, mode); \
		return OPEN(path, REAL(name)(folder, path, flags, mode)); \
	}
#define DEFINE_CREAT(name, type, last) \
	WRAP_EXPORT int name(const char *path, type last) \
	{ \
		if (QUIET()) \
			return REAL(name)(path, last); \
		return OPEN(path, REAL(name)(path, last)); \
	}
#define DEFINE_OPENAT_2(name) \
	WRAP_EXPORT int name(int folder, const char *path, int flags) \
	{ \
		if (QUIET()) \
			return REAL(name)(folder, path, flags); \
		return OPEN(path, REAL(name)(folder, path, flags)); \
	}

DEFINE_OPEN(open)
DEFINE_OPENAT(openat)
DEFINE_CREAT(creat, mode_t, mode)
#ifdef __GLIBC__
DEFINE_OPEN(open64)
DEFINE_OPENAT(openat64)
DEFINE_CREAT(creat64, mode_t, mode)
DEFINE_CREAT(__open_2, int, flags)
DEFINE_CREAT(__open64_2, int, flags)
DEFINE_OPENAT_2(__openat_2)
DEFINE_OPENAT_2(__openat64_2)
#endif

/* ---- Closing --------------------------------------------------------------------------------- */

/* Another thread may get the same number as soon as the descriptor is closed. */
static void closing(int fd, const void *site)
{
	int error = errno;

	names_forget(fd, fd);
	Close_Stamp(fd, site);
	errno = error;
}

WRAP_EXPORT int close(int fd)
{
	if (!QUIET())
		closing(fd, WRAP_SITE);
	return REAL(close)(fd);
}

static void stream_closing(FILE *file, const void *site)
{
	int fd = stream_descriptor(file);

	if (fd >= 0)
		closing(fd, site);
}

WRAP_EXPORT int fclose(FILE *file)
{
	if (!QUIET())
		stream_closing(file, WRAP_SITE);
	return REAL(fclose)(file);
}

WRAP_EXPORT int closedir(DIR *folder)
{
	DIR *volatile given = folder; /* NULL is an error, not undefined as the header has it */

	if (!QUIET() && given)
		closing(dirfd(folder), WRAP_SITE);
	return REAL(closedir)(folder);
}

WRAP_EXPORT int close_range(unsigned int first, unsigned int last, int flags)
{
	if (!QUIET())
		names_forget(descriptor_bound(first), descriptor_bound(last));
	return REAL(close_range)(first, last, flags);
}

WRAP_EXPORT void closefrom(int first)
{
	if (!QUIET())
		names_forget(first < 0 ? 0 : first, INT_MAX);
	REAL(closefrom)(first);
}

WRAP_EXPORT int dup2(int from, int to)
{
	if (!QUIET() && from != to)
		names_forget(to, to);
	return REAL(dup2)(from, to);
}

WRAP_EXPORT int dup3(int from, int to, int flags)
{
	if (!QUIET())
		names_forget(to, to);
	return REAL(dup3)(from, to, flags);
}

WRAP_EXPORT void sync(void)
{
	uint64_t since;

	if (QUIET()) {
		REAL(sync)();
		return;
	}
	SyncBegin_Stamp(-1, WRAP_SITE);
	since = call_since(CALL_Sync, -1);
	REAL(sync)();
	SyncEnd_StampAt(call_ended(CALL_Sync, -1, since, 0, WRAP_SITE), -1, 0);
}
