/* Lists what can be fixed: intervals, locks, call sites, threads; and the time of each. */
#ifndef GLIMPSE_ANALYSIS_RANK_SUBJECTS_H
#define GLIMPSE_ANALYSIS_RANK_SUBJECTS_H

#include "analysis/activity/on_time.h"
#include "analysis/activity/subject.h"
#include "analysis/graph/graph.h"
#include "base/hash.h"

/* What a span counts for. */
enum { SUBJECTS_OF_SPAN = 3 };
#define NO_SUBJECT UINT32_MAX
struct span_label {
	uint32_t subjects[SUBJECTS_OF_SPAN]; /* NO_SUBJECT: none, nor after it */
};

struct subjects {
	const struct graph *graph;
	const struct instance_set *set;
	VECTOR(struct subject) all;
	struct span_label *labels; /* by class of the set */
	uint32_t *threads;         /* by thread: the subject that it is; NO_SUBJECT */
	/*
	 * By subject: when the events of all its intervals were on. Its time is only looked at
	 * then.
	 */
	struct on_time *on;
};

/*
 * kinds: bits 1 << enum subject_kind. The set has SPANS_ALL and SPANS_NAMED; it and the graph are
 * needed as long as the result.
 */
struct subjects *subjects_of(const struct instance_set *set, const struct graph *g, unsigned kinds);
/*
 * Calls visit for the time of each subject while its events were on, thread by thread (index) in
 * the order of time, each moment once. chosen: only these, by subject; NULL: all.
 */
typedef void subject_visit(void *context, size_t subject, uint32_t thread, int64_t from,
			   int64_t to);
void subjects_each(const struct subjects *s, const bool *chosen, subject_visit *visit,
		   void *context);
/*
 * The same of the threads from one to before another; several ranges may be visited at the same
 * time.
 */
void subjects_each_between(const struct subjects *s, uint32_t first, uint32_t end,
			   const bool *chosen, subject_visit *visit, void *context);
void subjects_free(struct subjects *s);

#endif
