/* From matches to spans. */
#ifndef GLIMPSE_GORGE_INDEX_INSTANCES_SORT_H
#define GLIMPSE_GORGE_INDEX_INSTANCES_SORT_H

#include "viewers/gorge/index/instances.h"

/* Puts each instance into its spans, in no order, and lists the anchors without a partner. Nothing is in them before. */
void instances_sort(struct instances *to, const struct matches *from);

#endif
