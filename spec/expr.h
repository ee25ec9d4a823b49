/*
 * Typed expressions: checked once here, evaluated by every tool.
 *
 * Integers are exact over [-2^63, 2^64): every integer type of the language fits, comparisons
 * between signed and unsigned are those of mathematics, and arithmetic that leaves the range is a
 * fault. Division truncates. An integer met by a double becomes a double. Comparisons with NaN are
 * false, but != is true (IEEE 754).
 */
#ifndef GLIMPSE_SPEC_EXPR_H
#define GLIMPSE_SPEC_EXPR_H

#include "grammar/source.h"
#include <stdbool.h>
#include <stdint.h>

struct event_type;
struct interval;
struct metric;

enum value_kind { VALUE_BOOL, VALUE_INT, VALUE_REAL, VALUE_STRING };

/* What a number measures; UNIT_NONE goes with every other. Times are nanoseconds, sizes bytes. */
enum unit { UNIT_NONE, UNIT_TIME, UNIT_BYTES };

struct value {
	enum value_kind kind;
	union {
		bool truth;
		__int128 integer;
		double real;
		struct { const char *bytes; uint32_t length; } string;  /* not NUL-terminated */
	};
};

enum expr_op {
	/* leaves */
	EXPR_CONSTANT,
	EXPR_ATTRIBUTE,         /* side, attribute */
	EXPR_TIME,              /* side: nanoseconds since the trace began */
	EXPR_THREAD,            /* side: the thread's number */
	EXPR_OWNER,             /* side: the thread's name */
	EXPR_DURATION,          /* "time" of the interval */
	EXPR_METRIC,            /* a metric of the same interval */
	EXPR_AGGREGATE,         /* count(Read), p99(Read.time): see struct aggregate */
	/* one operand: left */
	EXPR_NOT, EXPR_NEGATE,
	/* two operands */
	EXPR_AND, EXPR_OR,
	EXPR_EQ, EXPR_NE, EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE,
	EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_MOD,
};

enum side { SIDE_ANCHOR, SIDE_PARTNER };

enum aggregate_function {
	AGGREGATE_COUNT, AGGREGATE_UNMATCHED, AGGREGATE_MIN, AGGREGATE_MAX, AGGREGATE_MEAN,
	AGGREGATE_SUM, AGGREGATE_QUANTILE, AGGREGATE_RATE,
};

/* f(E), f(I), f(I.time), f(I.metric) or f(E.attribute). */
struct aggregate {
	enum aggregate_function function;
	double quantile;                        /* 0.99 for p99 */
	const struct interval *interval;        /* one of these two is set */
	const struct event_type *event;
	const struct metric *metric;            /* of the interval; NULL: its time */
	int attribute;                          /* of the event; -1: none */
};

struct expr {
	enum expr_op op;
	enum value_kind kind;
	enum unit unit;
	struct span where;
	struct expr *left, *right;
	enum side side;
	unsigned attribute;                     /* EXPR_ATTRIBUTE: index in the side's event */
	const struct event_type *event;         /* EXPR_ATTRIBUTE: the side's event */
	const struct metric *metric;
	struct value constant;
	struct aggregate *aggregate;
};

/* One event as an expression sees it. */
struct operand {
	const struct event_type *event;
	const unsigned char *record;    /* in native byte order, laid out as spec/spec.h says */
	int64_t time;
	uint32_t thread;
	const char *owner;
};

struct binding {
	struct operand side[2];         /* indexed by enum side */
	int64_t duration;
	/*
	 * Gives an aggregate's value; NULL where the expression has none. False: not defined (no
	 * instance).
	 */
	bool (*aggregate)(void *context, const struct aggregate *a, struct value *result);
	void *context;
};

/*
 * The expression's value; strings point into the records. False on a fault (overflow, division by
 * zero, an undefined aggregate); *result is then not set.
 */
bool expr_value(const struct expr *e, const struct binding *b, struct value *result);

/* Whether a condition holds. A fault makes it false and counts in *faults. */
bool expr_holds(const struct expr *e, const struct binding *b, uint64_t *faults);

/* The value of one attribute of a record. */
struct value record_value(const struct event_type *event, unsigned attribute,
			  const unsigned char *record);
/* Bytes of a whole record, its strings included; 0 if it does not fit into size bytes. */
uint32_t record_size(const struct event_type *event, const unsigned char *record, uint64_t size);

/* Whether there is such an operation in it, or in its metrics; e may be NULL. */
bool expr_has(const struct expr *e, enum expr_op op);

void expr_free(struct expr *e);

#endif
