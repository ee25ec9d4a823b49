/*
 * A trace, the index of its events, and the instances of its intervals. With them the cost of a
 * picture depends on its pixels alone. The index is made when the trace is opened; instances are
 * found in the background.
 *
 * Scenes name things by the event with which they begin (event_id). Elsewhere events have an index:
 * how many events of the same type are before them in the stream. An instance has the index of its
 * anchor.
 */
#ifndef GLIMPSE_GORGE_INDEX_TRACE_INDEX_H
#define GLIMPSE_GORGE_INDEX_TRACE_INDEX_H

#include "viewers/gorge/index/matcher.h"
#include "viewers/gorge/index/reasons.h"
#include "viewers/gorge/index/stacking.h"

struct trace_index {
	struct trace *trace;
	const struct event_index *events;
	struct generation *generation; /* has both */
	struct matcher *matcher;
	unsigned *places;              /* of the threads' lanes: see viewers/thread_places.h */
	struct matches **matches;      /* by interval.index; NULL: not asked for yet */
	char *losses;                  /* what the trace lacks, in a sentence; NULL: nothing */
	unsigned processors;           /* which the program may run on; 0: not known */
	struct reasons *reasons;       /* the last ones; NULL: none were asked for yet */
	struct object_finder *objects; /* see object_index.h; NULL: not asked for yet */
	struct stack_finder *stacks;   /* see stack_times.h; NULL: not asked for yet */
	atomic_uint holders;
};

/*
 * Reads all logs of a trace, which is closed with the index. Returns NULL, and diag is told, if the
 * trace is too large: then it is closed.
 */
struct trace_index *trace_index_new(struct trace *trace, struct diag *diag);
/*
 * Makes an index of the same events under another specification, which it takes; instances of
 * intervals that are defined as before are shared. Returns NULL, and does not take the
 * specification, if the events are others.
 */
struct trace_index *trace_index_respecify(struct trace_index *t, struct spec *spec);
/*
 * Makes an index of the same trace whose times are columns of a logical order (index/logical.h);
 * waits until this is found.
 */
struct trace_index *trace_index_logical(struct trace_index *t);
/* Adds a holder; the first one is who made the index. The last trace_index_free() frees it. */
struct trace_index *trace_index_hold(struct trace_index *t);
void trace_index_free(struct trace_index *t);

/*
 * Goes on to a newer generation of the trace, which it takes. Instances that were found before are
 * given out until trace_index_renew() takes up those that were found since. Nobody else may use the
 * index during either call.
 */
void trace_index_grow(struct trace_index *t, struct generation *g);
void trace_index_renew(struct trace_index *t);

/*
 * Returns all instances of an interval; waits until they are found. Their spans stay as they are
 * until the same thread calls trace_index_used(); after that, pictures of other intervals may
 * change them.
 */
struct instances *trace_index_use(const struct trace_index *t, const struct interval *interval);
void trace_index_used(void);

/* Returns the matches of an interval, which stay until the index grows, is renewed or freed. */
const struct matches *trace_index_matches(struct trace_index *t, const struct interval *interval);

/*
 * Returns the rows of the chosen intervals (by interval.index); their keys count those. Those in
 * apart have none. To be freed by the same thread.
 */
struct span_rows *trace_index_rows(const struct trace_index *t, const bool *chosen,
				   const bool *apart);

/*
 * Explains the blocked states by these intervals. Returns NULL while not all of them are found. For
 * who holds their rows, until these are freed; the caller frees the reasons.
 */
struct reasons *trace_index_reasons(struct trace_index *t, const struct interval *blocked,
				    const struct interval *const *waits, unsigned n);

#endif
