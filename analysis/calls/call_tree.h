/*
 * Builds a calling context tree: a node for each path of functions from a thread's start, with the
 * times of its calls. Parents precede their children; node 0 represents the time outside of all
 * calls.
 *
 * A tree has a limit. Paths beyond it are merged: their calls are in nodes under the node
 * `elsewhere`, one for each function and caller, so that the sums of functions and callers stay
 * exact.
 */
#ifndef GLIMPSE_ANALYSIS_CALLS_CALL_TREE_H
#define GLIMPSE_ANALYSIS_CALLS_CALL_TREE_H

#include "base/hash.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_FUNCTION UINT32_MAX
#define NO_NODE UINT32_MAX
enum { CALL_ROOT = 0 };

/* Of all calls together, of the shortest and of the longest; nanoseconds. */
struct call_times {
	int64_t total, min, max;
};

struct call_node {
	uint32_t function, caller; /* NO_FUNCTION: of the root, and of what it calls */
	uint32_t parent;
	uint32_t recent; /* the child that was called last; NO_NODE */
	uint64_t calls;
	uint64_t unfinished; /* those that have no end of their own */
	uint64_t samples;    /* in which it is the innermost; only of sampled calls */
	/* calls are those that samples show: they may have been more */
	bool sampled;
	bool cut; /* of samples whose stacks are truncated there: its caller is unknown */
	struct call_times real; /* from entry to exit */
	struct call_times own;  /* without what it calls */
	struct call_times cpu;  /* own, while the thread ran */
	/* real of calls during which no other of the function was open */
	int64_t outermost;
};

struct call_tree {
	struct call_node *nodes;
	size_t n, room, limit;
	uint32_t elsewhere;         /* NO_NODE: the limit was not reached */
	struct hash_table children; /* by parent and function */
};

/* Makes a tree that has the root. limit: of nodes, approximately. */
void call_tree_init(struct call_tree *t, size_t limit);
void call_tree_free(struct call_tree *t);

/* Returns the node of a function under another one, made if need be. */
uint32_t call_tree_find(struct call_tree *t, uint32_t parent, uint32_t function);

static inline uint32_t call_tree_child(struct call_tree *t, uint32_t parent, uint32_t function)
{
	uint32_t recent = t->nodes[parent].recent;

	if (__builtin_expect(recent != NO_NODE && t->nodes[recent].function == function, 1))
		return recent;
	return call_tree_find(t, parent, function);
}

static inline void call_times_add(struct call_times *t, int64_t time)
{
	t->total += time;
	if (time < t->min)
		t->min = time;
	if (time > t->max)
		t->max = time;
}

/* Sets by node its first child and the next child of its parent; NO_NODE: none. */
void call_tree_children(const struct call_tree *t, uint32_t *first, uint32_t *next);

/* Adds what a node has to another one. */
void call_node_merge(struct call_node *n, const struct call_node *other);
/* Adds the nodes of a tree to those of another. */
void call_tree_merge(struct call_tree *t, const struct call_tree *other);

/*
 * Makes the tree of the paths from each function that calls end with to its callers. A node's cpu,
 * calls and samples are those of the function at the beginning of its path, in calls through all of
 * it. They are no longer told apart by callers further out beyond the limit. Frees:
 * call_tree_free().
 */
void call_tree_invert(struct call_tree *inverted, const struct call_tree *t, size_t limit);

/* Of no calls. */
extern const struct call_times call_times_none;

#endif
