/*
 * Tails: the mapped files that take the events, one for each thread at a time. A full tail is
 * appended to its log with one write(2), so its pages stay warm. Everything here runs inside a
 * guard or, where it says so, under the busy mark of the tail.
 */
#ifndef GLIMPSE_RUNTIME_TAIL_H
#define GLIMPSE_RUNTIME_TAIL_H

#include "runtime/glimpse.h"
#include "runtime/process.h"
#include <stdbool.h>

#define GL_TAIL_SMALL (64u << 10)       /* what a thread begins with */
#define GL_TAIL_LARGE (1u << 20)        /* what a busy one grows to; mapped from the start */
#define GL_TAIL_FREE UINT32_MAX         /* the thread number of a tail without one */

/* Why events were lost, as in the note LOST. */
enum loss { LOSS_DISK = 1, LOSS_LIMIT = 2, LOSS_RING = 3, LOSS_MEMORY = 4 };

/* The header page: what is in the format, then the runtime's own. */
struct tail {
	struct glimpse_tail hot;
	uint32_t index;         /* K of tail.K */
	uint32_t appended;      /* how many times */
	uint64_t upper;         /* as hot.upper, also when that never matches */
	uint64_t retry;         /* value of upper from which to try the disk again */
	uint64_t sequence;      /* of a ring's newest block */
	uint64_t extended;      /* up to where the log has blocks */
	uint32_t granted;       /* what it took of gl_keep_take() and has not used */
	struct tail *next;      /* of all */
	struct tail *free;      /* of those without a thread */
	char path[GL_PATH_MAX]; /* of the log */
};

/*
 * A tail for a new log whose file ends at `base`: a free one, or a new one. NULL with errno.
 * Under the lock. The caller fills in path, then calls gl_tail_begin_log().
 */
struct tail *gl_tail_take(void);
void gl_tail_begin_log(struct tail *t, uint32_t thread, uint32_t level, uint64_t base);

/*
 * Appends what the tail holds and gives it back; it stays where it is when it cannot be appended.
 * Under the lock.
 */
void gl_tail_give(struct tail *t);

/*
 * Opens an event, with the busy mark set, which is cleared again when there is no place for it.
 * In a child that was forked by a handler of the event the tail is empty memory, and the event
 * goes nowhere.
 */
struct glimpse_slot gl_tail_begin(struct tail *t, uint32_t id, uint32_t size);

/* Appends the records to the log. False when it is not possible now. */
bool gl_tail_append(struct tail *t);

/*
 * Makes room for a note of `size` bytes and returns where it goes; NULL: none. Then
 * gl_tail_advance().
 */
unsigned char *gl_tail_room(struct tail *t, uint32_t size);
void gl_tail_advance(struct tail *t, uint32_t size);

/* Makes sure that the tail's file has blocks for so many bytes of records. */
bool gl_tail_reserve(const struct tail *t, uint32_t size);
/* Bytes of address space that each tail takes. */
size_t gl_tail_span(void);

/* Removes the files of the free tails, at the end of the process. Under the lock. */
void gl_tail_remove_free(void);

#endif
