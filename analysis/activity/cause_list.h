/*
 * Finds what woke or released which thread: the instances of all intervals of kind "cause", once
 * for all callers.
 */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_CAUSE_LIST_H
#define GLIMPSE_ANALYSIS_ACTIVITY_CAUSE_LIST_H

#include "analysis/activity/roles.h"
#include "trace/trace.h"

struct cause_list {
	struct role *roles;
	struct matches **matches; /* of each role */
	unsigned n;
};

/* The trace makes event lists for it, and those that are announced, for one caller at a time. */
void cause_list_find(struct cause_list *c, struct trace *t);
void cause_list_free(struct cause_list *c);

typedef void cause_visit(void *context, const struct event *earlier, const struct event *later);
/* Visits the instances of a role. */
void cause_list_each(const struct cause_list *c, unsigned role, cause_visit *visit, void *context);

#endif
