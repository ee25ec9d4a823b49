/* A subject: one function, interval, lock, call site or thread that can be fixed. */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_SUBJECT_H
#define GLIMPSE_ANALYSIS_ACTIVITY_SUBJECT_H

#include "analysis/activity/instance_set.h"

enum subject_kind {
	SUBJECT_FUNCTION, /* what it runs itself, without what it calls */
	SUBJECT_INTERVAL,
	SUBJECT_LOCK,   /* while it is held */
	SUBJECT_SITE,   /* where waits, holds and input and output begin */
	SUBJECT_THREAD, /* while it runs or could run */
	NSUBJECTS
};

/* Its kind and key tell it from all others. */
struct subject {
	enum subject_kind kind;
	int64_t key;      /* number of its name (symbols_numbered()) */
	const char *name; /* the trace or its specification keeps it */
};

/* Returns a subject by its name, which is kept as long as it. */
struct subject subject_named(const struct trace *t, enum subject_kind kind, const char *name);
const char *subject_kind_name(enum subject_kind kind);

/*
 * Returns whether a class of a set that has SPANS_NAMED begins in a function; is of an interval;
 * is a lock while it is held; or begins at a site and is no call. A hold of no known lock, and what
 * begins at no known site, is of the subject of that kind with the name of its interval.
 */
bool subject_has_class(const struct instance_set *set, const struct subject *s,
		       const struct span_class *class);
bool subject_has_thread(const struct trace *t, const struct subject *s, uint32_t thread);

#endif
