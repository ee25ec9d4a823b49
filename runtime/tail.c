#include "runtime/tail.h"
#include "runtime/fault.h"
#include "runtime/file.h"
#include "runtime/keep.h"
#include "runtime/note.h"
#include "runtime/pool.h"
#include "runtime/ring.h"
#include "runtime/shuttle.h"
#include "runtime/thread.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct tail) <= GLIMPSE_TAIL_START, "the header is one page");
_Static_assert(offsetof(struct tail, stride) == 80, "doc/log-format.md");
_Static_assert(offsetof(struct tail, pending) == 88, "doc/log-format.md");
_Static_assert(offsetof(struct tail, block) == 120, "doc/log-format.md");

static unsigned char *tail_records(const struct tail *t)
{
	return (unsigned char *)t + GLIMPSE_TAIL_START;
}

/*
 * Where the records end that go to the log with the next write: at a multiple of the tail's size
 * in the log. Such writes take the page cache in large pieces and cost two thirds of others.
 */
static uint32_t tail_end(const struct tail *t)
{
	return t->hot.size - (uint32_t)(t->hot.base % t->hot.size);
}

/* How much of `room` the log may still have. */
static uint32_t tail_keep(const struct tail *t, uint32_t room)
{
	uint64_t most = gl_keep()->most, left = most > t->hot.base ? most - t->hot.base : 0;

	return left < room ? (uint32_t)left : room;
}

static void tail_limit(struct tail *t)
{
	uint32_t end = tail_end(t), room = end < 2 * GL_NOTE_PAD_SIZE ? 0 : end - GL_NOTE_PAD_SIZE;

	gl_keep_return(t->granted);
	t->granted = gl_keep_take(tail_keep(t, room));
	gl_tail_limit_set(t, t->granted);
}

void gl_tail_begin_log(struct tail *t, uint32_t level, uint64_t base, uint32_t held)
{
	t->hot.base = base;
	gl_tail_head_set(t, held);
	t->hot.level = level;
	t->hot.since = GLIMPSE_NEVER;
	t->upper = UINT64_MAX;
	t->hot.busy = 0;
	t->hot.lost = 0;
	t->hot.events = 0;
	t->reach = base;
	t->pending.used = 0;
	t->retry = t->extended = t->extend_retry = 0;
	t->appended = t->granted = 0;
	t->grow_at = 2;
	t->created = held == 0;
	t->direct_fails = false;
	t->moved = t->former = NULL;
	if (t->kind == TAIL_LARGE)
		gl_shuttle_begin(t, GL_TAIL_LARGE);
	if (t->kind == TAIL_RING)
		gl_ring_begin(t);
	else
		tail_limit(t);
}

void gl_tail_publish(struct tail *t, uint32_t thread)
{
	__atomic_store_n(&t->hot.thread, thread, __ATOMIC_RELEASE);
}

static int log_open(struct tail *t)
{
	int fd = gl_file_open(t->path, t->created ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL);

	t->created |= fd >= 0;
	return fd;
}

bool gl_tail_write(struct tail *t, const void *from, uint32_t size, uint64_t base)
{
	int fd = log_open(t);
	bool done;

	if (fd < 0)
		return false;
	done = gl_file_write(fd, from, size, base);
	gl_file_close(fd);
	return done;
}

bool gl_tail_extend(struct tail *t, uint64_t from, uint64_t to)
{
	int fd = log_open(t);
	bool done;

	if (fd < 0)
		return false;
	done = gl_file_extend(fd, from, (size_t)(to - from));
	gl_file_close(fd);
	return done;
}

/*
 * The head goes back before the base moves on. A process that dies in between leaves an empty
 * tail that belongs to a place which the log's file has already; the other way round its records
 * would be there twice. `reach` says so where the file's size does not.
 */
static void tail_emptied(struct tail *t, uint32_t size)
{
	uint64_t base = t->hot.base + size;

	__atomic_store_n(&t->reach, base, __ATOMIC_RELEASE);
	gl_tail_head_set(t, 0);
	__atomic_store_n(&t->hot.base, base, __ATOMIC_RELEASE);
	t->granted -= size < t->granted ? size : t->granted;
	t->hot.events = 0;
	t->appended++;
	tail_limit(t);
}

/* Sends all that it holds to the log. */
static bool tail_append(struct tail *t)
{
	uint32_t size = gl_tail_head(t);

	if (!size)
		return true;
	if (!gl_shuttle_send(t, size) && !gl_tail_write(t, tail_records(t), size, t->hot.base)) {
		__atomic_store_n(&t->hot.why, LOSS_DISK, __ATOMIC_RELAXED);
		gl_fault(FAULT_APPEND, "cannot append to", t->path, errno,
			 "events that find no place are counted in the log");
		return false;
	}
	tail_emptied(t, size);
	return true;
}

