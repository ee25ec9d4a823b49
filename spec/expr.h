/*
 * Typed expressions: checked once (check.h), evaluated by every tool.
 *
 * Integers are exact over [-2^63, 2^64): every integer type of the language fits, comparisons
 * between signed and unsigned are those of mathematics, and arithmetic that leaves the range is a
 * fault. Division truncates. An integer combined with a double becomes a double. Comparisons with
 * NaN are false, but != is true (IEEE 754).
 */
#ifndef GLIMPSE_SPEC_EXPR_H
#define GLIMPSE_SPEC_EXPR_H

#include "grammar/source.h"
#include <stdbool.h>
#include <stdint.h>

struct ast_expr;
struct event_type;
struct interval;
struct test_measure;
struct metric;

enum value_kind { VALUE_BOOL, VALUE_INT, VALUE_REAL, VALUE_STRING };

/*
 * What a number measures: nanoseconds, bytes; or that it is an address (of the types code,
 * code32 and object), which measures nothing. UNIT_NONE goes with each of them.
 */
enum unit { UNIT_NONE, UNIT_TIME, UNIT_BYTES, UNIT_ADDRESS };

struct value {
	enum value_kind kind;
	union {
		bool truth;
		__int128 integer;
		double real;
		struct {
			const char *bytes;
			uint32_t length;
		} string; /* not NUL-terminated */
	};
};

enum expr_op {
	/* leaves */
	EXPR_CONSTANT,
	EXPR_ATTRIBUTE, /* side, attribute */
	EXPR_TIME,      /* side: nanoseconds since the trace began */
	EXPR_THREAD,    /* side: the thread's number */
	EXPR_OWNER,     /* side: the thread's name */
	EXPR_PROCESS,   /* side: the number of its process in the trace */
	EXPR_DURATION,  /* "time" of the interval */
	EXPR_METRIC,    /* a metric of the same interval */
	EXPR_MEASURE,   /* share(kind "wait"), of a hypothesis: see struct test_measure */
	EXPR_AGGREGATE, /* count(Read), p99(Read.time): see struct aggregate */
	/* one operand: left */
	EXPR_NOT,
	EXPR_NEGATE,
	/* two operands */
	EXPR_AND,
	EXPR_OR,
	EXPR_EQ,
	EXPR_NE,
	EXPR_LT,
	EXPR_LE,
	EXPR_GT,
	EXPR_GE,
	EXPR_ADD,
	EXPR_SUB,
	EXPR_MUL,
	EXPR_DIV,
	EXPR_MOD,
};

enum side { SIDE_ANCHOR, SIDE_PARTNER };

enum aggregate_function {
	AGGREGATE_COUNT,
	AGGREGATE_UNMATCHED,
	AGGREGATE_MIN,
	AGGREGATE_MAX,
	AGGREGATE_MEAN,
	AGGREGATE_SUM,
	AGGREGATE_QUANTILE,
	AGGREGATE_RATE,
};

/* f(E), f(I), f(I.time), f(I.metric) or f(E.attribute). */
struct aggregate {
	enum aggregate_function function;
	double quantile;                 /* 0.99 for p99 */
	const struct interval *interval; /* one of these two is set */
	const struct event_type *event;
	const struct metric *metric; /* of the interval; NULL: its time */
	int attribute;               /* of the event; -1: none */
};

enum test_function {
	TEST_SHARE,  /* of the threads' time */
	TEST_COST,   /* of the run that it costs */
	TEST_CROWD,  /* like share, but only while all processors are taken */
	TEST_HOLDER, /* of the time of the waits, in which who ends them does it */
	TEST_RATE,   /* instances a second, of one thread */
	TEST_COUNT,
	TEST_MEAN,     /* of the durations */
	TEST_THREADS,  /* that have any of it */
	TEST_AGAIN,    /* of the waits, the part that begins again at once */
	TEST_TOGETHER, /* of the waits, the part that ends with other threads' by one event */
	TEST_UNEVEN,   /* of the threads' time, what the busiest has more than the mean */
	TEST_PROBE,    /* of the threads' time, what recording cost */
	/* like share, but only while the processor runs another thread, and others are free */
	TEST_QUEUED,
	TEST_SPREAD, /* of the time that the threads run, what is not on one processor */
	/* of the waiting threads' time, in which who ends the waits has no processor */
	TEST_PREEMPTED,
	/* of the run: the same, only while who ends the wait has a lower priority */
	TEST_INVERTED,
	/* of the time of the waits, in which others have taken, and share, what they are for */
	TEST_OVERTAKEN,
	TEST_DEADLOCK, /* how many of the waits never end, as they are in a cycle */
	TEST_STUCK,    /* how many of the threads wait for each other alone, to their end */
	/* of the time that the threads run, what switches take after which they could go on */
	TEST_SWITCHING,
	TEST_ENDED, /* of these switches, those that an event led to */
	/* like share, but only of the threads for which there are no processors */
	TEST_SURPLUS,
	TEST_SWITCHED, /* of the run, what these switches take */
	/* of the time that the threads run, what the kernel spends on their memory */
	TEST_PAGING,
	TEST_PAGED,      /* of the run, what that takes */
	TEST_THROTTLED,  /* of the run, while threads had used their share of the processors */
	TEST_MIGRATIONS, /* how often threads ran on another processor than before */
	TEST_DURING,     /* of the run, in which any of it lasts */
	NTESTS
};

