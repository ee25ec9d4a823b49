#include "runtime/ring.h"
#include "runtime/file.h"
#include "runtime/note_record.h"
#include "runtime/pool.h"
#include "runtime/retention.h"
#include "runtime/warning.h"
#include <errno.h>
#include <fcntl.h>

#define COPY_TRIES 1000
#define RING_STEP (2u << 20) /* a large page */

struct block {
	uint64_t sequence;
	uint32_t used; /* bytes of the block, with this head */
	uint32_t events;
};

static struct block *ring_block(const struct tail *t, uint32_t k)
{
	return (struct block *)(gl_tail_records(t) + (size_t)k * t->block);
}

static uint32_t ring_blocks(const struct tail *t)
{
	return __atomic_load_n(&t->hot.size, __ATOMIC_ACQUIRE) / t->block;
}

static uint32_t ring_current(const struct tail *t)
{
	return (gl_tail_head(t) - (uint32_t)sizeof(struct block)) / t->block;
}

/* A block's sequence is 0 while the block changes; the ring's sequence follows last. */
static void block_begin(struct tail *t, uint32_t k)
{
	struct block *b = ring_block(t, k);

	__atomic_exchange_n(&b->sequence, 0, __ATOMIC_ACQ_REL); /* before what follows */
	__atomic_store_n(&b->used, (uint32_t)sizeof *b, __ATOMIC_RELAXED);
	b->events = 0;
	t->hot.events = 0;
	gl_tail_limit_set(t, (k + 1) * t->block);
	t->hot.since = GLIMPSE_NEVER;
	t->upper = UINT64_MAX;
	gl_tail_head_set(t, k * t->block + (uint32_t)sizeof *b);
	__atomic_store_n(&b->sequence, t->sequence + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&t->sequence, t->sequence + 1, __ATOMIC_RELEASE);
}

static void ring_block_end(struct tail *t)
{
	uint32_t k = ring_current(t);
	struct block *b = ring_block(t, k);

	b->events = t->hot.events;
	__atomic_store_n(&b->used, gl_tail_head(t) - k * t->block, __ATOMIC_RELEASE);
}

/* Clears the blocks of a log that has ended. */
static void blocks_clear(struct tail *t)
{
	for (uint32_t k = 0; k < ring_blocks(t); k++) {
		ring_block(t, k)->sequence = 0;
		ring_block(t, k)->events = 0;
	}
}

void gl_ring_begin(struct tail *t, uint32_t level, uint64_t base)
{
	gl_tail_reset(t, level, base, 0);
	t->block = gl_retention()->block;
	blocks_clear(t);
	t->hot.size = GL_TAIL_SMALL;
	t->sequence = 0;
	t->hot.why = LOSS_RING;
	block_begin(t, 0);
}

/* Enlarges the ring by whole blocks. Returns false if it has its size, or there is no room. */
static bool ring_grow(struct tail *t)
{
	uint32_t left = gl_retention()->ring - t->hot.size;
	uint32_t taken = gl_budget_take(left < RING_STEP ? left : RING_STEP);
	uint32_t step = taken - taken % t->block;

	gl_budget_return(taken - step);
	if (!step)
		return false;
	if (!gl_pool_reserve(t, t->hot.size + step)) {
		gl_budget_return(step);
		return false;
	}
	__atomic_store_n(&t->hot.size, t->hot.size + step, __ATOMIC_RELEASE);
	t->granted += step;
	return true;
}

bool gl_ring_turn(struct tail *t, uint32_t need)
{
	uint32_t next = ring_current(t) + 1;

	if (need > t->block - sizeof(struct block))
		return false;
	ring_block_end(t);
	if (next >= ring_blocks(t) && !ring_grow(t))
		next = 0;
	__atomic_store_n(&t->hot.lost, t->hot.lost + ring_block(t, next)->events, __ATOMIC_RELAXED);
	block_begin(t, next);
	return true;
}

bool gl_ring_note(struct tail *t, const void *note, uint32_t size)
{
	int fd = gl_file_open(t->path, O_WRONLY, &t->log);
	bool done = fd >= 0 && gl_file_write(fd, note, size, t->hot.base);

	if (fd >= 0)
		gl_file_close(fd);
	if (done)
		__atomic_store_n(&t->hot.base, t->hot.base + size, __ATOMIC_RELEASE);
	return done;
}

