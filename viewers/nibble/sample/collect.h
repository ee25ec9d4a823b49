/*
 * From the trace to samples: the events or instances that a source selects, with their values and
 * keys.
 */
#ifndef GLIMPSE_NIBBLE_SAMPLE_COLLECT_H
#define GLIMPSE_NIBBLE_SAMPLE_COLLECT_H

#include "viewers/nibble/series/evaluate.h"

/* Beside what stands in the range of time: how many there are before it; or all that began before
 * its end and did not end before it. */
enum need { NEED_RANGE, NEED_COUNT, NEED_ALL, NEED_UNMATCHED };

/*
 * Fills s, which is empty but for its has_ flags, in order of time; s->has_key is for sources with
 * "per". NEED_UNMATCHED: the anchors without a partner instead of the instances, all of them. An
 * instance belongs to its anchor's thread. What has no value, because its metric overflowed, is
 * counted in v->faults and left out. There may be more samples than are needed.
 */
void samples_collect(struct evaluation *v, const struct source_node *source, enum need need,
	     struct samples *s);

#endif
