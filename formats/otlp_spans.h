/*
 * Finds the spans of OpenTelemetry: the instances of intervals, with the span that encloses each,
 * and those of other threads that it is linked with.
 */
#ifndef GLIMPSE_FORMATS_OTLP_SPANS_H
#define GLIMPSE_FORMATS_OTLP_SPANS_H

#include "analysis/activity/roles.h"
#include "base/array.h"
#include "match/join/match.h"

/* No span has this number. */
enum { OTLP_NO_SPAN = 0 };

struct otlp_span {
	int64_t start, end;
	uint64_t parent; /* its number; OTLP_NO_SPAN: none encloses it */
	uint64_t other;  /* that of the other thread in which its partner is; OTLP_NO_SPAN */
	uint32_t interval, anchor; /* in the list of intervals, and in its matches */
	bool crosses;              /* its partner is in another thread */
	bool encloses;             /* it can be a parent, and have events */
};

struct otlp_interval {
	struct role role;
	struct matches *matches;
	bool encloses;
};

/* An event that a cause let go on. */
struct otlp_caused {
	const unsigned char *record;
	uint64_t cause; /* the number of its span */
};

struct otlp_spans {
	struct trace *trace;
	VECTOR(struct otlp_interval) intervals;
	VECTOR(struct otlp_span) *
	    threads; /* as the trace's threads; of two with one start the longer is first */
	VECTOR(struct otlp_caused) caused; /* by their records */
};

/*
 * Finds the instances of intervals, a list that ends with NULL, with their anchors in the threads
 * (NULL: all).
 */
void otlp_spans_make(struct otlp_spans *s, struct trace *t, const bool *threads,
		     const struct interval *const *intervals);
void otlp_spans_free(struct otlp_spans *s);

/* Returns the number of a span, which is the same whatever else is exported. */
uint64_t otlp_span_number(const struct otlp_spans *s, const struct otlp_span *span);
/*
 * Returns the first cause that let an event go on, or where it would be. Others of the same record
 * follow it in the vector.
 */
const struct otlp_caused *otlp_causes_of(const struct otlp_spans *s, const unsigned char *record);

/* The spans that are open in a thread, the innermost last. None ends after the one before it. */
struct otlp_open {
	int64_t end;
	size_t span; /* index in its thread */
};
typedef VECTOR(struct otlp_open) otlp_open_vector;

/* Returns how many of them are not over before a time; the last of those is the innermost. */
size_t otlp_open_at(const otlp_open_vector *open, int64_t time);

#endif
