/* Selects the anchors: the events that satisfy every conjunct about the anchor alone. */
#ifndef GLIMPSE_MATCH_JOIN_ANCHOR_FILTER_H
#define GLIMPSE_MATCH_JOIN_ANCHOR_FILTER_H

#include "match/plan/plan.h"

/* Removes the moments that are no anchors from the list, and returns how many they were. The plan
 * does not test them again by what they were chosen by. */
size_t anchors_choose(struct plan *plan, struct moments *anchors, uint64_t *faults);

#endif
