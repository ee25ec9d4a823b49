/* What can be mended: intervals, locks, places in the program, threads; and the time that each takes. */
#ifndef GLIMPSE_ANALYSIS_RANK_SUBJECTS_H
#define GLIMPSE_ANALYSIS_RANK_SUBJECTS_H

#include "analysis/graph/graph.h"
#include "analysis/graph/span_list.h"
#include "base/hash.h"

enum subject_kind {
	SUBJECT_FUNCTION,       /* what it runs itself, without what it calls */
	SUBJECT_INTERVAL,
	SUBJECT_LOCK,           /* while it is held */
	SUBJECT_SITE,           /* where waits, holds and input and output begin */
	SUBJECT_THREAD,         /* while it runs or could run */
	NSUBJECTS
};
const char *subject_kind_name(enum subject_kind kind);

struct subject {
	enum subject_kind kind;
	const char *name;       /* the trace or its specification keeps it */
	size_t first, n;        /* its spans, by thread, in the order of time; they may overlap */
};

struct subjects {
	struct subject *at;
	size_t n, room;
	struct listed_span *spans;
	size_t nspans;
};

/* kinds: bits 1 << enum subject_kind. */
struct subjects *subjects_of(const struct graph *g, struct trace *t, unsigned kinds);
void subjects_free(struct subjects *s);

#endif
