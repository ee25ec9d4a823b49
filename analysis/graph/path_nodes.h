/*
 * Reduces the activity graph to the nodes at which its longest paths can change threads. Between
 * two nodes of a thread, time only passes; so nothing is kept of the stretches there.
 *
 * The value of a node is the length of the longest path to its time, less that time itself, plus
 * the time cut from the thread until then. It stays the same up to the thread's next node.
 */
#ifndef GLIMPSE_ANALYSIS_GRAPH_PATH_NODES_H
#define GLIMPSE_ANALYSIS_GRAPH_PATH_NODES_H

#include "analysis/graph/graph.h"

/* The value is the greater one of value(a) + length + a's part and value(b) + b's part. */
struct path_node {
	uint32_t a, b;  /* earlier nodes */
	int64_t length; /* ns */
};

/* The first nodes have constant values. */
enum {
	NODE_START, /* 0: a thread begins that no thread created */
	NODE_NEVER, /* less than all others: there is no second predecessor */
	NCONSTANT_NODES
};

/* How the part until a point, in the point's thread, counts for the node that refers to it. */
enum point_use { POINT_ADDS_A, POINT_ADDS_BOTH, POINT_SUBTRACTS_A, POINT_SUBTRACTS_B };

/* Index of a node and, in the lowest two bits, enum point_use. */
typedef uint32_t point_target;

struct path_nodes {
	/* Each after its predecessors; the ends of threads are the last ones. */
	VECTOR(struct path_node) all;
	size_t first_end; /* the node of the first thread's end, whose value is a length */
	uint32_t nthreads;
	size_t npoints;
	size_t *first_point;   /* of each thread, and one more */
	int64_t *times;        /* of points: by thread, ascending */
	point_target *targets; /* of points */
};

/*
 * Fills in the nodes of a graph; the caller frees them. Paths that would lead back to the moment
 * from which they came are left out. Ends the program where there are more than 2^30 nodes.
 */
void path_nodes_make(struct path_nodes *n, const struct graph *g);
void path_nodes_free(struct path_nodes *n);

#endif
