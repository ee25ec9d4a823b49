/*
 * Tails: the mapped memory that takes the events of a thread, and what of it other threads may
 * read. A tail is a file, or a part of one, that begins with a header of one page
 * (doc/log-format.md).
 */
#ifndef GLIMPSE_RUNTIME_TAIL_H
#define GLIMPSE_RUNTIME_TAIL_H

#include "runtime/aio.h"
#include "runtime/glimpse.h"
#include "runtime/process.h"
#include <stdbool.h>

#define GL_TAIL_SMALL (64u << 10) /* records of the tail that a thread begins with */
#define GL_TAIL_LARGE ((1u << 20) - GLIMPSE_TAIL_START) /* of the one that a busy thread gets */
#define GL_STAGING (1u << 20)   /* after a large tail; both fill one large page */
#define GL_TAIL_FREE UINT32_MAX /* thread number of a tail that no thread has */

enum tail_kind { TAIL_SMALL, TAIL_LARGE, TAIL_RING, TAIL_KINDS };

/* Why events were lost, as the note LOST says. */
enum loss_reason { LOSS_DISK = 1, LOSS_LIMIT = 2, LOSS_RING = 3, LOSS_MEMORY = 4 };

/* Content of the staging buffer. */
struct staged_records {
	uint64_t base; /* position in the log of its first byte */
	uint64_t used; /* bytes that the log's file may not have yet; 0: none */
};

/* The header: first the fields of the format, then those of the runtime alone. */
struct tail {
	struct glimpse_tail hot;
	uint32_t stride;  /* first tail of a file: bytes from one tail to the next */
	uint32_t staging; /* offset of the staging buffer from the records; 0: it has none */
	struct staged_records pending;
	uint64_t reach;  /* with a staging buffer: the log has at least this size */
	uint64_t origin; /* address of the first record, from which hot.at counts */
	uint32_t block;  /* bytes of a block, in a ring; else 0 */
	/* ---- */
	uint64_t upper;         /* upper bits of the newest TIME record; UINT64_MAX: none */
	uint64_t retry;         /* upper bits of the time at which to try the disk again */
	uint64_t sequence;      /* of a ring's newest block */
	uint64_t extended;      /* position up to which the log's file has blocks */
	uint64_t extend_retry;  /* position from which blocks are asked for again */
	struct aio_write write; /* from the staging buffer */
	uint32_t appended;      /* times that the tail was appended to its log */
	uint32_t grow_at;       /* value of appended at which to try to get a large tail */
	uint32_t granted;       /* bytes taken of the budget and not used */
	bool created;           /* the log's file exists */
	bool direct_fails;      /* writes past the page cache are not tried again */
	enum tail_kind kind;
	uint32_t place;       /* in its file */
	int tid;              /* the operating system's number of its thread */
	struct tail *file;    /* first tail of its file */
	struct tail *free;    /* next free tail of its kind */
	struct tail *moved;   /* the large tail that replaced this one, which is unused since */
	struct tail *former;  /* the small tail that this one replaced */
	struct file_mark log; /* of the log's file, once that is created */
	/* In the first tail of a file: */
	uint32_t index;         /* K of tail.K */
	uint32_t places, taken; /* tails that fit; those that ever had a thread */
	size_t span;            /* bytes mapped */
	struct tail *next;      /* first tail of the next file */
	struct file_mark mark;  /* of tail.K */
	char path[GL_PATH_MAX]; /* of the log */
};

static inline unsigned char *gl_tail_records(const struct tail *t)
{
	return (unsigned char *)t + GLIMPSE_TAIL_START;
}

/* Sets the address from which the head counts, once the tail is mapped. */
static inline void gl_tail_place(struct tail *t)
{
	t->origin = t->hot.at = (uint64_t)(uintptr_t)gl_tail_records(t);
}

/* Returns how many bytes of records the tail has; any thread may ask. */
static inline uint32_t gl_tail_head(const struct tail *t)
{
	return (uint32_t)(__atomic_load_n(&t->hot.at, __ATOMIC_ACQUIRE) - t->origin);
}

static inline void gl_tail_head_set(struct tail *t, uint32_t head)
{
	__atomic_store_n(&t->hot.at, t->origin + head, __ATOMIC_RELEASE);
}

/* Publishes a record of `size` bytes that was written at the head. */
static inline void gl_tail_advance(struct tail *t, uint32_t size)
{
	__atomic_store_n(&t->hot.at, t->hot.at + size, __ATOMIC_RELEASE);
}

/* Sets where the head has to stop: at most hot.size. */
static inline void gl_tail_limit_set(struct tail *t, uint32_t limit)
{
	t->hot.end = t->origin + limit;
}

/* Returns the address of the next record. */
static inline unsigned char *gl_tail_next(const struct tail *t)
{
	return (unsigned char *)(uintptr_t)t->hot.at;
}

/* Returns whether the tail has room for `need` more bytes. */
static inline bool gl_tail_has(const struct tail *t, uint32_t need)
{
	return t->hot.at + need <= t->hot.end;
}

/*
 * Begins a log in a tail whose path is set. The log's file ends at `base`, and the tail already
 * holds `held` bytes of the log.
 */
void gl_tail_reset(struct tail *t, uint32_t level, uint64_t base, uint32_t held);
/* Makes the tail the one of a thread for readers, or of no thread with GL_TAIL_FREE. */
void gl_tail_publish(struct tail *t, uint32_t thread);

/* The part of a log that a tail holds, as another thread sees it. */
struct tail_view {
	uint64_t base; /* position in the log of the records */
	uint32_t size; /* bytes of records */
	struct staged_records pending;
};

/* Returns the present view of a tail. */
struct tail_view gl_tail_view(const struct tail *t);
/* Returns whether bytes copied between the two views are those of the first view. */
bool gl_tail_unchanged(const struct tail_view *before, const struct tail_view *after);

#endif