/* Returns how many bytes of records a block has. */
static uint32_t block_size(const struct tail *t, uint32_t k)
{
	const struct block *b = ring_block(t, k);
	uint64_t head = gl_tail_head(t);
	uint64_t from = (uint64_t)k * t->block + sizeof *b;

	if (head >= from && head <= (uint64_t)(k + 1) * t->block)
		return (uint32_t)(head - from);
	return __atomic_load_n(&b->used, __ATOMIC_ACQUIRE) - (uint32_t)sizeof *b;
}

/* Begins the copy (again) at `start`, with a note of the events that are not in the ring. */
static bool copy_begin(const struct tail *t, int fd, uint64_t start, uint64_t *offset)
{
	*offset = start;
	return gl_note_write_lost(t, fd, offset);
}

/*
 * Copies the blocks after the current one, the oldest first, up to the block that is the newest
 * now. When a block is overwritten before it is copied, the copy begins again after that block, so
 * that it has no gap. *whole says whether the newest block was reached.
 */
static bool blocks_copy(const struct tail *t, int fd, uint64_t *offset, bool *whole)
{
	uint64_t start = *offset, newest = __atomic_load_n(&t->sequence, __ATOMIC_ACQUIRE);
	uint32_t k = ring_current(t), blocks = ring_blocks(t);

	*whole = false;
	if (!copy_begin(t, fd, start, offset))
		return false;
	for (uint32_t i = 0; i < blocks && !*whole; i++) {
		const struct block *b = ring_block(t, k = (k + 1) % blocks);
		uint64_t sequence = __atomic_load_n(&b->sequence, __ATOMIC_ACQUIRE);
		uint32_t size = block_size(t, k);

		if (sequence && !gl_file_write_live(fd, b + 1, size, *offset))
			return false;
		if (sequence && sequence <= newest &&
		    __atomic_load_n(&b->sequence, __ATOMIC_RELAXED) == sequence)
			*offset += size;
		else if (!copy_begin(t, fd, start, offset))
			return false;
		*whole = sequence == newest;
	}
	return true;
}

bool gl_ring_copy(const struct tail *t, int fd, uint64_t *offset)
{
	uint64_t start = *offset;
	bool whole = false;

	for (int i = 0; i < COPY_TRIES && !whole; i++) {
		*offset = start;
		if (!blocks_copy(t, fd, offset, &whole))
			return false;
	}
	if (!whole)
		errno = EAGAIN;
	return whole;
}

static bool ring_append(struct tail *t)
{
	unsigned char end[GL_NOTE_HEAD_SIZE];
	uint64_t offset = t->hot.base, size;
	int fd = gl_file_open(t->path, O_WRONLY, &t->log);
	bool done;

	if (fd < 0)
		return false;
	gl_note_put(end, NOTE_END, NULL, 0);
	done = gl_ring_copy(t, fd, &offset) && gl_file_write(fd, end, sizeof end, offset);
	gl_file_close(fd);
	if (!done)
		return false;
	size = offset - t->hot.base; /* of the budget, the log keeps that much */
	t->granted -= size < t->granted ? (uint32_t)size : t->granted;
	return true;
}

/* Notes the lost events in the log's file; they stay counted if that fails. */
static void ring_note_lost(struct tail *t)
{
	unsigned char note[GL_NOTE_LOST_SIZE];

	gl_note_put_lost(note, t->hot.lost, t->hot.why);
	if (gl_ring_note(t, note, sizeof note))
		__atomic_store_n(&t->hot.lost, 0, __ATOMIC_RELEASE);
}

/*
 * Readers take the log's file up to `base` and then the ring, until the tail is no longer the
 * thread's. That is one store (gl_pool_give), so that a process that dies here leaves neither a
 * gap nor records that are there twice.
 */
bool gl_ring_finish(struct tail *t)
{
	ring_block_end(t);
	if (t->hot.lost)
		ring_note_lost(t);
	if (t->hot.lost || !ring_append(t)) {
		gl_warning_print(WARNING_APPEND, "cannot append to", t->path, errno,
				 "its newest events stay in a file beside it");
		return false;
	}
	return true;
}
