/*
 * Indexes a trace's events: how many events of each kind a thread has before any time, and where in
 * its log they are. It has an entry for every block of a log, from which the log is read again, and
 * costs less than a byte an event.
 *
 * A kind is an event type; a type that an attribute shifts has SHIFTS kinds, one for each shift.
 * The unit of an event is its place in the log of its thread; units ascend with time.
 */
#ifndef GLIMPSE_GORGE_INDEX_EVENT_INDEX_H
#define GLIMPSE_GORGE_INDEX_EVENT_INDEX_H

#include "trace/trace.h"

/* ---- events by thread and unit ---- */

/* An event of the trace: the index of its thread above its unit. */
typedef uint64_t event_id;

static inline event_id event_id_make(unsigned thread, uint32_t unit)
{
	return (uint64_t)thread << 32 | unit;
}

static inline unsigned event_id_thread(event_id id)
{
	return (unsigned)(id >> 32);
}

static inline uint32_t event_id_unit(event_id id)
{
	return (uint32_t)id;
}

/*
 * Returns the first of the ascending units [i, end) that is at least unit; cheap when it is near i.
 */
size_t units_seek(const uint32_t *units, size_t i, size_t end, uint32_t unit);
/* The same when it is near guess, which is not before i. */
size_t units_near(const uint32_t *units, size_t i, size_t end, size_t guess, uint32_t unit);

/* ---- shifts: the attribute that shifts the symbol of an event within its lane ---- */

/* The places of a shifted symbol in its lane; 0 is at the bottom. */
enum { SHIFTS = 16 };

/* The values of such an attribute, over the whole trace. */
struct shift_range {
	double low, high;
};

struct shift_range shift_range_empty(void);
void shift_range_add(struct shift_range *r, const struct event *e);
/* Returns the place of the event's value in the range, below SHIFTS. */
uint8_t shift_range_place(const struct shift_range *r, const struct event *e);

/* ---- the index ---- */

struct event_index;
/* Reads all logs, on all processors. Returns NULL if a log is too large. */
struct event_index *event_index_new(const struct trace *t);
/*
 * Returns the index of a trace that has grown out of the one of another index; reads what is new.
 * Entries that are in both are the same, and so are their events' units. Returns NULL if the logs
 * have to be read anew.
 */
struct event_index *event_index_grow(const struct event_index *from, const struct trace *t);
/* Returns the index of the same events under another specification; it shares what was read. */
struct event_index *event_index_respecify(struct event_index *from, const struct trace *t);
/*
 * Returns the index of the same events whose times are their numbers in a logical order, which it
 * takes (index/logical.h).
 */
struct logical_order;
struct event_index *event_index_logical(struct event_index *from, struct logical_order *order);
void event_index_free(struct event_index *x);

const struct trace *event_index_trace(const struct event_index *x);
/* Returns the order of whose numbers its times are made; NULL: they are those of the clocks. */
const struct logical_order *event_index_order(const struct event_index *x);
/* Returns the time of the last event; gives those of a thread's first and last event. */
int64_t event_index_duration(const struct event_index *x);
void event_index_life(const struct event_index *x, unsigned thread, int64_t *first, int64_t *last);
/* Returns how many kinds there are; the first one of a type, and in *n how many it has. */
unsigned event_index_kinds(const struct event_index *x);
unsigned event_index_kind(const struct event_index *x, const struct event_type *type, unsigned *n);
const struct shift_range *event_index_range(const struct event_index *x,
					    const struct event_type *type);
/* Returns how many events of each kind a thread has. */
const uint64_t *event_index_totals(const struct event_index *x, unsigned thread);

#endif
