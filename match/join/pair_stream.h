/*
 * Pairs the ends of intervals while the events of a trace pass by, in the order of the stream. No
 * list of events is needed: of each interval only those events are kept that a later one may still
 * find, and no more than pair_stream_most of all intervals together.
 *
 *	stream   U1  U2  U3        E4      U5  E6
 *	kept     U1  U2  U3        U3      U5  U5       E: looks for the newest U of its key
 *
 * The instances are those of match_interval() as long as that is enough. Beyond it the oldest event
 * is forgotten, and what may have needed it is counted.
 */
#ifndef GLIMPSE_MATCH_JOIN_PAIR_STREAM_H
#define GLIMPSE_MATCH_JOIN_PAIR_STREAM_H

#include "trace/trace.h"

/* How many events may be kept, of some 120 bytes each; tests make it small. */
extern size_t pair_stream_most;

/* Is given an instance of an interval: its number, its earlier and its later event. */
typedef void pair_visit(void *context, unsigned interval, const struct event *earlier,
			const struct event *later);

struct pair_stream;

/*
 * Begins to pair n intervals, which must be between events and outlive the stream. Never returns
 * NULL. The events have no seq for the visitor.
 */
struct pair_stream *pair_stream_new(const struct trace *t, const struct interval *const *intervals,
				    unsigned n, pair_visit *visit, void *context);
/* Puts the next event; its seq is not used. */
void pair_stream_put(struct pair_stream *s, const struct event *e);
/* Returns how many events may lack an instance, or have another one, as others were forgotten. */
uint64_t pair_stream_unsure(const struct pair_stream *s);
void pair_stream_free(struct pair_stream *s);

/* Puts all events of the trace. */
void pair_stream_read(struct pair_stream *s, struct trace *t);

#endif
