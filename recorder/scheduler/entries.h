/* Holds what is to be logged of one thread until the end of each of its waits is known. */
#ifndef GLIMPSE_RECORDER_SCHEDULER_ENTRIES_H
#define GLIMPSE_RECORDER_SCHEDULER_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum entry_kind {
	ENTRY_STARTED, /* a: thread that made it */
	ENTRY_EXECUTED,
	ENTRY_IN,  /* a: processor; b: it was ready before, since `from` */
	ENTRY_OUT, /* a: processor */
	ENTRY_BLOCKS,
	ENTRY_READIED, /* a: enum basis */
	/* b: number of the wake-up that may have ended it, at `caused`; 0: none */
	ENTRY_WAIT,     /* it was blocked, then perhaps ready, from `from` to the time */
	ENTRY_SHARED,   /* a: waits that got parts of one run delay */
	ENTRY_MIGRATED, /* a, b: processors */
	ENTRY_EXITED,
	ENTRY_STILL_BLOCKED,
	ENTRY_WAKES,       /* a: number of the wake-up, b: thread */
	ENTRY_WOKEN,       /* a: number of the wake-up */
	ENTRY_THREAD_ENDS, /* the same, of what its end may wake */
	ENTRY_LOST,        /* a: records */
	ENTRY_FUTEX,       /* since `from` it is blocked in a wait on a futex */
	ENTRY_KERNEL,      /* the wait that begins is in the kernel; a: where (kernel_waits.h) */
	/* the wait that begins is for a lock inside the C library: inner */
	ENTRY_INNER,
	/* Events of threads.spec; a: the process. */
	ENTRY_FORKS,
	ENTRY_BEGINS,
	ENTRY_EXECS,
	ENTRY_IMAGE,
	ENTRY_ENDS /* b: its parent */
};

/* From what it is known since when a thread is ready; scheduler.spec explains each. */
enum basis {
	BASIS_STARTED,
	BASIS_PREEMPTED,
	BASIS_WAKER,
	BASIS_SCHEDSTAT,
	BASIS_SHARED,
	BASIS_UNKNOWN,
	BASIS_LOST,
	BASIS_END
};

struct scheduler_entry {
	int64_t time;
	union {
		struct {
			int64_t from, caused;
		};
		struct {
			uint64_t word, code;
		} inner; /* a: the stack */
	};
	enum entry_kind kind;
	uint32_t a, b;
	bool outside; /* of ENTRY_WAIT and ENTRY_READIED: no thread of the program ended it */
	bool by_end;  /* of these: the wake-up is a thread's end */
};

struct entries {
	struct scheduler_entry *at;
	size_t n, room;
	size_t waits; /* how many entries are of kind ENTRY_WAIT */
	size_t ins;   /* how many of kind ENTRY_IN may be moved */
};

void entry_add(struct entries *e, enum entry_kind kind, int64_t time, uint32_t a, uint32_t b);
/* Adds a wait without knowing when the thread could go on. */
void entry_add_wait(struct entries *e, int64_t from, int64_t to);
/* Adds that the thread is blocked since `from` in a wait on a futex. */
void entry_add_futex(struct entries *e, int64_t from, int64_t time);
/* Adds that the wait which begins is for a lock inside the C library. */
void entry_add_inner(struct entries *e, int64_t time, uint64_t word, uint64_t code, uint32_t stack);
/*
 * Says that a thread's event at `caused` may have ended the wait that was added last: it did if the
 * thread turns out to have been ready since then.
 */
void entry_cause(struct entries *e, int64_t caused, uint32_t wakeup);
/* The same of a thread's end. */
void entry_cause_end(struct entries *e, int64_t ended, uint32_t wakeup);
/* Says that no thread of the program ended the wait that was added last. */
void entry_outside(struct entries *e);
/* Adds that the thread runs; since `from` it was ready or blocked, and nobody had the processor. */
void entry_add_in(struct entries *e, int64_t from, int64_t time, uint32_t processor,
		  uint32_t ready);
/*
 * Moves each time at which the thread began to run to an earlier one, by `each` ns or as far as
 * there is room. Returns the sum in ns, and adds to *ready the part in which the thread had been
 * ready. Once only.
 */
int64_t entries_lengthen(struct entries *e, int64_t each, int64_t *ready);
/*
 * Returns how much each span of that kind, from `from` to the time, gets at most if in sum they are
 * to get `sum` ns: an equal part, as far as it is long enough. 0 if sum is negative.
 */
int64_t entries_share(const struct entries *e, enum entry_kind kind, int64_t sum);
/*
 * Parts all waits into blocked and ready: ready is, in sum, the time in ns; each wait has an equal
 * part of that, as far as it is long enough. Adds which waits these are, if there are several.
 * Returns what is left: ns for which they have no room, or that is negative; all if there are no
 * waits.
 */
int64_t entries_resolve(struct entries *e, int64_t ready);
/* The same, if nothing is known: the thread was blocked all the time. */
void entries_resolve_unknown(struct entries *e);
/* Logs all entries as events of the log that is selected; program: what the thread executed. */
void entries_log(const struct entries *e, const char *program);
void entries_free(struct entries *e);

#endif