/* Selects instances: all conditions that are given must hold. */
struct test_measure {
	enum test_function function;
	unsigned kind;  /* enum interval_kind; KIND_NONE: any */
	char *state;    /* "running", "ready", "blocked"; NULL: it is no state */
	char *label;    /* of the interval; these are patterns with * and ? */
	char *object;   /* the kind of the object: its attribute's name */
	char *interval; /* its name */
	/* no interval: events, "Faults", or an attribute of them, "Faults.minor" */
	char *event;
	const struct interval *exact; /* by its name in the specification; NULL: any */
	const struct ast_expr *where; /* while it is being checked */
	struct expr *condition;       /* of the instances of `exact`; NULL: all */
};

struct expr {
	enum expr_op op;
	enum value_kind kind;
	enum unit unit;
	struct span where;
	struct expr *left, *right;
	enum side side;
	unsigned attribute;             /* EXPR_ATTRIBUTE: index in the side's event */
	const struct event_type *event; /* EXPR_ATTRIBUTE: the side's event */
	const struct metric *metric;
	struct value constant;
	struct aggregate *aggregate;
	struct test_measure *measure;
};

/* One event that an expression is evaluated on. */
struct operand {
	const struct event_type *event;
	const unsigned char *record; /* in native byte order (spec/layout.h) */
	int64_t time;
	uint32_t thread;
	const char *owner;
	uint32_t process;
};

struct binding {
	struct operand side[2]; /* indexed by enum side */
	int64_t duration;
	/*
	 * Sets *result to the value of an aggregate; NULL if the expression has none. Returns false
	 * if the aggregate is undefined (no instance).
	 */
	bool (*aggregate)(void *context, const struct aggregate *a, struct value *result);
	/* The same of a measure of a hypothesis. */
	bool (*measure)(void *context, const struct test_measure *m, struct value *result);
	void *context;
};

/*
 * Sets *result to the value of an expression; strings point into the records. Returns false, and
 * sets nothing, on a fault: overflow, division by zero, an undefined aggregate.
 */
bool expr_value(const struct expr *e, const struct binding *b, struct value *result);

/* Returns whether a condition holds. A fault makes it false and increments *faults. */
bool expr_holds(const struct expr *e, const struct binding *b, uint64_t *faults);

/* Returns whether an expression, or a metric that it uses, has an operation. `e` may be NULL. */
bool expr_has(const struct expr *e, enum expr_op op);

/* Returns whether an expression asks for what a trace knows of the events' threads: their names or
 * processes. `e` may be NULL. */
bool expr_asks_thread(const struct expr *e);

/* Returns whether an operation is a leaf whose value is that of one of the two events. */
static inline bool expr_is_of_side(enum expr_op op)
{
	return op == EXPR_ATTRIBUTE || op == EXPR_TIME || op == EXPR_THREAD || op == EXPR_OWNER ||
	       op == EXPR_PROCESS;
}

/* Returns whether an expression is an attribute that is code or an object, which have names. */
bool expr_is_symbolic(const struct expr *e);

/* Returns whether an expression does not depend on events. */
bool expr_is_constant(const struct expr *e);

/* Returns a new node. Ends the program if there is no memory. */
struct expr *expr_new(enum expr_op op, enum value_kind kind, struct span where);
/* Returns a new node with two operands, which it takes over, of the kind that they call for. */
struct expr *expr_binary(enum expr_op op, struct span where, struct expr *left, struct expr *right);
void expr_free(struct expr *e);

/* Sets *result to the negation of a number. Returns false on overflow. */
bool value_negate(const struct value *v, struct value *result);
/* Returns a number as a double. */
double value_real(const struct value *v);

#define INTEGER_MIN (-((__int128)1 << 63))
#define INTEGER_MAX (((__int128)1 << 64) - 1)

/* Returns whether an integer is one of the language. */
static inline bool integer_fits(__int128 v)
{
	return v >= INTEGER_MIN && v <= INTEGER_MAX;
}

#endif
