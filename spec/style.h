/* Resolves the styles of events and intervals: symbols, connections, colours, labels, kinds. */
#ifndef GLIMPSE_SPEC_STYLE_H
#define GLIMPSE_SPEC_STYLE_H

#include "spec/resolve_context.h"

void event_style_resolve(struct resolve_context *r, struct event_type *e,
			 const struct ast_look *look);
void interval_style_resolve(struct resolve_context *r, struct interval *i,
			    const struct ast_look *look);

#endif
