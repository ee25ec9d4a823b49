/* Declares the whole of an open trace; its public part is a struct trace. */
#ifndef GLIMPSE_TRACE_OPEN_OPENED_H
#define GLIMPSE_TRACE_OPEN_OPENED_H

#include "trace/log/growing_log.h"
#include "trace/open/directory.h"
#include "trace/trace.h"
#include <pthread.h>
#include <stdatomic.h>

struct sections;
struct event_lists;
struct symbols;
struct objects;
struct wait_sites;
struct stack_sites;

struct opened {
	struct trace trace;    /* first: a trace is the opened whose first member it is */
	atomic_uint holders;   /* itself until it is closed, and those whose base it is */
	struct opened *base;   /* has things that this one needs; NULL: it needs nothing */
	struct spec *own_spec; /* of a respecified trace: its base has the logs */
	struct spec **specs;   /* all that were read */
	size_t nspecs;
	struct spec *given;  /* with -s; one of specs */
	struct spec *joined; /* several specs as one: owns its arrays only */
	struct schemas schemas;
	const struct trace_part *part; /* NULL: all is wanted */
	bool even_empty;               /* it may have no logs */
	struct directory *directories;
	size_t ndirectories;
	struct log *logs; /* those that could be read, by thread */
	size_t nlogs;
	struct trace_thread *threads; /* of the same index as logs */
	struct trace_process *processes;
	struct trace_gap *gaps;
	struct trace_missing *missing;
	struct growth *growth; /* shared with other traces; NULL: the trace owns all */
	uint64_t growths;      /* of growth, when the logs were read */
	/* What trace/stream keeps with the trace: NULL until it is first asked for. */
	struct sections *sections;
	void (*sections_free)(struct sections *s);
	struct event_lists *lists;
	void (*lists_free)(struct event_lists *l);
	/* What trace/symbols keeps with it; a trace with its own_spec has those of its base. */
	struct symbols *symbols;
	void (*symbols_free)(struct symbols *s);
	struct objects *objects; /* its own, as they depend on its specification */
	void (*objects_free)(struct objects *x);
	struct wait_sites *wait_sites; /* its own, too */
	void (*wait_sites_free)(struct wait_sites *w);
	struct stack_sites *stack_sites; /* its own, too */
	void (*stack_sites_free)(struct stack_sites *s);
	pthread_mutex_t making; /* of all these; recursive */
};

static inline struct opened *opened_of(const struct trace *t)
{
	return (struct opened *)t;
}

/*
 * Opens a directory as trace_open() does, but leaves logs whose times step back as they are: for
 * those who read logs, and no events.
 */
struct trace *trace_open_as_written(const char *directory, struct diag *diag);
/*
 * Opens a directory, but leaves the recorder's logs apart from the threads' own: for those who
 * merge them.
 */
struct trace *trace_open_apart(const char *directory, struct diag *diag);

/* Returns an empty one, whose logs are read from now on, or NULL when there is no memory. */
struct opened *opened_new(void);
/* Delays closing until trace_close() is called once more. */
struct opened *opened_hold(struct opened *o);
/* Makes the counts by event type; returns false after a report to diag. */
bool opened_make_counts(struct opened *o, struct diag *diag);

void directories_close(struct opened *o);

/* Reports to diag that there is no memory, and returns false. */
bool report_no_memory(struct diag *diag);

#endif
