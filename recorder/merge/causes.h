/*
 * Finds the events of other threads that let blocked threads go on: the starts of intervals of kind
 * "cause". A cause that leads to the end of a wait counts only while the thread is blocked in that
 * wait:
 *
 *	main    JoinBegin(a) --blocked-------------- JoinEnd(a)  JoinBegin(b) JoinEnd(b)
 *	b                          ThreadExit(b)                              ^ its cause
 *
 * Here the exit of b says nothing of when main could go on. A cause that leads to another event,
 * such as the receipt of a message, counts for a thread that is blocked in no wait of the trace.
 * One pass finds them all, and keeps only what the waits need that were asked for.
 */
#ifndef GLIMPSE_RECORDER_MERGE_CAUSES_H
#define GLIMPSE_RECORDER_MERGE_CAUSES_H

#include "trace/trace.h"

/* A thread could not go on. Times are CLOCK_MONOTONIC. */
struct cause_wait {
	uint32_t thread;      /* its number in the trace */
	int64_t blocked, ran; /* since when, and when it ran again */
	int64_t from;         /* when it was let go on; INT64_MIN: not known */
	/* of the innermost interval of kind "wait" around it, or of the cause */
	int64_t end;
	bool ends;   /* there is such an interval */
	bool signal; /* `from` is where an interval begins that leads forwards */
	/* What the recorder knows, and what delays_settle() makes of it. */
	int64_t readied; /* since when it was ready */
	uint32_t group;  /* of waits that share a run delay; 0: of none */
};

struct causes {
	struct cause_wait *at; /* by thread, then by ran */
	size_t n, room;
	uint64_t unsure; /* waits that may have another cause, or one at all, at most */
};

/*
 * Asks for the cause of a wait, by the recorder one until `readied`; the waits of a thread must not
 * overlap. There may be millions, so they are kept where spill.h says, and are not sorted again if
 * they come by thread and `ran`.
 */
void causes_ask(struct causes *c, uint32_t thread, int64_t blocked, int64_t readied, int64_t ran);
/* Finds the causes of all waits that were asked for. */
void causes_find(struct causes *c, struct trace *t);
/* Returns the wait of a thread that ran at `ran`; NULL: nobody asked for it. */
const struct cause_wait *causes_wait(const struct causes *c, uint32_t thread, int64_t ran);
void causes_free(struct causes *c);

#endif
