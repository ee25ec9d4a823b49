/*
 * Lists what each thread of a trace does, for formats that have states that nest and messages
 * between threads. The marks are the ends of intervals within a thread, and the ends of intervals
 * between threads.
 */
#ifndef GLIMPSE_FORMATS_THREAD_MARKS_H
#define GLIMPSE_FORMATS_THREAD_MARKS_H

#include "analysis/activity/roles.h"
#include "base/array.h"
#include "formats/export.h"
#include "match/join/match.h"

/* At one event they come in this order. */
enum mark_kind {
	MARK_RECEIVE, /* an instance leads to this event, from another thread */
	MARK_SEND,
	/* an instance of the kind "hold" ends, or begins, whether it overlaps others or not */
	MARK_RELEASE,
	MARK_ACQUIRE,
	MARK_STATE_END,
	MARK_LEAVE, /* the innermost first */
	MARK_ENTER, /* the outermost first */
	MARK_STATE_BEGIN,
	MARK_DEATH, /* something ends that exists on its own: kind "life" of objects */
	MARK_BIRTH,
};
enum { NMARKS = MARK_BIRTH + 1 };

struct mark {
	uint64_t seq; /* of the event in its thread */
	enum mark_kind kind;
	uint32_t interval, anchor; /* in marks.intervals, and in its matches */
	/*
	 * Of a message, birth or death: the other thread, an index in the trace's threads; of a
	 * hold: which one of its object.
	 */
	uint32_t other;
};

struct marked_interval {
	struct role role;
	struct matches *matches;
	bool marked[NMARKS]; /* by enum mark_kind: there are some */
	size_t overlapping;  /* instances without marks, as they overlap others */
	size_t within;       /* the same, as a cause leads to its own thread */
};

struct marks {
	struct trace *trace;
	VECTOR(struct marked_interval) intervals;
	VECTOR(struct mark) * threads; /* as the trace's threads, by seq and kind */
};

enum marks_nesting {
	/* what a thread does is one hierarchy: calls go before other intervals, holds come last */
	NEST_ALL,
	/* the instances of each interval are a hierarchy of their own, and all states one */
	NEST_EACH,
};

/*
 * Finds the marks of a request's threads and intervals. An instance that overlaps another one of
 * its hierarchy has no marks: the later one, or that of the less important kind.
 */
void marks_make(struct marks *m, const struct export_request *r, enum marks_nesting nesting);
void marks_free(struct marks *m);

/*
 * Warns, of each interval, of the instances that have no marks as they overlap, or lead to their
 * own thread. Holds of objects have their marks MARK_ACQUIRE and MARK_RELEASE in any case.
 */
void marks_warn(const struct marks *m, const struct export_request *r,
		const struct export_format *f);

#endif
