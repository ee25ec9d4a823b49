/*
 * What makes a picture's cost depend on its pixels alone: each kind of event and interval, prepared
 * once for questions about any window. Parts are made when they are first asked for.
 */
#ifndef GLIMPSE_GORGE_PYRAMID_H
#define GLIMPSE_GORGE_PYRAMID_H

#include "viewers/gorge/model.h"
#include "viewers/gorge/sheet.h"
#include "viewers/gorge/stack.h"
#include "viewers/gorge/web.h"

struct pyramid;
struct pyramid *pyramid_new(struct model *m);
void pyramid_free(struct pyramid *p);

const struct sheet *pyramid_events(struct pyramid *p, const struct event_type *type);
const struct sheet *pyramid_unmatched(struct pyramid *p, const struct interval *interval);
const struct web *pyramid_web(struct pyramid *p, const struct interval *interval);

/*
 * chosen: by interval.index, which intervals are stacked; the stack's keys count them. It holds
 * until others are asked for.
 */
const struct stack *pyramid_stack(struct pyramid *p, const bool *chosen);

#endif
