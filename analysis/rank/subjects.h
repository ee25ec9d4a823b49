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
};

/* What a span counts for. */
enum { SUBJECTS_OF_SPAN = 3 };
#define NO_SUBJECT UINT32_MAX
struct span_label {
	uint32_t subjects[SUBJECTS_OF_SPAN];    /* NO_SUBJECT: none, nor after it */
};

struct subjects {
	const struct graph *graph;
	VECTOR(struct subject) all;
	VECTOR(struct span_label) labels;
	struct span_list spans;         /* number: of the label */
};

/* kinds: bits 1 << enum subject_kind. */
struct subjects *subjects_of(const struct graph *g, struct trace *t, unsigned kinds);
/*
 * Calls visit for the time of each subject, thread by thread (index) in the order of time, each
 * moment once. chosen: only these, by subject; NULL: all.
 */
typedef void subject_visit(void *context, size_t subject, uint32_t thread, int64_t from, int64_t to);
void subjects_each(const struct subjects *s, const bool *chosen, subject_visit *visit, void *context);
void subjects_free(struct subjects *s);

#endif
