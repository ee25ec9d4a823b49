/*
 * Traces: one or several log directories, opened, merged in the total order of DESIGN section 3.
 * Everything is read through maps of the logs; a trace owns all that it hands out.
 */
#ifndef GLIMPSE_TRACE_TRACE_H
#define GLIMPSE_TRACE_TRACE_H

#include "grammar/diag.h"
#include "spec/spec.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_thread {
	uint32_t number;        /* in this trace: counts through all its directories */
	const char *name;       /* the newest name; "thread N" when it has none */
	const char *path;       /* the log's file */
	uint32_t process;       /* process id; 0 in the original format */
	uint64_t tid;
	uint64_t events;
	uint64_t bytes;         /* of its log, tail included */
	uint64_t lost;          /* events that the runtime says it could not write */
	uint64_t skipped;       /* bytes that could not be read */
	int64_t first, last;    /* times of its first and last event; 0 when it has none */
};

struct trace {
	const struct spec *spec;        /* of the log, or the one given */
	const struct trace_thread *threads;
	unsigned nthreads;
	uint64_t events;
	uint64_t *events_of_type;       /* indexed by event_type.index */
	int64_t origin;                 /* CLOCK_MONOTONIC (ns) of the first event: time 0 */
	int64_t origin_real;            /* the same moment, CLOCK_REALTIME; 0 when unknown */
	int64_t duration;               /* time of the last event */
	uint64_t lost;
};

/*
 * Opens n log directories as one trace. spec_path: another specification than the one in the logs, or NULL.
 * Tells diag of everything it had to skip; NULL when there is nothing to read or the specification is wrong.
 */
struct trace *trace_open(const char *const *directories, unsigned n, const char *spec_path, struct diag *diag);
void trace_close(struct trace *t);

/* One event of the stream. */
struct event {
	int64_t time;                   /* nanoseconds since the trace's first event */
	const struct event_type *type;
	const unsigned char *record;    /* native byte order; see record_value() in spec/expr.h */
	uint32_t thread;                /* number in the trace */
	uint64_t seq;                   /* counts the thread's events from 0 */
};

struct operand event_operand(const struct trace *t, const struct event *e);

/* The merged stream, in order of (time, thread, seq). */
struct merge;
struct merge *merge_open(const struct trace *t);
bool merge_next(struct merge *m, struct event *e);
void merge_close(struct merge *m);

/*
 * All events of one type, in the order of the stream, with random access; built on first use, kept with the trace.
 * rank: the event's position in the whole stream, which decides "earlier" and "later" where times are equal.
 */
struct event_list;
const struct event_list *trace_events(struct trace *t, const struct event_type *type);
size_t event_list_size(const struct event_list *l);
void event_list_get(const struct event_list *l, size_t i, struct event *e);
int64_t event_list_time(const struct event_list *l, size_t i);
uint64_t event_list_rank(const struct event_list *l, size_t i);

#endif
