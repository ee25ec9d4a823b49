/* A series expression that has been checked: what nibble computes. */
#ifndef GLIMPSE_NIBBLE_EXPR_NODE_H
#define GLIMPSE_NIBBLE_EXPR_NODE_H

#include "spec/spec.h"
#include "viewers/nibble/expr/function.h"
#include "viewers/nibble/series/combine.h"

enum node_kind { NODE_CONSTANT, NODE_SOURCE, NODE_TRANSFORM, NODE_NEGATE, NODE_COMBINE };

/*
 * What the trace is asked for: events of one type or instances of one interval, and which value of
 * each.
 */
struct subject {
	const struct event_type *event; /* one of these two is set */
	const struct interval *interval;
	bool has_value;
	const struct metric *metric; /* of the interval; NULL: its duration */
	int attribute;		     /* of the event; -1: none */
};

enum selection_kind { SELECTION_THREAD_NUMBER, SELECTION_THREAD_NAME, SELECTION_WHERE };

/* All selections of a source must let an event or instance pass. */
struct source_selection {
	struct source_selection *next;
	enum selection_kind kind;
	int64_t number;
	char *pattern; /* of the thread's name, as in the shell: "worker*" */
	struct expr *condition;
};

enum per { PER_NOTHING, PER_THREAD, PER_ATTRIBUTE };

struct source_node {
	struct subject subject;
	struct source_selection *selections;
	enum per per;
	int per_attribute; /* of the event, or of the interval's anchor */
	double quantile;
	double window; /* nanoseconds; 0: as the span suggests */
	unsigned bins; /* 0: as the values suggest */
};

struct node {
	enum node_kind kind;
	struct span where;
	const struct function *function; /* of NODE_SOURCE and NODE_TRANSFORM */
	struct node *left, *right;
	enum operation op; /* of NODE_COMBINE */
	double number;	   /* of NODE_CONSTANT; the length of smooth() */
	struct source_node source;
	struct dimension dimension; /* of the result */
	bool distribution;
};

/* The dimension of the values. */
struct dimension subject_dimension(const struct subject *s);

void node_free(struct node *n);

#endif
