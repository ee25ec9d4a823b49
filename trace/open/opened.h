/* What stands behind a struct trace. */
#ifndef GLIMPSE_TRACE_OPEN_OPENED_H
#define GLIMPSE_TRACE_OPEN_OPENED_H

#include "trace/log/growing_log.h"
#include "trace/open/directory.h"
#include "trace/trace.h"
#include <pthread.h>
#include <stdatomic.h>

struct sections;
struct event_list;

struct opened {
	struct trace trace;             /* first: a trace is the opened whose first member it is */
	atomic_uint holders;            /* it itself, until it is closed, and those whose base it is */
	struct opened *base;            /* has things that this one needs; NULL: it needs nothing */
	struct spec *retold;            /* NULL, or its own (trace/open/respecify.h): its logs are the base's then */
	struct spec **specs;            /* all that were read */
	size_t nspecs;
	struct spec *given;             /* with -s; one of specs */
	struct spec *joined;            /* several specs as one: owns its arrays only */
	struct schemas schemas;
	const struct trace_part *part;  /* NULL: all is wanted */
	struct directory *directories;
	size_t ndirectories;
	struct log *logs;               /* those that could be read, in the order of their threads */
	size_t nlogs;
	struct trace_thread *threads;   /* of the same index as logs */
	struct trace_process *processes;
	struct trace_gap *gaps;
	struct event_list **lists;      /* indexed by event_type.index; NULL: not built */
	bool *announced;
	struct sections *sections;      /* NULL: not made */
	struct growth *growth;          /* what other traces share with it; NULL: none do, and it owns all */
	uint64_t growths;               /* of it, when the logs were read */
	/* of lists, announced and sections, which are made when somebody asks first; recursive */
	pthread_mutex_t making;
};

static inline struct opened *opened_of(const struct trace *t)
{
	return (struct opened *)t;
}

/* Nothing is in it yet. NULL: no memory. */
struct opened *opened_new(void);
/* Not closed before the one who holds it closes it once more. */
struct opened *opened_hold(struct opened *o);

/* Collects the gaps of the trace, whose times must be known. */
void gaps_fill(struct opened *o);

/* Frees the sections of the stream; NULL is fine. */
void sections_free(struct sections *s);

/* Frees the lists of trace_events(). */
void event_lists_free(struct opened *o);

#endif
