/*
 * Represents a recorded run as what each thread does, without times: it computes, acquires and
 * releases locks, waits for other threads and wakes them. Waiting for a lock is not an operation:
 * it results from the replay.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_OPERATIONS_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_OPERATIONS_H

#include "analysis/replay/changes/device.h"
#include "analysis/replay/changes/lock_plan.h"
#include "analysis/replay/changes/speeds.h"
#include "analysis/replay/reasons/wait_parts.h"
#include "analysis/replay/recorded/model.h"

struct hand_out;

enum operation_kind {
	OPERATION_TAKE,    /* what: the lock */
	OPERATION_RELEASE, /* what: the lock */
	OPERATION_POST,    /* what: the post, for which others wait */
	OPERATION_WAIT,    /* what: the post */
	OPERATION_MEET,    /* what: the meeting, which opens when all have come */
	OPERATION_DELAY,   /* for `time`: a timer, a device, or what is not known */
	/* the same, but not once it has been posted. what: the post, which the thread polls for */
	OPERATION_POLL,
	/* the next operation, if it is a wait for a post, ends after `time` from now on at most */
	OPERATION_LIMIT,
	/* as a delay, but until `time` of the run: it does not move with what comes before it */
	OPERATION_UNTIL,
	/*
	 * Between the sleeps of a thread that polls. what: the post, which the thread polls for. If
	 * time > 0, the replay skips this many operations once the post has been made. If time < 0,
	 * the thread goes back this many until then.
	 */
	OPERATION_LOOP,
	/*
	 * what: the lock. A delay, again and again until it is free. after: what each try takes
	 */
	OPERATION_TRY,
	/* as a delay, of a device or an object that may be busy with others. what: which */
	OPERATION_SERVE,
	/* what: the pool: goes on with its next piece, and comes back; at the end after it */
	OPERATION_NEXT,
	OPERATION_BACK, /* ends a piece of a pool */
	/*
	 * Others that are ready run first. time: 0, or the recorded turn if it was a slice at
	 * least: then nothing happens if the slices are longer than that, or the thread has just
	 * come back.
	 */
	OPERATION_YIELD,
	OPERATION_END,
};

#define OPERATION_SPINS UINT32_MAX

/* ns: 3 ms, as long as Linux lets a thread run before another one that is ready */
enum { DEFAULT_SLICE = 3000000 };

enum { ALL_UNKNOWN = UINT8_MAX };

/*
 * There may be as many as events, so each has 32 bytes. Its lengths have one bit more than the
 * longest ones need, so that a length that is drawn fits.
 */
struct operation {
	int64_t work : 51; /* the thread runs so long before it; at most LONGEST_WORK */
	bool shared : 1;   /* of a hold: it is a reader's */
	bool yields : 1;   /* who spins leaves its processor to others at once */
	/* the latency is of a processor that another thread left, not of an idle one */
	bool switched : 1;
	/* other programs have the processor for the latency, also if no thread left it */
	bool others : 1;
	/* ... between two turns of its computing, and the time, too: it stands for computing */
	bool lost : 1;
	/* of a delay: so much of it is unknown (analysis/graph/unknown.h), of ALL_UNKNOWN */
	uint64_t unknown : 8;
	/*
	 * From when the thread may go on until it is ready; of a delay, all of it. At most
	 * LONGEST_TIME.
	 */
	int64_t time : 52;
	uint64_t kind : 4; /* enum operation_kind */
	uint64_t core : 8; /* that the thread had after it; NO_CORE: not known */
	/*
	 * If the thread has to wait: so long it runs before it leaves its processor, at most until
	 * it may go on; and after it has one again, until it is done. ns
	 */
	/* before: OPERATION_SPINS: it keeps its processor, but lets others run after its slice */
	uint32_t before, after;
	/* from when a processor is left to it until it runs; NO_LATENCY: the usual one */
	uint32_t latency;
	uint32_t what;
};

_Static_assert(sizeof(struct operation) == 32, "many operations");

/* ns: six days, and 13; what is longer is cut, and not replayed. */
#define LONGEST_WORK (INT64_C(1) << 49)
#define LONGEST_TIME (INT64_C(1) << 50)

/* Return a length as an operation has it. */
static inline int64_t operation_work(double work)
{
	return work < (double)LONGEST_WORK ? (int64_t)(work + 0.5) : LONGEST_WORK;
}

static inline int64_t operation_time(int64_t time)
{
	return time < LONGEST_TIME ? time : LONGEST_TIME;
}

/* Whether an operation cannot be left out or done again without an effect on other threads. */
static inline bool operation_concerns_others(const struct operation *o)
{
	return o->kind != OPERATION_TAKE && o->kind != OPERATION_RELEASE &&
	       o->kind != OPERATION_DELAY && o->kind != OPERATION_YIELD &&
	       o->kind != OPERATION_LOOP && o->kind != OPERATION_TRY;
}

/* Returns how long a wait without a known cause is, but for its waiting for a processor. */
static inline int64_t operation_waited(const struct operation *o)
{
	return o->time + o->after + (o->latency == NO_LATENCY ? 0 : o->latency);
}

/* Returns how much of a wait of that length is unknown. */
static inline int64_t operation_unknown(const struct operation *o, int64_t waited)
{
	return (int64_t)((double)waited * o->unknown / ALL_UNKNOWN + 0.5);
}

