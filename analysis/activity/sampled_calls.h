/*
 * Keeps the sampled calls of a thread as a tree. A node is a call with its callers; from one moment
 * to the next the calls of one node are under way. A thread that takes a lock millions of times in
 * the same place of its program has two nodes for it, and not some calls for each time.
 *
 *	main      [--------------------------      nodes     1 main, 2 main f, 3 main f g
 *	f         [----------------)               moments   node 3, node 2, node 3, node 1
 *	g         [----)      [----)
 *
 * A call is a span (instance_set.h): it goes on as long as the samples have it at the same place of
 * the same path.
 */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_SAMPLED_CALLS_H
#define GLIMPSE_ANALYSIS_ACTIVITY_SAMPLED_CALLS_H

#include "analysis/samples/samples.h"

struct instance_span;

/* Node 0 has no call. */
struct sampled_node {
	uint32_t caller, depth; /* depth 0: no call */
	uint32_t class;         /* of the innermost call */
	uint32_t stack;         /* in the samples: with which it began */
};

struct sampled_moment {
	int64_t from;
	uint32_t node;
	uint32_t kept; /* so many of the outermost calls began before */
};

struct sampled_calls {
	VECTOR(struct sampled_node) nodes;
	VECTOR(struct sampled_moment) moments; /* by time */
};

/* Returns the class of a call of a frame. */
typedef uint32_t call_class(void *context, const struct event *frame);

/* Returns the calls of a thread; list: what its samples stand for. The caller frees them. */
struct sampled_calls sampled_calls_of(const struct samples *s, const struct thread_samples *list,
				      call_class *class_of, void *context);
void sampled_calls_free(struct sampled_calls *c);

/* The next of a thread's calls. They come by their starts, of one start the outer one first. */
enum { CALLERS_AHEAD = 32 };
struct sampled_cursor {
	const struct sampled_calls *calls;
	size_t next;                   /* moment */
	uint32_t depth, ahead;         /* of the newest call; up to where nodes are known */
	uint32_t nodes[CALLERS_AHEAD]; /* of the depths up to `ahead`, the innermost first */
};

/* Begins with the first call; calls: NULL: there are none. */
struct sampled_cursor sampled_cursor_begin(const struct sampled_calls *calls);
/* Returns false if there is no more call. */
bool sampled_cursor_next(struct sampled_cursor *c, struct instance_span *span);

/*
 * Returns whether a call is under way at a time, and the innermost one. Its ends are looked for
 * between two times alone: start is INT64_MIN if it is before them, end INT64_MAX if behind.
 */
bool sampled_call_at(const struct sampled_calls *c, int64_t time, int64_t from, int64_t to,
		     struct instance_span *span);

#endif
