/*
 * Waits for the disk and for descriptors, and what ends them. A call that need not wait costs two
 * looks at the clock, and for files not even these. A wait is logged when it is over: what it was
 * is known only then, and nothing is left behind by a jump or by cancellation.
 *
 * The probe io logs the same calls: beside it, the wrappers pass them on, and it tells of them.
 */
#include "probes/descriptor_waits.h"
#include "probes/threads/channels.h"
#include "probes/threads/long_wait.h"
#include "probes/threads/threads.h"
#include <limits.h>

/* ---- The functions that are next in line ----------------------------------------------------- */

static struct {
#define BYTES(kind, type, name, parameters, arguments, fd, asked, after) __typeof__(&name) name;
#define PLAIN(kind, type, name, parameters, arguments, fd, after) __typeof__(&name) name;
#define POLL(name, parameters, arguments, fd, count, what) __typeof__(&name) name;
#define OPENS(name)
#define OTHER(name) __typeof__(&name) name;
#include "probes/io/entries.h"
#undef BYTES
#undef PLAIN
#undef POLL
#undef OPENS
#undef OTHER
} next;

#define NEXT(name) WRAP_REAL(next.name, #name, NULL)

/* The linker finds it before any constructor runs: dlsym() would leave an error. */
extern const char glimpse_probe_io __attribute__((weak));

static bool told; /* the probe io is loaded, and tells of the calls */

__attribute__((constructor(101))) static void descriptors_load(void)
{
#define BYTES(kind, type, name, parameters, arguments, fd, asked, after) NEXT(name);
#define PLAIN(kind, type, name, parameters, arguments, fd, after) NEXT(name);
#define POLL(name, parameters, arguments, fd, count, what) NEXT(name);
#define OPENS(name)
#define OTHER(name) NEXT(name);
#include "probes/io/entries.h"
#undef BYTES
#undef PLAIN
#undef POLL
#undef OPENS
#undef OTHER
	told = &glimpse_probe_io;
}

/* ---- What is logged -------------------------------------------------------------------------- */

/* Whether a wrapper of a call passes it on. */
#define PASSED() (QUIET() || told)
#define OUTCOME(result, error) ((result) < 0 ? -(int64_t)(error) : (int64_t)(result))

static void disk_log(int fd, uint64_t since, uint64_t now, int64_t outcome, const void *site)
{
	DiskBegin_StampAt(since, fd, site);
	wait_stack(since);
	DiskEnd_StampAt(now, fd, outcome);
}

/* WAIT_SERVES: a server waits for its clients. WAIT_POLLS: nothing is taken out of the channel. */
enum { WAIT_SERVES = 1, WAIT_POLLS = 2 };

static void input_log(uint64_t key, unsigned how, uint64_t since, uint64_t now, int64_t outcome,
		      const void *site)
{
	bool request = how & WAIT_SERVES;
	uint32_t polled = (how & WAIT_POLLS) != 0;

	if (request)
		RequestBegin_StampAt(since, (const void *)key, site);
	else
		InputBegin_StampAt(since, (const void *)key, site);
	wait_stack(since);
	if (request)
		RequestEnd_StampAt(now, (const void *)key, outcome, since, polled);
	else
		InputEnd_StampAt(now, (const void *)key, outcome, since, polled);
	if (outcome == -EINTR)
		wait_interrupted(since, now);
	child_may_wake(since, now, outcome == -EINTR);
}

static void output_log(uint64_t key, uint64_t since, uint64_t now, int64_t outcome,
		       const void *site)
{
	OutputBegin_StampAt(since, (const void *)key, site);
	wait_stack(since);
	OutputEnd_StampAt(now, (const void *)key, outcome, since);
}

/* A long call of a descriptor. Returns what that is. */
static struct channel long_call(int fd, bool *waits)
{
	struct channel c = channel_again(fd, waits);

	if (c.kind <= CHANNEL_FILE)
		*waits = false;
	return c;
}

uint64_t descriptor_read(int fd, uint64_t since, int64_t outcome, const void *site)
{
	uint64_t now = glimpse_now();
	struct channel c = channel_of(fd);
	bool waited = false;

	if (is_long_wait(since, now)) {
		c = long_call(fd, &waited);
		if (waited && c.kind == CHANNEL_DISK)
			disk_log(fd, since, now, outcome, site);
		else if (waited)
			input_log(c.own, channel_serves(c.kind) ? WAIT_SERVES : 0, since, now,
				  outcome, site);
	}
	if (waited && outcome == 0)
		child_may_wake(since, now, true);
	if (outcome > 0 && c.peer)
		ChannelEmptied_StampAt(waited ? now : since, (const void *)c.own, site, now,
				       waited);
	return now;
}

