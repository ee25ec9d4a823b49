#include "runtime/tail.h"
#include "runtime/fault.h"
#include "runtime/file.h"
#include "runtime/guard.h"
#include "runtime/keep.h"
#include "runtime/note.h"
#include "runtime/ring.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TAIL_MAGIC UINT64_C(0x474c494d50534554)
#define RETRY_UPPER 16u         /* about 8 ms at 2 GHz */
#define EXTEND_MOST (32u << 20)
#define TIME_ID 1u
#define TIME_SIZE 8u

_Static_assert(sizeof(struct tail) <= GLIMPSE_TAIL_START, "the header is one page");

static unsigned char *tail_records(struct tail *t)
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
	uint32_t keep = tail_keep(t, room);

	gl_keep_return(t->granted);
	t->granted = gl_keep_take(keep);
	t->hot.limit = t->granted;
}

size_t gl_tail_span(void)
{
	uint32_t ring = gl_keep()->ring;

	return GLIMPSE_TAIL_START + (size_t)(ring > GL_TAIL_LARGE ? ring : GL_TAIL_LARGE);
}

/* Creates and maps tail.K, leaving a page of address space for each that it may grow to. */
static struct tail *tail_create(void)
{
	struct tail *t = MAP_FAILED;
	int fd = gl_file_create(gl_process_path("tail.", gl_process.next_tail));

