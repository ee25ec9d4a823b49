/* Collects the events or instances that a source selects, with their values and keys. */
#ifndef GLIMPSE_NIBBLE_SAMPLE_COLLECT_H
#define GLIMPSE_NIBBLE_SAMPLE_COLLECT_H

#include "match/eval/formula.h"
#include "viewers/nibble/sample/evaluation.h"
#include "viewers/nibble/sample/samples.h"

/* The conditions of a source's selections. */
struct conditions {
	struct formula *at;
	size_t n, room;
	bool names; /* they ask for those of threads */
};

/* Compiles the conditions of a source, whose expressions the result borrows. */
struct conditions conditions_of(const struct source_node *source);
void conditions_free(struct conditions *c);
/*
 * Tests whether all conditions hold. One that overflows or divides by zero does not, and is counted
 * in *faults.
 */
bool conditions_hold(const struct conditions *c, const struct binding *b, uint64_t *faults);

/*
 * Which samples a function needs beside those in the range of time. NEED_RANGE: none. NEED_COUNT:
 * how many there are before it. NEED_ALL: all that began before its end and did not end before it.
 * NEED_UNMATCHED: the anchors without a partner instead of the instances, all of them. NEED_ALL
 * includes what exists without an end: the anchors without a partner of a forward interval of kind
 * "life", unless the source asks for the partner. Their end is INFINITY.
 */
enum sample_need { NEED_RANGE, NEED_COUNT, NEED_ALL, NEED_UNMATCHED };

/*
 * Fills s, which is empty but for its has_ flags, in order of time; s->has_key is for sources with
 * "per". An instance belongs to its anchor's thread. Samples whose metric overflowed have no value:
 * they are counted in v->faults and left out. There may be more samples than are needed.
 */
void samples_collect(struct evaluation *v, const struct source_node *source, enum sample_need need,
		     struct value_samples *s);

#endif
