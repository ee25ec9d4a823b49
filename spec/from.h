/* Resolves the styles of events that are imported from text: from, time and earlier. */
#ifndef GLIMPSE_SPEC_FROM_H
#define GLIMPSE_SPEC_FROM_H

#include "spec/resolve_context.h"

/* Takes a style, if it is one of these; returns whether it is. */
bool from_take(struct resolve_context *r, struct event_type *e, const struct ast_look *l);
/* Compares the groups of the pattern with the attributes, after all styles of the event. */
void from_check(struct resolve_context *r, const struct event_type *e);

#endif
