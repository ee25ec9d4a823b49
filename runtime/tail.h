/*
 * Tails: the mapped memory that takes the events, one for each thread at a time. A full tail is
 * written to its log, so its pages stay warm. Everything here runs inside a guard or, where it
 * says so, under the busy mark of the tail.
 */
#ifndef GLIMPSE_RUNTIME_TAIL_H
#define GLIMPSE_RUNTIME_TAIL_H

#include "runtime/direct.h"
#include "runtime/glimpse.h"
#include "runtime/process.h"
#include <stdbool.h>

#define GL_TAIL_SMALL (64u << 10)       /* what a thread begins with */
#define GL_TAIL_LARGE ((1u << 20) - GLIMPSE_TAIL_START) /* what a busy one gets */
#define GL_SHUTTLE (1u << 20)           /* behind that; all together make one large page */
#define GL_TAIL_FREE UINT32_MAX         /* the thread number of a tail without one */

enum tail_kind { TAIL_SMALL, TAIL_LARGE, TAIL_RING, TAIL_KINDS };

/* Why events were lost, as in the note LOST. */
enum loss { LOSS_DISK = 1, LOSS_LIMIT = 2, LOSS_RING = 3, LOSS_MEMORY = 4 };

/* What a shuttle holds. */
struct pending {
	uint64_t base;          /* where its first byte belongs in the log */
	uint64_t used;          /* bytes that may not be in the log's file yet; 0: none */
};

/* The header page: what is in the format, then the runtime's own. */
struct tail {
	struct glimpse_tail hot;
	uint32_t stride;        /* of the first tail in a file of several: from one to the next */
	uint32_t shuttle;       /* where it stands, counted from the records; 0: there is none */
	struct pending pending;
	uint64_t reach;         /* with a shuttle: the log ends here at least */
	uint64_t origin;        /* address of the first record in memory, from which hot.at counts */
	uint32_t block;         /* of a ring; 0: none */
	/* ---- */
	uint64_t upper;         /* as hot.since, also when that is never */
	uint64_t retry;         /* value of upper from which to try the disk again */
	uint64_t sequence;      /* of a ring's newest block */
	uint64_t extended;      /* up to where the log has room */
	uint64_t extend_retry;  /* from where on to ask for room again */
	struct flight flight;
	uint32_t appended;      /* how many times */
	uint32_t grow_at;       /* when to try to get a large one */
	uint32_t granted;       /* what it took of gl_keep_take() and has not used */
	bool created;           /* the log's file */
	bool direct_fails;
	enum tail_kind kind;
	uint32_t slot;          /* its place in its file */
	struct tail *file;      /* the first in its file */
	struct tail *free;      /* the next without a thread */
	struct tail *moved;     /* the large tail that took its place: this one is of no use */
	struct tail *former;    /* the small one whose place it took */
	/* Of the first in a file: */
	uint32_t index;         /* K of tail.K */
	uint32_t slots, taken;  /* tails in the file; those that ever had a thread */
	size_t span;            /* bytes mapped */
	struct tail *next;      /* file */
	char path[GL_PATH_MAX]; /* of the log */
};

/* It is mapped here. */
static inline void gl_tail_place(struct tail *t)
{
	t->origin = t->hot.at = (uint64_t)(uintptr_t)t + GLIMPSE_TAIL_START;
}

/* Bytes of records, which other threads may ask for. */
static inline uint32_t gl_tail_head(const struct tail *t)
{
	return (uint32_t)(__atomic_load_n(&t->hot.at, __ATOMIC_ACQUIRE) - t->origin);
}

static inline void gl_tail_head_set(struct tail *t, uint32_t head)
{
	__atomic_store_n(&t->hot.at, t->origin + head, __ATOMIC_RELEASE);
}

/* Where the head has to stop: at most hot.size. */
static inline void gl_tail_limit_set(struct tail *t, uint32_t limit)
{
	t->hot.end = t->origin + limit;
}

static inline unsigned char *gl_tail_next(const struct tail *t)
{
	return (unsigned char *)(uintptr_t)t->hot.at;
}

static inline bool gl_tail_has(const struct tail *t, uint32_t need)
{
	return t->hot.at + need <= t->hot.end;
}

/*
 * Begins a log whose file ends at `base` and of which the tail holds `held` bytes already; the
 * path was filled in. Then gl_tail_publish() makes it that thread's for readers.
 */
void gl_tail_begin_log(struct tail *t, uint32_t level, uint64_t base, uint32_t held);
void gl_tail_publish(struct tail *t, uint32_t thread);

/*
 * Appends what the tail holds and gives it back; it stays where it is when it cannot be appended.
 * Under the lock.
 */
void gl_tail_give(struct tail *t);

/*
 * Empties it for an event of `need` bytes. The tail to go on with, perhaps a large one; NULL: there
 * is no room.
 */
struct tail *gl_tail_empty(struct tail *t, uint32_t need);

/*
 * Opens an event, with the busy mark set, which is cleared again when there is no place for it.
 * In a child that was forked by a handler of the event the tail is empty memory, and the event
 * goes nowhere.
 */
struct glimpse_slot gl_tail_begin(struct tail *t, uint32_t id, uint32_t size);

/* Writes to the tail's log, whose file is created when there is none yet. False with errno. */
bool gl_tail_write(struct tail *t, const void *from, uint32_t size, uint64_t base);
/* Gets room for what the log will have at these positions, and makes it reach there. */
bool gl_tail_extend(struct tail *t, uint64_t from, uint64_t to);

/*
 * Makes room for a note of `size` bytes and returns where it goes; NULL: none. Then
 * gl_tail_advance().
 */
unsigned char *gl_tail_room(struct tail *t, uint32_t size);
void gl_tail_advance(struct tail *t, uint32_t size);

/* What of its log a tail holds, as another thread sees it. */
struct tail_view {
	uint64_t base;                  /* the log's position of its records */
	uint32_t size;                  /* bytes of them */
	struct pending pending;
};

struct tail_view gl_tail_view(const struct tail *t);
/* Whether bytes that were copied between the two are what the first says. */
bool gl_tail_unchanged(const struct tail_view *before, const struct tail_view *after);

#endif
