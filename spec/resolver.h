/* What the steps share that turn syntax into a specification. Each step reports all its errors. */
#ifndef GLIMPSE_SPEC_RESOLVER_H
#define GLIMPSE_SPEC_RESOLVER_H

#include "spec/load.h"
#include "spec/spec.h"

struct resolver {
	struct spec *spec;
	const struct load *load;
	struct diag *diag;
	/* The items of the specification's events, intervals and assertions, by index. */
	const struct ast_item **event_items, **interval_items, **assertion_items;
};

#endif
