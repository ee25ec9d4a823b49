#include "runtime/append.h"
#include "runtime/container.h"
#include "runtime/file.h"
#include "runtime/note_record.h"
#include "runtime/pool.h"
#include "runtime/retention.h"
#include "runtime/system.h"
#include "runtime/thread_tails.h"
#include "runtime/warning.h"
#include <errno.h>
#include <fcntl.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define DIRECT_FROM (UINT64_C(1) << 20) /* smaller logs stay in the page cache for their readers */
#define AHEAD_MOST (UINT64_C(32) << 20)

/* ---- The log's file -------------------------------------------------------------------------- */

static int log_file_open(struct tail *t)
{
	int flags = t->created ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL;
	int fd = gl_file_open(t->path, flags, &t->log);

	t->created |= fd >= 0;
	return fd;
}

static bool log_file_write(struct tail *t, const void *from, uint32_t size, uint64_t base)
{
	int fd = log_file_open(t);
	bool done;

	if (fd < 0)
		return false;
	done = gl_file_write(fd, from, size, base);
	gl_file_close(fd);
	return done;
}

/* Cuts off what the file was given ahead. */
static bool append_file_cut(struct tail *t)
{
	int fd = log_file_open(t);
	bool done;

	if (fd < 0)
		return false;
	done = system_ftruncate(fd, (off_t)t->hot.base) == 0;
	gl_file_close(fd);
	return done;
}

/* Gives the file blocks for a part of the log, and makes the file end at least there. */
static bool log_file_extend(struct tail *t, uint64_t from, uint64_t to)
{
	int fd = log_file_open(t);
	bool done;

	if (fd < 0)
		return false;
	done = gl_file_extend(fd, from, (size_t)(to - from));
	gl_file_close(fd);
	return done;
}

/* ---- The staging buffer ---------------------------------------------------------------------- */

static unsigned char *staging_bytes(struct tail *t)
{
	return gl_tail_records(t) + t->staging;
}

/* Returns whether the buffer may be filled. What the disk refused is written once more. */
static bool staging_free(struct tail *t)
{
	enum aio_state state;

	if (!t->pending.used)
		return true;
	state = gl_aio_state(&t->write);
	if (state == AIO_UNDER_WAY)
		return false;
	if (state == AIO_FAILED) {
		t->direct_fails = true;
		if (!log_file_write(t, staging_bytes(t), t->write.size, t->pending.base))
			return false;
	}
	__atomic_store_n(&t->pending.used, 0, __ATOMIC_RELEASE);
	return true;
}

/*
 * Extends the log's file ahead, by an eighth of its size, so that a direct write neither asks for
 * blocks nor moves the end of the file: it would have to wait for either. The rest is given back
 * when the log ends.
 */
static bool staging_extend(struct tail *t, uint64_t begin, uint64_t end)
{
	uint64_t most = gl_retention()->most, step = end / 8, ahead;

	if (end <= t->extended)
		return true;
	if (end < t->extend_retry)
		return false;
	step = step < t->staging ? t->staging : step > AHEAD_MOST ? AHEAD_MOST : step;
	ahead = most - end < step ? most : end + step;
	if (log_file_extend(t, begin, ahead)) {
		t->extended = ahead;
		return true;
	}
	t->extend_retry = end + step;
	return false;
}

/*
 * The device reads the buffer's cache lines from this processor's cache. Stores that bypass the
 * caches do not wait until these lines are back; a tail that was written from directly would, and
 * its events cost up to twice as much.
 */
static void staging_fill(unsigned char *to, const unsigned char *from, size_t size)
{
#ifdef __SSE2__
	for (size_t i = 0; i < size; i += 16)
		_mm_stream_si128((__m128i *)(to + i), _mm_load_si128((const __m128i *)(from + i)));
	_mm_sfence();
#else
	memcpy(to, from, size);
#endif
}

/*
 * Begins to write the first `size` bytes of the tail from the staging buffer. Returns false if
 * they must be written otherwise.
 */
