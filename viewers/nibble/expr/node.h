/* Declares checked series expressions, and their functions. */
#ifndef GLIMPSE_NIBBLE_EXPR_NODE_H
#define GLIMPSE_NIBBLE_EXPR_NODE_H

#include "grammar/ast.h"
#include "spec/spec.h"
#include "viewers/nibble/expr/dimension.h"

enum function_kind {
	FUNCTION_COUNT,
	FUNCTION_RATE,
	FUNCTION_OPEN,
	FUNCTION_UNMATCHED,
	FUNCTION_PARALLEL,
	FUNCTION_BUSY,
	FUNCTION_SHARE,
	FUNCTION_BOTTLE,
	FUNCTION_TIME,
	FUNCTION_VALUE,
	FUNCTION_MEAN,
	FUNCTION_MIN,
	FUNCTION_MAX,
	FUNCTION_SUM,
	FUNCTION_QUANTILE,
	FUNCTION_HIST,
	FUNCTION_CDF,
	FUNCTION_HEAT,
	/* of a series */
	FUNCTION_SMOOTH,
	FUNCTION_DIFF,
	FUNCTION_CUMULATIVE,
	FUNCTION_NORMALIZE,
	FUNCTION_TOP,
};

/* What a function may be applied to. */
enum {
	TAKES_EVENT = 1,
	TAKES_INTERVAL = 2,
	TAKES_VALUE = 4, /* I.time, I.metric, E.attribute */
	TAKES_SERIES = 8,
};

/* Its options. */
enum { OPTION_WINDOW = 1, OPTION_BINS = 2, OPTION_LENGTH = 4, OPTION_MEMBERS = 8 };

struct function {
	enum function_kind kind;
	const char *name;
	unsigned takes, options;
	const char *example; /* for messages: "count(Sendmsg)" */
	const char *does;    /* for --help */
};

/* One table for the checker, the help and the manual; a function without a name ends it. */
extern const struct function functions[];

/*
 * Returns the function of that name, or NULL; "p99.9" is FUNCTION_QUANTILE with *quantile 0.999.
 */
const struct function *function_find(const char *name, double *quantile);
/* Returns the name of a function that is near to a wrong one, or NULL. */
const char *function_nearest(const char *name);

enum arithmetic { OPERATION_ADD, OPERATION_SUB, OPERATION_MUL, OPERATION_DIV };

/*
 * NODE_EACH: a source for each interval of a kind: its left is the first, its right another such
 * node for the rest, or NULL.
 */
enum node_kind { NODE_CONSTANT, NODE_SOURCE, NODE_EACH, NODE_TRANSFORM, NODE_NEGATE, NODE_COMBINE };

/*
 * The samples of call stacks that meet all that is given: sample(function "parse"). The texts are
 * names, or patterns as in the shell; NULL: not given.
 */
struct sample_set {
	char *function; /* is in the stack */
	char *self;     /* is the innermost of the stack */
	char *thread;
};

/* The events of one type, the instances of one interval, and a value of each; or samples. */
struct expr_subject {
	const struct event_type *event; /* one of these three is set */
	const struct interval *interval;
	struct sample_set *samples; /* owned by the node */
	bool has_value;
	const struct metric *metric; /* of the interval; NULL: its duration */
	int attribute;               /* of the event; -1: none */
};

enum selection_kind { SELECTION_THREAD_NUMBER, SELECTION_THREAD_NAME, SELECTION_WHERE };

/* A condition on events or instances; a source takes those that meet all of its selections. */
struct source_selection {
	struct source_selection *next;
	enum selection_kind kind;
	int64_t number;
	char *pattern; /* of the thread's name, as in the shell: "worker*" */
	struct expr *condition;
};

enum per { PER_NOTHING, PER_THREAD, PER_ATTRIBUTE, PER_EXPRESSION };

struct source_node {
	struct expr_subject subject;
	struct source_selection *selections;
	enum per per;
	int per_attribute; /* of the event, or of the interval's anchor */
	struct expr *per_expression;
	const char *per_text;
	bool asks_partner; /* a selection or the value asks for more than the interval's anchor */
	double quantile;
	double window; /* nanoseconds; 0: by the length of the range */
	unsigned bins; /* 0: by the values */
};

struct node {
	enum node_kind kind;
	struct span where;
	const struct function *function; /* of NODE_SOURCE, NODE_EACH and NODE_TRANSFORM */
	struct node *left, *right;
	enum arithmetic op; /* of NODE_COMBINE */
	double number;      /* of NODE_CONSTANT; the length of smooth(), the members of top() */
	struct source_node source;
	struct dimension dimension; /* of the result */
	bool distribution;
};

/* Returns the dimension of the values. */
struct dimension subject_dimension(const struct expr_subject *s);

void node_free(struct node *n);

#endif
