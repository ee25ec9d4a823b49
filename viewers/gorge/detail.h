/* All that there is to say of one event or one instance of an interval, as JSON. */
#ifndef GLIMPSE_GORGE_DETAIL_H
#define GLIMPSE_GORGE_DETAIL_H

#include "spec/json.h"
#include "viewers/gorge/model.h"

/* The event with that index among those of its type. */
void detail_event(struct model *m, const struct event_type *type, size_t index, struct json *j,
		  const char *key);

/* The instance of that anchor, with or without a partner. */
void detail_instance(struct model *m, const struct interval *interval, size_t anchor,
		     struct json *j, const char *key);

enum step { STEP_NEXT, STEP_PREVIOUS, STEP_LONGEST, STEP_NEXT_UNMATCHED, STEP_NONE };

/* The anchor that a step leads to; itself, when there is none in that direction. */
size_t detail_step(struct model *m, const struct interval *interval, size_t anchor, enum step step);

#endif