static bool staging_write(struct tail *t, uint32_t size)
{
	uint64_t base = t->hot.base;

	if (!t->staging || t->direct_fails || base < DIRECT_FROM || base % GL_AIO_ALIGN ||
	    size % GL_AIO_ALIGN)
		return false;
	/* A write whose result is not known may still be reading the buffer. */
	if (!staging_free(t) || !gl_aio_possible() || !staging_extend(t, base, base + size))
		return false;
	__atomic_exchange_n(&t->pending.base, base, __ATOMIC_ACQ_REL); /* before what follows */
	staging_fill(staging_bytes(t), gl_tail_records(t), size);
	__atomic_store_n(&t->pending.used, size, __ATOMIC_RELEASE);
	t->write.size = size;
	if (gl_aio_write(&t->write, t->path, &t->log, staging_bytes(t), base))
		return true;
	__atomic_store_n(&t->pending.used, 0, __ATOMIC_RELEASE);
	return false;
}

/* ---- The room of a tail ---------------------------------------------------------------------- */

/*
 * Returns where the records have to end that the next write appends: at a multiple of the tail's
 * size in the log. The page cache takes such writes in large pieces, which costs two thirds of
 * other writes.
 */
static uint32_t room_end(const struct tail *t)
{
	return t->hot.size - (uint32_t)(t->hot.base % t->hot.size);
}

/* Returns how many of `bytes` the log may still get. */
static uint32_t room_retained(const struct tail *t, uint32_t bytes)
{
	uint64_t most = gl_retention()->most, left = most > t->hot.base ? most - t->hot.base : 0;

	return left < bytes ? (uint32_t)left : bytes;
}

static void room_set(struct tail *t)
{
	uint32_t end = room_end(t);
	uint32_t room = end < 2 * GL_NOTE_HEAD_SIZE ? 0 : end - GL_NOTE_HEAD_SIZE;

	gl_budget_return(t->granted);
	t->granted = gl_budget_take(room_retained(t, room));
	gl_tail_limit_set(t, t->granted);
}

void gl_append_begin(struct tail *t, uint32_t level, uint64_t base, uint32_t held)
{
	gl_tail_reset(t, level, base, held);
	if (t->kind == TAIL_LARGE) {
		t->pending.base = base;
		t->staging = GL_TAIL_LARGE;
	}
	room_set(t);
}

/* ---- Appending ------------------------------------------------------------------------------- */

/*
 * The head goes back before the base moves on: a process that dies in between leaves an empty tail
 * at a position that the log's file has already. The other way round its records would be there
 * twice. `reach` says how far the log goes where the file's size does not.
 */
static void tail_empty(struct tail *t, uint32_t size)
{
	uint64_t base = t->hot.base + size;

	__atomic_store_n(&t->reach, base, __ATOMIC_RELEASE);
	gl_tail_head_set(t, 0);
	__atomic_store_n(&t->hot.base, base, __ATOMIC_RELEASE);
	t->granted -= size < t->granted ? size : t->granted;
	t->hot.events = 0;
	t->appended++;
	room_set(t);
}

/* Appends all that the tail holds. */
static bool tail_append(struct tail *t)
{
	uint32_t size = gl_tail_head(t);

	if (!size)
		return true;
	if (!staging_write(t, size) && !log_file_write(t, gl_tail_records(t), size, t->hot.base)) {
		__atomic_store_n(&t->hot.why, LOSS_DISK, __ATOMIC_RELAXED);
		gl_warning_print(WARNING_APPEND, "cannot append to", t->path, errno,
				 "events that do not fit are counted in the log");
		return false;
	}
	tail_empty(t, size);
	return true;
}

/* Appends all, and pads it to where a write is cheap if the log may have that much. */
static bool tail_flush(struct tail *t)
{
	uint32_t head = gl_tail_head(t), end = room_end(t);
	bool whole = room_retained(t, end) == end && t->granted + 2 * GL_NOTE_HEAD_SIZE >= end;

	if (whole && head + GL_NOTE_HEAD_SIZE <= end) {
		gl_note_put_pad(gl_tail_records(t) + head, end - head);
		gl_tail_advance(t, end - head);
	}
	return tail_append(t);
}

