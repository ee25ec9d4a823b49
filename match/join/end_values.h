/*
 * Finds the few integers of one end that are all that a condition uses of it: two events of that
 * end with the same values match the same events of the other end.
 */
#ifndef GLIMPSE_MATCH_JOIN_END_VALUES_H
#define GLIMPSE_MATCH_JOIN_END_VALUES_H

#include "match/plan/comparison.h"
#include "spec/spec.h"

enum { MOST_VALUES = 2 };

struct end_values {
	enum load_kind load[MOST_VALUES];
	uint32_t offset[MOST_VALUES];
	unsigned n;
};

/* Returns false if the condition asks more of the event than MOST_VALUES integers. */
bool end_values_find(struct end_values *v, const struct expr *condition, enum side side);

static inline void end_values_read(const struct end_values *v, const struct operand *o,
				   uint64_t to[MOST_VALUES])
{
	for (unsigned i = 0; i < MOST_VALUES; i++)
		to[i] = i < v->n ? (uint64_t)load_integer(v->load[i], v->offset[i], o) : 0;
}

#endif