	if (fd < 0)
		return NULL;
	if (gl_file_reserve(fd, GLIMPSE_TAIL_START + GL_TAIL_SMALL))
		t = mmap(NULL, gl_tail_span(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	gl_file_close(fd);
	if (t == MAP_FAILED) {
		int error = errno;

		unlink(gl_process.path);
		errno = error;
		return NULL;
	}
	t->index = gl_process.next_tail++;
	t->hot.version = 1;
	t->hot.start = GLIMPSE_TAIL_START;
	t->hot.size = GL_TAIL_SMALL;
	t->hot.thread = GL_TAIL_FREE;
	t->next = gl_process.tails;
	gl_process.tails = t;
	__atomic_store_n(&t->hot.magic, TAIL_MAGIC, __ATOMIC_RELEASE);
	return t;
}

struct tail *gl_tail_take(void)
{
	struct tail *t = gl_process.free;

	if (!t)
		return tail_create();
	gl_process.free = t->free;
	return t;
}

void gl_tail_begin_log(struct tail *t, uint32_t thread, uint32_t level, uint64_t base)
{
	t->hot.base = base;
	t->hot.level = level;
	t->hot.upper = t->upper = UINT64_MAX;
	t->hot.busy = 0;
	t->hot.lost = 0;
	t->retry = 0;
	t->appended = 0;
	t->hot.events = 0;
	t->granted = 0;
	t->extended = 0;
	if (gl_keep()->ring)
		gl_ring_begin(t);
	else
		tail_limit(t);
	__atomic_store_n(&t->hot.thread, thread, __ATOMIC_RELEASE);
}

/*
 * The head goes back before the base moves on. A process that dies in between leaves an empty
 * tail that belongs to a place which the log's file has already; the other way round its records
 * would be there twice.
 */
static void tail_appended(struct tail *t)
{
	uint32_t head = (uint32_t)t->hot.head;
	uint64_t base = t->hot.base + head;

	__atomic_store_n(&t->hot.head, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&t->hot.base, base, __ATOMIC_RELEASE);
	t->granted -= head < t->granted ? head : t->granted;
	t->hot.events = 0;
	t->appended++;
}

/*
 * A log that grows gets its blocks an eighth of its size ahead, at most 32 MiB: a write into them
 * costs two thirds of one that has to ask for each page. What is left over is given back when the
 * log ends (tail_finish).
 */
static void log_extend(struct tail *t, int fd)
{
	uint64_t end = t->hot.base + t->hot.head, step = end / 8;

	if (end <= t->extended || t->hot.size < GL_TAIL_LARGE)
		return;
	step = step < GL_TAIL_LARGE ? GL_TAIL_LARGE : step > EXTEND_MOST ? EXTEND_MOST : step;
	gl_file_extend(fd, t->hot.base, (size_t)(end - t->hot.base + step));
	t->extended = end + step;       /* also when that failed: it is tried again only there */
}

static bool tail_write(struct tail *t)
{
	int fd = gl_file_open(t->path, O_WRONLY);
	bool done;

	if (fd < 0)
		return false;
	log_extend(t, fd);
	done = gl_file_write(fd, tail_records(t), t->hot.head, t->hot.base);
	gl_file_close(fd);
	return done;
}

bool gl_tail_append(struct tail *t)
{
	if (!t->hot.head)
		return true;
	if (!tail_write(t)) {
		__atomic_store_n(&t->hot.why, LOSS_DISK, __ATOMIC_RELAXED);
		gl_fault(FAULT_APPEND, "cannot append to", t->path, errno,
			 "events that find no place are counted in the log");
		return false;
	}
	tail_appended(t);
	return true;
}

bool gl_tail_reserve(const struct tail *t, uint32_t size)
{
	bool done;
	int fd;

	gl_process_lock();
	fd = gl_file_open(gl_process_path("tail.", t->index), O_RDWR);
	gl_process_unlock();
	if (fd < 0)
		return false;
	done = gl_file_reserve(fd, GLIMPSE_TAIL_START + (size_t)size);
	gl_file_close(fd);
	return done;
}

/* A busy thread gets more room; where the disk has none it goes on with what it has. */
static void tail_grow(struct tail *t)
{
	if (t->hot.size == GL_TAIL_LARGE || !gl_tail_reserve(t, GL_TAIL_LARGE))
		return;
	t->hot.size = GL_TAIL_LARGE;
	tail_limit(t);
}

static bool tail_has(const struct tail *t, uint32_t need)
{
	return t->hot.head + need <= t->hot.limit;
}

static bool tail_flush(struct tail *t)
{
	uint32_t end = tail_end(t);

	if (t->hot.head + GL_NOTE_PAD_SIZE <= end && tail_keep(t, end) == end)
		gl_note_pad(t, end);
	if (!gl_tail_append(t))
		return false;
	tail_limit(t);
	return true;
}

/*
 * Empties the tail for an event of `need` bytes; twice when the first time only leads to a
 * multiple of its size.
 */
static bool tail_empty(struct tail *t, uint32_t need)
{
	if (!tail_flush(t))
		return false;
	if (t->appended > 1 || need > GL_TAIL_SMALL / 2)
		tail_grow(t);
	if (!tail_has(t, need) && tail_keep(t, t->hot.size) == t->hot.size && !tail_flush(t))
		return false;
	if (t->hot.lost && tail_has(t, need + GL_NOTE_LOST_SIZE))
		gl_note_lost(t);
	if (tail_has(t, need))
		return true;
	__atomic_store_n(&t->hot.why,
			 tail_keep(t, need) < need || t->granted < need ? LOSS_LIMIT : LOSS_MEMORY,
			 __ATOMIC_RELAXED);
	return false;
}

/* Whether there is room after all; asked again only after a while when there was none. */
static bool tail_try(struct tail *t, uint32_t need, uint64_t upper)
{
	struct guard g;
	bool room;

	if (upper < t->retry || !gl_guard_enter(&g))
		return false;
	room = t->hot.block ? gl_ring_turn(t, need) : tail_empty(t, need);
	t->retry = room ? 0 : upper + RETRY_UPPER;
	gl_guard_leave(&g);
	return room;
}

static void time_put(struct tail *t, uint64_t upper)
{
	unsigned char *at = tail_records(t) + t->hot.head;

	glimpse_put32(at, TIME_ID | (uint32_t)(upper >> 32) << GLIMPSE_ID_BITS);
	glimpse_put32(at + 4, (uint32_t)upper);
	t->upper = upper;
	if (gl_clock_inline())
		t->hot.upper = upper;
	gl_tail_advance(t, TIME_SIZE);
}

/* In a ring the tail's count is of events that were overwritten. */
static struct glimpse_slot event_lost(struct tail *t)
{
	if (t->hot.block)
		gl_process_dropped(1);
	else
		__atomic_store_n(&t->hot.lost, t->hot.lost + 1, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&t->hot.busy, 0u, __ATOMIC_RELAXED);
	return (struct glimpse_slot){ NULL, &t->hot };
}

struct glimpse_slot gl_tail_begin(struct tail *t, uint32_t id, uint32_t size)
{
	uint64_t ticks = gl_clock_ticks(), upper = ticks >> GLIMPSE_TICK_BITS;
	uint32_t need = upper == t->upper ? size : TIME_SIZE + size;
	unsigned char *at;

	if (!t->hot.magic || (!tail_has(t, need) && !tail_try(t, size + TIME_SIZE, upper)))
		return event_lost(t);
	if (upper != t->upper)
		time_put(t, upper);
	gl_process_clock(ticks, false);
	at = tail_records(t) + t->hot.head;
	glimpse_put32(at, id | (uint32_t)ticks << GLIMPSE_ID_BITS);
	return (struct glimpse_slot){ at, &t->hot };
}

unsigned char *gl_tail_room(struct tail *t, uint32_t size)
{
	if (t->hot.head + size > t->hot.size && !gl_tail_append(t))
		return NULL;
	return tail_records(t) + t->hot.head;
}

void gl_tail_advance(struct tail *t, uint32_t size)
{
	__atomic_store_n(&t->hot.head, t->hot.head + size, __ATOMIC_RELEASE);
}

static bool tail_finish(struct tail *t)
{
	if (t->hot.block)
		return gl_ring_finish(t);
	if (t->hot.lost && gl_tail_append(t))
		gl_note_lost(t);
	gl_note(t, NOTE_END, NULL, 0);
	if (!gl_tail_append(t) || t->hot.lost)
		return false;
	return t->extended <= t->hot.base || truncate(t->path, (off_t)t->hot.base) == 0;
}

void gl_tail_give(struct tail *t)
{
	if (!tail_finish(t))
		return;
	__atomic_store_n(&t->hot.thread, GL_TAIL_FREE, __ATOMIC_RELEASE);
	gl_keep_return(t->granted);
	t->hot.head = 0;
	t->free = gl_process.free;
	gl_process.free = t;
}

void gl_tail_remove_free(void)
{
	for (struct tail *t = gl_process.free; t; t = t->free)
		unlink(gl_process_path("tail.", t->index));
	gl_process.free = NULL;
}
