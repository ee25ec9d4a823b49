/*
 * What the steps share that turn syntax into a specification. Each step tells diag of all errors it
 * finds.
 */
#ifndef GLIMPSE_SPEC_RESOLVER_H
#define GLIMPSE_SPEC_RESOLVER_H

#include "spec/load.h"
#include "spec/spec.h"

struct resolver {
	struct spec *spec;
	const struct load *load;
	struct diag *diag;
	/*
	 * The items that the events, intervals and assertions of the specification come from, by
	 * index.
	 */
	const struct ast_item **event_items, **interval_items, **assertion_items;
};

/*
 * Enters all names, refuses those used twice; from then on spec_event() and spec_interval() find
 * them.
 */
void names_enter(struct resolver *r);
/* Members, types, layout and looks. */
void events_resolve(struct resolver *r);
/* Ends, pairing, conditions, metrics and looks. */
void intervals_resolve(struct resolver *r);
void assertions_resolve(struct resolver *r);
/* Warns of what is allowed and probably wrong. Only for specifications without errors. */
void spec_lint(const struct spec *s, struct diag *diag);

/* The specification with its imports written in place. */
char *spec_text(struct arena *a, const char *name, const struct load *load);

/* Warns of attributes that were meant as types. */
void members_lint(struct resolver *r, const struct ast_event *e);

void event_look(struct resolver *r, struct event_type *e, const struct ast_look *look);
void interval_look_resolve(struct resolver *r, struct interval *i, const struct ast_look *look);

/* An error about a name that does not exist; near, if not NULL, is suggested. */
__attribute__((format(printf, 4, 5)))
void error_unknown(struct diag *diag, struct span where, const char *near, const char *format, ...);

/* The nearest names of what a specification or an event has; NULL if none is near. */
const char *nearest_event(const struct spec *s, const char *name);
const char *nearest_interval(const struct spec *s, const char *name);
const char *nearest_attribute(const struct event_type *e, const char *name);
const char *nearest_metric(const struct interval *i, const char *name);

/* Whether every alias has an attribute of this name: time, thread, owner. */
bool is_intrinsic(const char *name);

#endif
