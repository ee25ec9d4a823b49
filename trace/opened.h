/* What stands behind a struct trace. */
#ifndef GLIMPSE_TRACE_OPENED_H
#define GLIMPSE_TRACE_OPENED_H

#include "trace/directory.h"
#include "trace/ground.h"
#include "trace/section.h"
#include "trace/trace.h"
#include <pthread.h>

struct opened {
	struct trace trace;             /* first: a trace is the opened whose first member it is */
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
	/* of lists, announced and sections, which are made when somebody asks first; recursive */
	pthread_mutex_t making;
};

static inline struct opened *opened_of(const struct trace *t)
{
	return (struct opened *)t;
}

/* Nothing is in it yet. NULL: no memory. */
struct opened *opened_new(void);

/* Collects the gaps of the trace, whose times must be known. */
void gaps_fill(struct opened *o);

/* Frees the lists of trace_events(). */
void event_lists_free(struct opened *o);

#endif