static uint64_t done_Accept(int fd, uint64_t since, int64_t outcome, const void *site)
{
	uint64_t now = descriptor_read(fd, since, outcome, site);

	if (outcome >= 0)
		channel_accepted((int)outcome);
	return now;
}

/* What was written is there from the start of the call on, as far as others can tell. */
uint64_t descriptor_written(int fd, uint64_t since, int64_t outcome, const void *site)
{
	uint64_t now = glimpse_now();
	struct channel c = channel_of(fd);
	bool waited = false;

	if (is_long_wait(since, now))
		c = long_call(fd, &waited);
	if (outcome > 0 && c.peer)
		ChannelFilled_StampAt(since, (const void *)c.peer, site, now);
	if (waited && c.kind == CHANNEL_DISK)
		disk_log(fd, since, now, outcome, site);
	else if (waited)
		output_log(c.peer, since, now, outcome, site);
	return now;
}

static uint64_t done_Sync(int fd, uint64_t since, int64_t outcome, const void *site)
{
	uint64_t now = glimpse_now();

	if (is_long_wait(since, now))
		disk_log(fd, since, now, outcome, site);
	return now;
}

static uint64_t done_Connect(int fd, uint64_t since, int64_t outcome, const void *site)
{
	uint64_t now = glimpse_now(), listener;
	bool waited;

	channel_again(fd, &waited);
	/* A connection of the machine itself is often there already. */
	listener = outcome < 0 && outcome != -EINPROGRESS ? 0 : channel_listener(fd);
	if (listener)
		ChannelFilled_StampAt(since, (const void *)listener, site, now);
	if (waited && is_long_wait(since, now))
		output_log(listener, since, now, outcome, site);
	return now;
}

/* Whether a server waits there, if that does not follow from the descriptor that is ready. */
static bool polled_serves(const struct polled *p)
{
	for (nfds_t i = 0; p->fds && i < p->n; i++)
		if (p->fds[i].fd >= 0 && channel_serves(channel_kind_of(p->fds[i].fd)))
			return true;
	return p->epoll >= 0 && channel_serves(channel_kind_of(p->epoll));
}

static void polled(const struct polled *what, int first, uint64_t since, uint64_t now,
		   int64_t outcome, const void *site)
{
	enum channel_kind kind;
	uint64_t key = 0;
	bool serves;

	if (!is_long_wait(since, now))
		return;
	if (outcome > 0 && what->events)
		first = channel_watched_by(what->epoll, what->events->data.u64);
	kind = channel_kind_of(first);
	if (kind > CHANNEL_FILE)
		key = channel_of(first).own;
	serves = kind >= CHANNEL_PIPE ? channel_serves(kind)
				      : (outcome >= 0 || outcome == -EINTR) && polled_serves(what);
	input_log(key, WAIT_POLLS | (serves ? WAIT_SERVES : 0), since, now, outcome, site);
}

static inline bool may_wait(enum descriptor_call call, int fd)
{
	return call == CALL_Sync || call == CALL_Connect || channel_kind_of(fd) > CHANNEL_FILE;
}

static inline uint64_t called(enum descriptor_call call, int fd, uint64_t since, int64_t outcome,
			      const void *site)
{
	switch (call) {
	case CALL_Read:
	case CALL_Receive:
		return descriptor_read(fd, since, outcome, site);
	case CALL_Write:
	case CALL_Send:
		return descriptor_written(fd, since, outcome, site);
	case CALL_Sync:
		return done_Sync(fd, since, outcome, site);
	case CALL_Connect:
		return done_Connect(fd, since, outcome, site);
	default:
		return done_Accept(fd, since, outcome, site);
	}
}

/* The probe io finds it. */
extern const struct descriptor_waits glimpse_descriptor_waits;
WRAP_EXPORT const struct descriptor_waits glimpse_descriptor_waits = {may_wait, called, polled};

/* ---- The functions --------------------------------------------------------------------------- */

