/*
 * The functions of the series language: one table that the checker, the help and the manual go by.
 */
#ifndef GLIMPSE_NIBBLE_EXPR_FUNCTION_H
#define GLIMPSE_NIBBLE_EXPR_FUNCTION_H

#include "grammar/ast.h"
#include <stddef.h>

enum function_kind {
	FUNCTION_COUNT,
	FUNCTION_RATE,
	FUNCTION_OPEN,
	FUNCTION_UNMATCHED,
	FUNCTION_BUSY,
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
};

/* What a function may be applied to. */
enum {
	TAKES_EVENT = 1,
	TAKES_INTERVAL = 2,
	TAKES_VALUE = 4, /* I.time, I.metric, E.attribute */
	TAKES_SERIES = 8,
};

/* Its options. */
enum { OPTION_WINDOW = 1, OPTION_BINS = 2, OPTION_LENGTH = 4 };

struct function {
	enum function_kind kind;
	const char *name;
	unsigned takes, options;
	const char *example; /* for messages: "count(Sendmsg)" */
	const char *does;    /* for --help */
};

/* Ends with a function without a name. */
extern const struct function functions[];

/*
 * The function of that name; "p99.9" is FUNCTION_QUANTILE with *quantile 0.999. NULL when there is
 * none.
 */
const struct function *function_find(const char *name, double *quantile);
/* The name of a function that is near to a wrong one, or NULL. */
const char *function_nearest(const char *name);

#endif
