/*
 * Finds what makes the program of a trace slow, and what fixing it gains: the entry point for the
 * command, the page and the live search. The hypotheses are those of the trace's specification, and
 * those that are always there.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_WHY_H
#define GLIMPSE_ANALYSIS_WHY_WHY_H

#include "analysis/rank/rank.h"
#include "analysis/why/busy.h"
#include "analysis/why/fix_plan.h"
#include "analysis/why/instance_conditions.h"
#include "analysis/why/search.h"
#include "base/array.h"

struct hypotheses {
	VECTOR(const struct hypothesis *) all;
	struct spec *ready_made; /* owned */
};

/* What of a trace is asked. */
struct why_options {
	/* a file with those that are otherwise always there; NULL: why.spec */
	const char *hypotheses;
	unsigned processors; /* 0: found from the trace */
	int64_t from, to;    /* times of the trace */
	/* what is looked for: findings; and what fixing them gains */
	bool search, rank;
	/* Which hypotheses are tested; NULL: all. */
	bool (*tests)(void *context, const struct hypothesis *h);
	void *context;
};

/* What was found. All of it stands on the same instances. */
struct why {
	struct hypotheses hypotheses;
	condition_list conditions;
	struct instance_set *set;
	struct evidence *evidence;
	struct search *search;       /* NULL: not asked */
	struct rank *rank;           /* NULL: not asked, or nothing was found */
	struct busy *busy;           /* NULL: not asked, or not all processors are busy */
	struct more_processors more; /* where threads are ready without one */
	struct fix_plan plan;        /* after the first finding's fix */
};

/*
 * Returns NULL after a report to diag, or if task_current is stopped, which it asks between its
 * parts; it counts its steps there. The trace makes event lists for it, for one caller at a time.
 */
struct why *why_of(struct trace *t, const struct why_options *o, struct diag *diag);
/* The same with a condition's measures in place of hypotheses: its evidence alone. */
struct why *why_of_condition(struct trace *t, unsigned processors, const struct expr *condition);
void why_free(struct why *w);

/*
 * Reads measures as a hypothesis has them, joined by &&, into a specification with one hypothesis;
 * NULL after a report to diag.
 */
struct spec *measures_read(const struct spec *spec, const char *text, struct diag *diag);

#endif
