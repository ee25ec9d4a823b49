/*
 * What the search stands on: all that threads do and wait for, as spans of their time, each with
 * where it is (interval, object, place in the program, the user's axes) and who ended it; and which
 * of it the end of the program waited for.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_GROUND_H
#define GLIMPSE_ANALYSIS_WHY_GROUND_H

#include "analysis/graph/critical_path.h"
#include "analysis/graph/part.h"
#include "analysis/graph/span_list.h"
#include "analysis/why/conditions.h"
#include "analysis/why/density.h"
#include "analysis/why/idle.h"

enum { USER_AXES = 4 };
#define NO_KEY INT64_MIN

/* What spans have in common. Keys are numbers of texts (symbols_numbered()). */
struct place {
	const struct role *role;        /* NULL: a state, of the timeline */
	enum activity state;            /* then */
	int64_t object, site, function, file, module;   /* NO_KEY: none */
	int64_t user[USER_AXES];
	uint64_t conditions;            /* bits: of the measures' conditions, those that hold */
};

#define NO_SITE UINT32_MAX
struct span_of_time {
	int64_t from, to;
	uint32_t thread;                /* index in the trace's threads */
	uint32_t place;
	/* Of waits: who let the thread go on, when, from where; NO_THREAD: not known. */
	uint32_t blocker;
	int64_t blocked_until;
	int64_t blame;                  /* key of a place in the program; NO_KEY */
	/* What the thread does on its own after it, until it waits as long for another one; up to when. */
	int64_t work, work_to;
	/*
	 * What the one that the wait was for had lost to other programs since this thread last waited,
	 * more than this thread: no fault of the program's.
	 */
	int64_t delay;
	int64_t queued;                 /* of being ready: while the processor ran another thread, and one was free */
	bool again;                     /* the thread waits for the same again at once */
};

struct ground {
	struct trace *trace;
	struct graph *graph;
	struct critical_path *path;
	struct part *ready;             /* where threads are ready */
	struct part *on_path;           /* where threads are on the path */
	struct idle *idle;
	struct role *roles;
	unsigned nroles;
	VECTOR(struct place) places;
	VECTOR(struct span_of_time) spans;      /* in the order of their starts */
	struct conditions conditions;
	unsigned nprocessors;
	int64_t *ran_on;                /* by processor, then thread: how long */
	int64_t event_cost;             /* ps of one event */
	struct density *density;        /* of events */
	unsigned usable;                /* processors that the threads may run on, as the trace says; 0: it does not */
	uint64_t *processors;           /* of each thread, those that it ran on, as bits */
	int64_t *names;                 /* of each thread, with its number where others have the same */
	struct hash_table *pairs;       /* keys of pairs of threads, once they are asked for */
	int64_t *groups;                /* of each thread, the key of the group of threads it is of */
};

/*
 * processors: 0: found from the trace. conditions: what measures ask of single instances, which the
 * ground then owns.
 */
struct ground *ground_of(struct trace *t, unsigned processors, struct conditions conditions);
void ground_free(struct ground *g);

/* Returns the text of a key; "" for NO_KEY. */
const char *ground_text(const struct ground *g, int64_t key);

#endif