/* Appends as much as makes the log end where a write is cheap, if it may have that much. */
static bool tail_flush(struct tail *t)
{
	uint32_t end = tail_end(t);
	bool whole = tail_keep(t, end) == end && t->granted + 2 * GL_NOTE_PAD_SIZE >= end;

	if (whole && gl_tail_head(t) + GL_NOTE_PAD_SIZE <= end)
		gl_note_pad(t, end);
	return tail_append(t);
}

/*
 * The thread goes on in a large tail. This one stays its own, of no use, until it ends: a handler
 * may have moved the thread just when an event was about to take it. The log's file has all that
 * it held, and both say so until it is free. Under the lock.
 */
static void tail_move(struct tail *t, struct tail *large)
{
	strcpy(large->path, t->path);
	gl_tail_begin_log(large, t->hot.level, t->hot.base, 0);
	large->hot.busy = 1;
	large->hot.lost = t->hot.lost;
	large->hot.why = t->hot.why;
	large->hot.since = t->hot.since;
	large->upper = t->upper;
	large->appended = t->appended;
	large->former = t;
	gl_tail_publish(large, t->hot.thread);
	gl_keep_return(t->granted);
	t->granted = 0;
	gl_tail_limit_set(t, 0);
	t->hot.since = GLIMPSE_NEVER;
	t->moved = large;
	gl_tail_publish(t, GL_TAIL_FREE);
	gl_thread_moved(t, large);
	glimpse_mark(&t->hot, 0);
}

/* A busy thread gets more room; where the disk has none it goes on with what it has. */
static struct tail *tail_grow(struct tail *t)
{
	struct tail *large;

	gl_process_lock();
	large = gl_pool_take(TAIL_LARGE);
	if (large)
		tail_move(t, large);
	else
		t->grow_at = 2 * t->appended;
	gl_process_unlock();
	return large ? large : t;
}

/* Twice when the first time only leads to a multiple of its size. */
struct tail *gl_tail_empty(struct tail *t, uint32_t need)
{
	if (!tail_flush(t))
		return NULL;
	if (t->kind == TAIL_SMALL && (t->appended >= t->grow_at || need > GL_TAIL_SMALL / 2))
		t = tail_grow(t);
	if (!gl_tail_has(t, need) && tail_keep(t, t->hot.size) == t->hot.size && !tail_flush(t))
		return NULL;
	if (t->hot.lost && gl_tail_has(t, need + GL_NOTE_LOST_SIZE))
		gl_note_lost(t);
	if (gl_tail_has(t, need))
		return t;
	__atomic_store_n(&t->hot.why,
			 tail_keep(t, need) < need || t->granted < need ? LOSS_LIMIT : LOSS_MEMORY,
			 __ATOMIC_RELAXED);
	return NULL;
}

unsigned char *gl_tail_room(struct tail *t, uint32_t size)
{
	if (gl_tail_head(t) + size > t->hot.size && !tail_append(t))
		return NULL;
	return gl_tail_next(t);
}

void gl_tail_advance(struct tail *t, uint32_t size)
{
	__atomic_store_n(&t->hot.at, t->hot.at + size, __ATOMIC_RELEASE);
}

static bool tail_finish(struct tail *t)
{
	if (t->block)
		return gl_ring_finish(t);
	if (t->hot.lost && tail_append(t))
		gl_note_lost(t);
	gl_note(t, NOTE_END, NULL, 0);
	if (!tail_append(t) || t->hot.lost || !gl_shuttle_settle(t))
		return false;
	return t->extended <= t->hot.base || truncate(t->path, (off_t)t->hot.base) == 0;
}

void gl_tail_give(struct tail *t)
{
	bool finished = tail_finish(t);

	if (t->former)
		gl_pool_give(t->former);
	if (!finished)
		return;
	gl_keep_return(t->granted);
	gl_pool_give(t);
}

struct tail_view gl_tail_view(const struct tail *t)
{
	struct tail_view v = {
		.base = __atomic_load_n(&t->hot.base, __ATOMIC_ACQUIRE),
		.size = gl_tail_head(t),
	};
	uint64_t reach = __atomic_load_n(&t->reach, __ATOMIC_ACQUIRE);

	if (v.base + v.size < reach) {
		v.base = reach;
		v.size = 0;
	}
	v.pending.used = __atomic_load_n(&t->pending.used, __ATOMIC_ACQUIRE);
	v.pending.base = __atomic_load_n(&t->pending.base, __ATOMIC_ACQUIRE);
	return v;
}

bool gl_tail_unchanged(const struct tail_view *before, const struct tail_view *after)
{
	return before->base == after->base && before->size <= after->size &&
	       (!before->pending.used || before->pending.base == after->pending.base);
}
