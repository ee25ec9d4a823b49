/*
 * Finds work that is handed out while the program runs: threads come again and again for the next
 * item, and each item goes to who comes first. So a faster thread gets more of them.
 *
 *	worker 1   |take| item 1 ......... |take| item 3 .. |take, nothing|
 *	worker 2     |take| item 2 ............................ |take, nothing|
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ITEMS_HAND_OUT_H
#define GLIMPSE_ANALYSIS_REPLAY_ITEMS_HAND_OUT_H

#include "analysis/replay/recorded/model.h"

#define NO_ITEM SIZE_MAX

/* What hands the items out. */
enum pool_kind {
	POOL_LOCK,     /* a queue or a counter under a lock */
	POOL_LOOP,     /* a loop whose chunks threads ask for */
	POOL_INTERVAL, /* the specification says that an interval is an item */
};

struct handed_item {
	uint32_t thread; /* that took it in the recorded run */
	int64_t taken;   /* when that one had it */
	uint32_t pusher; /* the thread that added it, at that time; NO_THREAD: it was there */
	int64_t pushed;
	int64_t first_iteration, iterations; /* of a loop's chunk; iterations 0: not a loop */
};

struct hand_out_pool {
	uint8_t kind;     /* enum pool_kind */
	const char *name; /* of the lock, the loop or the interval; the trace keeps it */
	const char
	    *site;   /* where threads come for the next item; NULL: not known. The trace keeps it */
	char *doubt; /* why the items stay with who had them; NULL: they are handed out */
	uint32_t nthreads; /* that come for items */
	/* the name of all of them; NULL: they have several. The trace keeps it */
	const char *group;
	size_t nitems;
	int64_t mean; /* what an item takes its thread, but for waits for others, ns */
	size_t first,
	    end; /* of the items, in the order in which they were taken; with a doubt none */
};

/* A thread comes for its next item. */
struct hand_out_mark {
	int64_t time;
	uint32_t pool;
	/* that begins, while the last one ends; NO_ITEM: it gets none, or does something else */
	size_t item;
};

struct hand_out {
	VECTOR(struct hand_out_pool) pools;
	VECTOR(struct handed_item) items;
	VECTOR(struct hand_out_mark) marks; /* by thread, then time */
	size_t *first_mark;                 /* of each thread, and one more */
};

/* Announces the events that it needs. */
void hand_out_announce(struct trace *t);
/* Finds all pools of a run. Returns NULL if there are none. */
struct hand_out *hand_out_of(const struct model *m);
void hand_out_free(struct hand_out *h);
/* Returns whether there is a pool that is handed out. */
bool hand_out_is_sure(const struct hand_out *h);
/* Returns the longest mean of the items of a pool that is handed out, ns. */
int64_t hand_out_longest(const struct hand_out *h);

#endif