#define CALL(kind, type, name, parameters, arguments, fd) \
	WRAP_EXPORT type name parameters \
	{ \
		uint64_t since; \
		type result; \
		int error; \
\
		if (PASSED() || !may_wait(CALL_##kind, fd)) \
			return NEXT(name) arguments; \
		since = glimpse_now(); \
		result = NEXT(name) arguments; \
		error = errno; \
		called(CALL_##kind, fd, since, OUTCOME(result, error), WRAP_SITE); \
		errno = error; \
		return result; \
	}
#define BYTES(kind, type, name, parameters, arguments, fd, asked, after) \
	CALL(kind, type, name, parameters, arguments, fd)
#define PLAIN(kind, type, name, parameters, arguments, fd, after) \
	CALL(kind, type, name, parameters, arguments, fd)
#define POLL(name, parameters, arguments, ready, count, what) \
	WRAP_EXPORT int name parameters \
	{ \
		uint64_t since, now; \
		int result, error; \
\
		if (PASSED()) \
			return NEXT(name) arguments; \
		since = glimpse_now(); \
		result = NEXT(name) arguments; \
		now = glimpse_now(); \
		if (!is_long_wait(since, now)) \
			return result; \
		error = errno; \
		polled(what, result > 0 ? (int)(ready) : -1, since, now, OUTCOME(result, error), \
		       WRAP_SITE); \
		errno = error; \
		return result; \
	}
#define OPENS(name)
#define OTHER(name)
#include "probes/io/entries.h"

WRAP_EXPORT void sync(void)
{
	uint64_t since;

	if (PASSED()) {
		NEXT(sync)();
		return;
	}
	since = glimpse_now();
	NEXT(sync)();
	done_Sync(-1, since, 0, WRAP_SITE);
}

/* ---- Closing --------------------------------------------------------------------------------- */

/* Another thread may get the same number as soon as the descriptor is closed. */
static void closing(int fd, const void *site)
{
	int error = errno;
	struct channel c = channel_of(fd);

	channels_forget(fd, fd);
	if (c.kind >= CHANNEL_PIPE && c.peer)
		ChannelClosed_Stamp((const void *)c.peer, site);
	errno = error;
}

WRAP_EXPORT int close(int fd)
{
	if (!QUIET())
		closing(fd, WRAP_SITE);
	return NEXT(close)(fd);
}

void stream_closes(FILE *file, const void *site)
{
	int fd = stream_descriptor(file);

	if (fd < 0)
		return;
	stream_ends(file, site);
	closing(fd, site);
}

WRAP_EXPORT int fclose(FILE *file)
{
	if (!QUIET())
		stream_closes(file, WRAP_SITE);
	return NEXT(fclose)(file);
}

WRAP_EXPORT int closedir(DIR *folder)
{
	DIR *volatile given = folder; /* NULL is an error, not undefined as the header has it */

	if (!QUIET() && given)
		closing(dirfd(folder), WRAP_SITE);
	return NEXT(closedir)(folder);
}

WRAP_EXPORT int close_range(unsigned int first, unsigned int last, int flags)
{
	if (!QUIET())
		channels_forget(descriptor_bound(first), descriptor_bound(last));
	return NEXT(close_range)(first, last, flags);
}

WRAP_EXPORT void closefrom(int first)
{
	if (!QUIET())
		channels_forget(first < 0 ? 0 : first, INT_MAX);
	NEXT(closefrom)(first);
}

/* `to` was `was` until the call put another descriptor there. */
static void replaced(int to, const struct channel *was, uint64_t since, const void *site)
{
	int error = errno;

	channels_forget(to, to);
	if (was->kind >= CHANNEL_PIPE && was->peer)
		ChannelClosed_StampAt(since, (const void *)was->peer, site);
	errno = error;
}

WRAP_EXPORT int dup2(int from, int to)
{
	struct channel was;
	uint64_t since;
	int result;

	if (QUIET() || from == to)
		return NEXT(dup2)(from, to);
	since = glimpse_now();
	was = channel_of(to);
	result = NEXT(dup2)(from, to);
	if (result >= 0)
		replaced(to, &was, since, WRAP_SITE);
	return result;
}

WRAP_EXPORT int dup3(int from, int to, int flags)
{
	struct channel was;
	uint64_t since;
	int result;

	if (QUIET())
		return NEXT(dup3)(from, to, flags);
	since = glimpse_now();
	was = channel_of(to);
	result = NEXT(dup3)(from, to, flags);
	if (result >= 0)
		replaced(to, &was, since, WRAP_SITE);
	return result;
}

/* The other end comes to the end of its input as if the descriptor were closed. */
WRAP_EXPORT int shutdown(int fd, int how)
{
	struct channel c;
	uint64_t since;
	int result, error;

	if (QUIET() || how == SHUT_RD || channel_kind_of(fd) < CHANNEL_PIPE)
		return REAL(shutdown)(fd, how);
	c = channel_of(fd);
	since = glimpse_now();
	result = REAL(shutdown)(fd, how);
	error = errno;
	if (!result && c.peer)
		ChannelClosed_StampAt(since, (const void *)c.peer, WRAP_SITE);
	errno = error;
	return result;
}

/* ---- What belongs together ------------------------------------------------------------------- */

WRAP_EXPORT int socketpair(int domain, int type, int protocol, int ends[2])
{
	int result = REAL(socketpair)(domain, type, protocol, ends), error = errno;

	if (!result && !QUIET())
		channels_pair(ends);
	errno = error;
	return result;
}

WRAP_EXPORT int epoll_ctl(int epoll, int what, int fd, struct epoll_event *event)
{
	int result = REAL(epoll_ctl)(epoll, what, fd, event);

	if (!result && what != EPOLL_CTL_DEL && !QUIET())
		channel_watched(epoll, event->data.u64, fd);
	return result;
}
