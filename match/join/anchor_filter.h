/* Which events are anchors: those of which all that the condition says of the anchor alone is so. */
#ifndef GLIMPSE_MATCH_JOIN_ANCHOR_FILTER_H
#define GLIMPSE_MATCH_JOIN_ANCHOR_FILTER_H

#include "match/plan/plan.h"

/* Takes the moments that are no anchors out of the list; returns how many. The plan then asks no
 * more for what they were chosen by. */
size_t asked_choose(struct plan *plan, struct moments *anchors, uint64_t *faults);

#endif
