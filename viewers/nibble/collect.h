/*
 * From the trace to samples: the events or instances that a source selects, with their values and
 * keys.
 */
#ifndef GLIMPSE_NIBBLE_COLLECT_H
#define GLIMPSE_NIBBLE_COLLECT_H

#include "viewers/nibble/evaluate.h"

/*
 * Fills s, which is empty but for its has_ flags, in order of time; s->has_key is for sources with
 * "per". unmatched: the anchors without a partner instead of the instances. An instance belongs to
 * its anchor's thread. What has no value, because its metric overflowed, is counted in v->faults
 * and left out.
 */
void collect(struct evaluation *v, const struct source_node *source, bool unmatched,
	     struct samples *s);

#endif