/* In the recorded run, when a thread came to an operation and when it was done. */
struct operation_times {
	int64_t began, done;
};

/* A piece of work that is done by whom it is handed out to: operations up to an OPERATION_BACK. */
struct piece {
	size_t first;
	uint32_t thread;                     /* of the trace, that ran it in the recorded run */
	int64_t first_iteration, iterations; /* of a loop's chunk; iterations 0: not a loop */
};

/* Pieces that are handed out one after the other. */
struct pool {
	size_t first, end; /* of the pieces */
	const char *name;
	uint8_t kind;
};

/* A wait without a known cause. */
struct unexplained_wait {
	int64_t time;    /* of it, that the replay copies: without waiting for a processor */
	uint32_t thread; /* index in the trace's threads */
	size_t stretch;  /* of its timeline */
};

/*
 * How long threads ran in the recorded run, and waited for processors that other programs had:
 * while they computed, and after they had been woken. ns
 */
struct others_time {
	double running;
	int64_t lost, woken;
};

/* Waits that stay one after the other although the lock around them is removed: for what. */
enum apart_kind {
	APART_OBJECT,  /* for an object outside of the program */
	APART_DEVICE,  /* for a device, by guess */
	APART_UNKNOWN, /* for an unknown reason, by guess */
	NAPART_KINDS
};

struct apart_waits {
	int64_t time, longest; /* of all, and of the longest one; ns */
	/* of the longest one: of the graph's waits, and in the register, where its kind has them */
	uint32_t role, object;
};

/* Which of these waits overlap in a replay nevertheless. */
enum apart_overlap { OVERLAP_NONE, OVERLAP_GUESSED, OVERLAP_ALL };

struct operations {
	uint32_t nthreads;            /* those of the trace, unless origins says otherwise */
	VECTOR(struct operation) all; /* by thread, in their order; then those of pieces */
	size_t *first;                /* of each thread, and one more */
	/* of each thread: that of the trace which it is or copies. NULL: they are the trace's */
	uint32_t *origins;
	VECTOR(struct operation_times) times; /* of each operation, if they are asked for */
	uint32_t nlocks, nposts, ndevices;
	/* by lock: a semaphore that so many threads have at once, 0: a lock; NULL */
	uint32_t *rooms;
	/* Servers outside of the program, after the devices; each serves one thread at a time. */
	uint32_t nservers;
	struct apart_waits apart[NAPART_KINDS];
	uint32_t *members; /* of each meeting: how many come */
	uint32_t nmeetings;
	VECTOR(struct piece) pieces;
	VECTOR(struct pool) pools;
	bool *ended;      /* by the trace's thread: its process's end ends it; NULL: no thread */
	double *pace;     /* by thread: what a piece takes it, of its work. NULL: 1 */
	int64_t duration; /* of the recorded run */
	/* usual latencies of an idle processor, and of one that another thread leaves */
	int64_t wake_up, switching;
	int64_t unexplained; /* waits without a known cause */
	struct others_time others;
	int64_t spinning; /* tries without a known end: computing */
	bool cut;         /* some of them are longer than an operation can say */
	/* that waiting, if it is asked for: by thread, then time */
	VECTOR(struct unexplained_wait) waits;
};

/* How woken threads' waits for processors of other programs follow their computing: share.h. */
enum woken_rule { WOKEN_BETWEEN, WOKEN_STAYS, WOKEN_FOLLOWS };

struct operation_rules {
	const struct speeds *speeds;   /* what runs faster or slower; NULL: nothing */
	const struct lock_plan *locks; /* what becomes of locks; NULL: nothing */
	bool without_cost;             /* what it cost to record the events is taken off */
	bool device;                   /* input and output is served, not only waited for */
	const struct devices *devices; /* which requests they serve; NULL: no devices */
	enum woken_rule woken;
	enum apart_overlap overlap;
	/*
	 * By thread: its waits for work from outside end at their recorded times, or not at all if
	 * it comes later. NULL: they all keep their lengths.
	 */
	const bool *open;
	bool timed;  /* the times of the recorded run are kept, too */
	bool listed; /* the waits without a known cause are, too */
	/* items become pieces of pools; NULL: none. Not with `timed` */
	const struct hand_out *hand_out;
	/*
	 * Operations that are no longer needed, except for their sums: their memory is reused.
	 * NULL: none.
	 */
	struct operations *spent;
};

/* Returns the thread of the trace that a thread is, or copies. */
static inline uint32_t operations_thread(const struct operations *o, uint32_t thread)
{
	return o->origins ? o->origins[thread] : thread;
}

#define NO_PIECE SIZE_MAX

/* Returns the piece that an operation is in; NO_PIECE: it is in a thread's own list. */
size_t operations_piece(const struct operations *o, size_t operation);
/* Returns the trace's thread that did an operation in the recorded run. */
uint32_t operations_recorder(const struct operations *o, size_t operation);

/* Never returns NULL. */
struct operations *operations_of(struct model *m, const struct operation_rules *rules);
/* Moves the single operations, or their memory, to others that have none. The sums stay. */
void operations_pass(struct operations *from, struct operations *to);
void operations_free(struct operations *o);

#endif
