/*
 * Numbers the values of an expression by which instances are grouped, in the order of their
 * appearance. Code and objects count by the texts that they are shown as.
 */
#ifndef GLIMPSE_MATCH_STATS_KEYS_H
#define GLIMPSE_MATCH_STATS_KEYS_H

#include "base/array.h"
#include "base/hash.h"
#include "match/eval/formula.h"
#include "trace/address.h"

#define NO_KEY_NUMBER UINT32_MAX

struct keys {
	const struct trace *trace;
	const struct expr *expression;
	struct formula formula;
	bool symbolic;             /* values are what address_key() gives */
	VECTOR(struct key) at;     /* by number */
	struct hash_table numbers; /* by hash: the newest of the values that have it */
};

struct key {
	struct value value;
	char *text;     /* of a string: its bytes */
	uint32_t older; /* another one with the same hash, or NO_KEY_NUMBER */
};

/* Begins with no values; the expression must outlive them. */
void keys_init(struct keys *k, const struct trace *t, const struct expr *expression);
void keys_clear(struct keys *k);
/* Returns the number of the expression's value; NO_KEY_NUMBER if it faults or is NaN. */
uint32_t keys_number(struct keys *k, const struct binding *b);
/* Compares two keys by their values, as qsort() wants it. */
int keys_compare(const struct keys *k, uint32_t a, uint32_t b);

/* How people tell the values of an expression apart. */
enum key_sort { KEY_NUMBER, KEY_NAME, KEY_THREAD, KEY_PROCESS };
enum key_sort keys_sort(const struct keys *k);

#endif
