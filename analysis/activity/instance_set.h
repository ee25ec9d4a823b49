/*
 * Finds all instances of a trace whose ends are in one thread, once: for the graph, the search, the
 * ranking, the replay. It also finds the instances of kind "cause", which lead from thread to
 * thread.
 *
 *	thread 1   --[ LockHold ]------[ LockWait ][ LockHold ]---     spans: start, end, class
 *	                       \        ^
 *	thread 2   -[ LockHold ]-Handover-----------------------       causes: earlier, later event
 */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_INSTANCE_SET_H
#define GLIMPSE_ANALYSIS_ACTIVITY_INSTANCE_SET_H

#include "analysis/activity/cause_list.h"
#include "analysis/activity/object_register.h"
#include "analysis/activity/roles.h"
#include "analysis/activity/sampled_calls.h"
#include "base/array.h"

/* Spans of one thread are kept in lists, by their kinds. */
enum span_sort {
	SPANS_WAIT, /* kinds "wait", "spin", "io" */
	SPANS_HOLD,
	SPANS_CALL,
	SPANS_STATE, /* running, ready and blocked, but no state of the user's own */
	/* "work", "phase", and none: also lines, which role_takes_time() tells apart */
	SPANS_OTHER,
	NSPAN_SORTS
};
#define SPANS_ALL ((1u << NSPAN_SORTS) - 1)
/*
 * Beside them: classes have the keys of their objects, sites, functions and modules, for which
 * symbols are read; and of their files, for which debug information is read.
 */
#define SPANS_NAMED (1u << NSPAN_SORTS)
#define SPANS_FILES (1u << (NSPAN_SORTS + 1))

/* What instances have in common. Keys are numbers of texts (trace/address.h). */
enum { USER_AXES = 4 };
#define NO_KEY INT64_MIN
struct span_class {
	const struct role *role;
	struct event first; /* begins the first of them in the first thread that has one */
	uint32_t lock;      /* in the objects; NO_LOCK: it is about none */
	const struct object_words *words; /* the declaration that names the object; NULL: none */
	/* SPANS_NAMED: keys of the object and of the first code; NO_KEY: none */
	int64_t object, site, function, module;
	int64_t file;            /* SPANS_FILES: of the first code */
	int64_t user[USER_AXES]; /* keys of the specification's axes; NO_KEY: not on it */
	uint64_t conditions;     /* bits: of the conditions that were asked, those that hold */
	bool of_run_time;        /* a sampled call: see address_is_of_run_time() */
	int processor;           /* of a state whose interval has a metric "processor"; -1 */
};

struct instance_span {
	int64_t start, end; /* end: INT64_MAX if it is open at the end of its thread */
	uint32_t class;
};

typedef VECTOR(struct instance_span) span_vector;

/* A condition about the instances of one interval; several intervals may share a bit. */
struct span_condition {
	const char *interval;
	const struct expr *condition;
	bool of_start; /* it is about the start alone, as its anchor; else about both ends */
	unsigned bit;  /* below MOST_CONDITIONS */
};
enum { MOST_CONDITIONS = 64 };

struct instance_set {
	struct trace *trace;
	unsigned sorts;     /* that were asked: bits 1 << enum span_sort */
	struct role *roles; /* waits first; behind nlogged: of sampled calls */
	unsigned nroles, nwaits, nlogged;
	struct samples *samples; /* of threads that log no calls; NULL: there are none */
	uint32_t *sampled_roles; /* by event type of frames */
	VECTOR(struct span_class) classes;
	span_vector *lists;            /* by sort, then thread; without sampled calls */
	struct sampled_calls *sampled; /* by thread; NULL: there are none */
	struct cause_list causes;
	bool inner_waits;              /* some waits lay within others, and were left out */
	struct lock_register *objects; /* whoever has the set may ask for more */
	struct role *lives;            /* of threads */
	unsigned nlives;
};

/*
 * Finds the instances of a trace, and never returns NULL. sorts: which lists are filled, as bits 1
 * << enum span_sort; and SPANS_NAMED. Each class has the bits of the n conditions that hold. The
 * caller frees the set, which needs the trace. Event lists are made on the way, also those that are
 * announced: one caller at a time. It plans and counts a step for each event.
 */
struct instance_set *instance_set_of(struct trace *t, unsigned sorts,
				     const struct span_condition *conditions, unsigned n);
void instance_set_free(struct instance_set *s);

/* Returns the list of a role's instances. The role is of no kind "cause" or "life". */
enum span_sort span_sort_of(const struct role *r);

/*
 * Returns the spans of a thread (index), by their starts; of two with one start the longer is
 * first. A wait that lies within a wait of another interval is left out; so is an io within an io
 * of another interval, unless it says how many bytes it is of.
 */
static inline const span_vector *instance_spans(const struct instance_set *s, enum span_sort sort,
						uint32_t thread)
{
	return &s->lists[sort * (size_t)s->trace->nthreads + thread];
}

/* Returns the sampled calls of a thread, which logs no calls; NULL: there are none in the trace. */
static inline const struct sampled_calls *instance_sampled(const struct instance_set *s,
							   uint32_t thread)
{
	return s->sampled ? &s->sampled[thread] : NULL;
}

/* Returns whether a thread has calls, logged or sampled. */
bool instance_has_calls(const struct instance_set *s, uint32_t thread);

/* The next spans of several lists of a thread. */
struct lists_merge {
	const struct instance_span *at[NSPAN_SORTS], *end[NSPAN_SORTS];
	unsigned n;
	unsigned calls; /* the list that has the sampled calls; n: none has */
	struct sampled_cursor sampled;
	struct instance_span call, given; /* the next one of these; the newest one */
};

/* Begins with the n lists of `sorts`, with sampled calls. */
struct lists_merge lists_merge_begin(const struct instance_set *s, const enum span_sort *sorts,
				     unsigned n, uint32_t thread);
/*
 * Returns the spans of all lists in the order of each; of spans that are alike, those of an earlier
 * list first. They hold until the next one. NULL: there are no more.
 */
const struct instance_span *lists_merge_next(struct lists_merge *m);

/* Returns whether a thread has a state at all: they are of the sort SPANS_STATE. */
bool instance_set_has_states(const struct instance_set *s);

/* Sorts spans of a thread into that order. */
void instance_spans_sort(struct instance_span *spans, size_t n);

static inline const struct role *span_role(const struct instance_set *s,
					   const struct instance_span *span)
{
	return s->classes.at[span->class].role;
}

/*
 * Returns whether a span is a sampled call whose time is its caller's, where the question is what
 * to fix.
 */
static inline bool span_is_of_run_time(const struct instance_set *s,
				       const struct instance_span *span)
{
	return s->classes.at[span->class].of_run_time;
}

#endif
