/*
 * Computes the costs of a trace's functions: for each thread the tree of its calls (calling
 * contexts), with times. A call is an instance of any interval of kind "call", of a probe or of a
 * user's own. Its function is the first attribute of type code of the event that begins it or,
 * without one, the interval's name. The instances are those of match_interval(). In addition, a
 * call without an end counts if its interval pairs ends as a stack does (call_sources.h): until the
 * enclosing call ends or, without one, until its thread's last event. It does not count beyond the
 * time at which its ends were switched off.
 *
 * A thread that logs no calls, but samples of its stack, has the calls that these show
 * (analysis/samples): its times are exact as sums, and estimates of each function. How often a
 * function was called they do not say.
 *
 * The stack of a thread says whose a moment is: the innermost open call's. A call that goes on
 * after the one around it has ended has no moments of its own from then on.
 */
#ifndef GLIMPSE_ANALYSIS_CALLS_CALLS_H
#define GLIMPSE_ANALYSIS_CALLS_CALLS_H

#include "analysis/calls/call_tree.h"
#include "analysis/samples/samples.h"
#include "trace/trace.h"

struct call_function {
	const char *name; /* the trace keeps it */
	/* "file.c:41", or NULL: also of sampled ones, unless lines are wanted */
	const char *line;
	const char *module; /* "libz.so.1", the trace keeps it; NULL: not known */
};

/* From a moment on a thread does not run for a reason, if it does not run. */
struct call_pause {
	int64_t from;
	uint32_t reason; /* a number of the caller's; 0: none is known */
};

/* Of one thread, in the order of time. */
struct call_pauses {
	const struct call_pause *at;
	size_t n;
	/* it is known when the thread ran; else it did not in all reasons */
	bool states;
};

/* A stretch of a thread's time, in which nothing changed. */
struct call_moment {
	int64_t from, to;
	/* of the thread's tree: the innermost call; CALL_ROOT: outside of all */
	uint32_t node;
	uint32_t reason; /* of the pause */
	/* counts as cpu time; as paused. Both, if it is not known what it did */
	bool ran, paused;
};

/* Is told of all moments of each thread in their order, of several threads at a time. */
struct call_listener {
	void *context;
	void (*hear)(void *context, size_t thread, const struct call_moment *m);
	void (*forget)(void *context, size_t thread); /* those so far: they are told again */
};

/* What is wanted. */
struct call_part {
	int64_t from, to;    /* times are cut to [from, to] */
	const bool *threads; /* by index in the trace's threads; NULL: all */
	/*
	 * With lines a "function" is a line of one, or a line, and samples alone count: a thread
	 * without any has all its time outside of them.
	 */
	enum sample_places places;
	const struct call_pauses *pauses; /* of all threads; NULL: nobody asks for them */
	/* who wants moments, with pauses, instead of sums; or NULL */
	const struct call_listener *listener;
};
#define CALL_PART_ALL ((struct call_part){INT64_MIN, INT64_MAX, NULL, SAMPLE_FUNCTIONS, NULL, NULL})

/* For how long a node's own time did not pass on a processor, for a reason. */
struct call_paused {
	uint32_t node, reason;
	int64_t time;
};

struct thread_calls {
	struct call_tree tree;
	bool states;      /* it is known when the thread ran; else cpu is as own */
	bool sampled;     /* its calls are those of samples */
	uint64_t unbegun; /* ends of calls without a begin */
	struct call_paused *paused;
	size_t npaused;
};

struct calls {
	const struct trace *trace;
	struct call_function *functions;
	size_t nfunctions;
	/* as the trace's threads; empty trees of those not wanted */
	struct thread_calls *threads;
};

/* What to say of a trace without any. */
#define CALLS_MISSING \
	"no interval has (kind \"call\"), and no thread has samples: record a program that was compiled with " \
	"-finstrument-functions by glimpse record --probes functions,scheduler"

/* What to say if lines are wanted, and there are no samples. */
#define LINES_MISSING \
	"no thread has samples, which alone know lines: record with glimpse record --probes scheduler,samples"

/*
 * Returns whether a trace's specification has intervals of kind "call", or the trace has samples.
 */
bool trace_has_calls(const struct trace *t);
/*
 * Returns the calls of a trace; never NULL. The trace may make event lists, for one caller a time.
 */
struct calls *calls_of(struct trace *t, const struct call_part *part);
/*
 * Returns how often an event of the style "counts" occurred in each function; never NULL. The times
 * own and cpu of nodes are then numbers of occurrences, in the function itself, and real and
 * outermost are those in it and all that it calls. They are no times: nothing but a table or a tree
 * of the same calls may use them.
 */
struct calls *calls_counted(struct trace *t, const struct event_type *type,
			    const struct call_part *part);
/*
 * Returns the event of the style "counts" that was logged and has this name or label, also without
 * what perf adds to it, as in page-faults:u; name NULL: any. NULL: there is none.
 */
const struct event_type *calls_counts_find(const struct trace *t, const char *name);
void calls_free(struct calls *c);
/* Makes one tree of those of all threads. */
void calls_merge(const struct calls *c, struct call_tree *merged);

#endif