/*
 * Moves the thread to a large tail. The small one stays the thread's until its log ends, unused: a
 * handler may have moved the thread just when an event was about to take the small tail. The
 * log's file has all that the small tail held, and both say so until the small one is free. Under
 * the lock.
 */
static void tail_move(struct tail *t, struct tail *large)
{
	strcpy(large->path, t->path);
	large->log = t->log;
	large->tid = t->tid;
	gl_append_begin(large, t->hot.level, t->hot.base, 0);
	large->hot.busy = t->hot.busy;
	large->hot.lost = t->hot.lost;
	large->hot.why = t->hot.why;
	large->hot.since = t->hot.since;
	large->upper = t->upper;
	large->appended = t->appended;
	large->former = t;
	gl_tail_publish(large, t->hot.thread);
	gl_budget_return(t->granted);
	t->granted = 0;
	gl_tail_limit_set(t, 0);
	t->hot.since = GLIMPSE_NEVER;
	t->moved = large;
	gl_tail_publish(t, GL_TAIL_FREE);
	gl_thread_tails_replace(t, large);
	glimpse_mark(&t->hot, 0);
}

/* Gives a busy thread a large tail; it keeps the small one if the disk has no room. */
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

static void tail_note_lost(struct tail *t)
{
	unsigned char note[GL_NOTE_LOST_SIZE];

	gl_note_put_lost(note, t->hot.lost, t->hot.why);
	if (gl_append_note(t, note, sizeof note))
		__atomic_store_n(&t->hot.lost, 0, __ATOMIC_RELEASE);
}

/* Flushes twice if the first time only fills up to a multiple of the tail's size. */
struct tail *gl_append_make_room(struct tail *t, uint32_t need)
{
	if (!tail_flush(t))
		return NULL;
	if (t->kind == TAIL_SMALL && (t->appended >= t->grow_at || need > GL_TAIL_SMALL / 2))
		t = tail_grow(t);
	if (!gl_tail_has(t, need) && room_retained(t, t->hot.size) == t->hot.size && !tail_flush(t))
		return NULL;
	if (t->hot.lost && gl_tail_has(t, need + GL_NOTE_LOST_SIZE))
		tail_note_lost(t);
	if (gl_tail_has(t, need))
		return t;
	__atomic_store_n(&t->hot.why,
			 room_retained(t, need) < need || t->granted < need ? LOSS_LIMIT
									    : LOSS_MEMORY,
			 __ATOMIC_RELAXED);
	return NULL;
}

bool gl_append_note(struct tail *t, const void *note, uint32_t size)
{
	if (gl_tail_head(t) + size > t->hot.size && !tail_append(t))
		return false;
	memcpy(gl_tail_next(t), note, size);
	gl_tail_advance(t, size);
	return true;
}

/*
 * Returns whether the log has no file, and the tail has room for the notes at the end of the log.
 */
static bool tail_can_pool(const struct tail *t)
{
	return gl_container_wanted() && !t->created &&
	       gl_tail_head(t) + GL_NOTE_LOST_SIZE + GL_NOTE_HEAD_SIZE <= t->hot.size;
}

/* Puts the log, of which the tail has all, into the container. */
static bool tail_pool(struct tail *t)
{
	uint32_t size = gl_tail_head(t);

	if (!gl_container_put(t))
		return false;
	t->granted -= size < t->granted ? size : t->granted;
	return true;
}

/* A log that the container does not take gets a file of its own. */
bool gl_append_finish(struct tail *t)
{
	unsigned char end[GL_NOTE_HEAD_SIZE];
	bool pool = tail_can_pool(t);

	if (t->hot.lost && (pool || tail_append(t)))
		tail_note_lost(t);
	gl_note_put(end, NOTE_END, NULL, 0);
	gl_append_note(t, end, sizeof end);
	if (pool && tail_pool(t))
		return true;
	if (!tail_append(t) || t->hot.lost)
		return false;
	gl_aio_wait(&t->write);
	if (!staging_free(t))
		return false;
	return t->extended <= t->hot.base || append_file_cut(t);
}
