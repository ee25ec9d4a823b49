/* What the steps share that make a specification of syntax. Each step reports all its errors. */
#ifndef GLIMPSE_SPEC_RESOLVE_CONTEXT_H
#define GLIMPSE_SPEC_RESOLVE_CONTEXT_H

#include "spec/load.h"
#include "spec/spec.h"

struct resolve_context {
	struct spec *spec;
	const struct load *load;
	struct diag *diag;
	/* The items of the specification's events, intervals and assertions, by index. */
	const struct ast_item **event_items, **interval_items, **assertion_items;
};

#endif
