/* Finds the instances of a trace's intervals that a change is about. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_SPAN_CHOICE_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_SPAN_CHOICE_H

#include "analysis/activity/subject.h"
#include "analysis/replay/changes/device_model.h"
#include "analysis/replay/changes/distribution.h"
#include "analysis/replay/recorded/model.h"
#include "base/array.h"
#include "trace/trace.h"
#include <stdbool.h>

enum span_change_kind {
	SPAN_SPEED, /* what runs in it is `factor` times as fast; INFINITY: gone */
	SPAN_IO,    /* input and output is, with its waiting */
	/* the same of any of them: what runs, and what waits for no other thread */
	SPAN_ALL_OF_IT,
	SPAN_TIME, /* each takes so long, but for what it waits for others */
	SPAN_HOLD, /* the same of locks while they are held */
};

/* A change of what threads do in some instances. */
struct span_change {
	enum span_change_kind kind;
	/*
	 * A pattern of functions, intervals, held locks or places; "thread:NAME"; or with `exact` a
	 * name. NULL: the subject says it.
	 */
	const char *what;
	const struct subject *subject;
	const char *where; /* a condition on the event that begins them; NULL: all */
	bool own;          /* of functions without what they call */
	bool exact;
	double factor;
	/*
	 * By index: all that these threads do is about it, with their waiting for no other thread,
	 * neither `what` nor the subject. NULL: none.
	 */
	const bool *threads;
	struct distribution length;
	struct device_model device; /* of SPAN_IO, in place of the factor */
	const char *device_text;    /* as it was asked for; NULL */
};

enum { MOST_CHANGES = 64, NOT_CHANGED = UINT32_MAX };

struct chosen_label {
	uint32_t change; /* NOT_CHANGED: an inner call, that ends own time */
	/*
	 * A key of the place that it begins at; of a fit the number of the event, of a device of
	 * the interval; -1: none.
	 */
	int64_t site;
	/* of the first of them; NULL: a thread, or an inner call */
	const struct event_type *start, *end;
};

struct span_choice {
	VECTOR(struct instance_span) spans; /* by thread, then start; class: the label */
	size_t *first;                      /* of each thread, and one more */
	VECTOR(struct chosen_label) labels;
	uint64_t sampled; /* bits: changes of calls that samples show */
};

/*
 * Returns what n <= MOST_CHANGES changes are about: of several the last that was given has an
 * instance. Returns NULL and sets *unknown to what is about nothing. The set has SPANS_ALL, and
 * SPANS_NAMED if a change has a subject; where a change has a condition, another one is found.
 */
struct span_choice *span_choice_of(const struct instance_set *set,
				   const struct span_change *changes, unsigned n,
				   const char **unknown);
/*
 * Returns the choice with holds that begin as early as they may have begun. NULL: it has none that
 * may have begun earlier. earliest: by hold of the model (recorded/early_holds.h).
 */
struct span_choice *span_choice_earlier(const struct span_choice *c, const struct model *m,
					const int64_t *earliest);
void span_choice_free(struct span_choice *c);

/* Whether a change is about threads as a whole. */
bool change_is_of_thread(const struct span_change *c);
/* Whether a change of threads is about one of the trace (index). */
bool change_is_about_thread(const struct span_change *c, const struct trace *t, uint32_t thread);
/*
 * Returns whether a change is about a name: of what it says, as a pattern or, if it is exact, as a
 * name.
 */
bool change_names(const char *what, bool exact, const char *name);

#endif
