/* The conditions of a source's selections. */
#ifndef GLIMPSE_NIBBLE_SAMPLE_CONDITIONS_H
#define GLIMPSE_NIBBLE_SAMPLE_CONDITIONS_H

#include "base/array.h"
#include "match/plan/formula.h"
#include "viewers/nibble/expr/node.h"

struct conditions {
	struct formula *at;
	size_t n, room;
	bool names; /* they ask for those of threads */
};

/* Those of a source, whose expressions they borrow. */
struct conditions conditions_of(const struct source_node *source);
void conditions_free(struct conditions *c);
/* Whether all of them hold; what overflows or divides by zero is false, and counted. */
bool conditions_hold(const struct conditions *c, const struct binding *b, uint64_t *faults);

#endif
