/*
 * Computes what the values of a series measure: powers of time, bytes and events, with the algebra
 * of the operators. Values are kept in base units: nanoseconds, bytes, events.
 */
#ifndef GLIMPSE_NIBBLE_EXPR_DIMENSION_H
#define GLIMPSE_NIBBLE_EXPR_DIMENSION_H

#include "spec/expr.h"
#include <stdbool.h>
#include <stddef.h>

struct dimension {
	int time, bytes, events;
};

#define DIMENSION_NONE ((struct dimension){0, 0, 0})
#define DIMENSION_TIME ((struct dimension){1, 0, 0})
#define DIMENSION_EVENTS ((struct dimension){0, 0, 1})
#define DIMENSION_RATE ((struct dimension){-1, 0, 1})

struct dimension dimension_of_unit(enum unit u);

bool dimension_equal(struct dimension a, struct dimension b);
/*
 * Tests whether a + b has a meaning: the powers of time and bytes are equal. A plain number goes
 * with a number of events, because an attribute or a literal has no unit and may well count.
 */
bool dimension_adds(struct dimension a, struct dimension b);
struct dimension dimension_sum(struct dimension a, struct dimension b);
struct dimension dimension_product(struct dimension a, struct dimension b);
struct dimension dimension_quotient(struct dimension a, struct dimension b);

/* Returns the dimension in words, for messages: "a time", "events per time", "a plain number". */
const char *dimension_words(struct dimension d, char *buffer, size_t size);

/*
 * How values of a dimension are shown: shown = value / divisor, with the unit's name ("" when it
 * has none).
 */
struct display_unit {
	double divisor;
	char name[32];
};

/*
 * Returns the unit in which the greatest magnitude reads best: 12.3 ms, 4.5 KiB, 1.2 millions (of
 * events).
 */
struct display_unit dimension_unit_for(struct dimension d, double greatest);

/*
 * Returns what an axis of the dimension is called if nothing better is known: "events/s"; may be
 * "".
 */
const char *dimension_label(struct dimension d);

#endif
