#include "trace/trace.h"
#include "trace/describe.h"
#include "trace/load.h"
#include "trace/opened.h"
#include "trace/specs.h"
#include <stdlib.h>

static void making_init(struct opened *o)
{
	pthread_mutexattr_t recursive;

	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&o->making, &recursive);
	pthread_mutexattr_destroy(&recursive);
}

static bool counts_make(struct opened *o, struct diag *diag)
{
	unsigned n = o->trace.spec->nevents;

	o->trace.events_of_type = calloc(n + 1, sizeof *o->trace.events_of_type);
	o->lists = calloc(n + 1, sizeof(struct event_list *));
	o->announced = calloc(n + 1, sizeof *o->announced);
	return (o->trace.events_of_type && o->lists && o->announced) || no_memory(diag);
}

struct trace *trace_open(const char *const *directories, unsigned n, const char *spec_path,
			 struct diag *diag)
{
	return trace_open_part(directories, n, spec_path, NULL, diag);
}

struct trace *trace_open_part(const char *const *directories, unsigned n, const char *spec_path,
			      const struct trace_part *part, struct diag *diag)
{
	struct opened *o = calloc(1, sizeof *o);

	if (!o) {
		no_memory(diag);
		return NULL;
	}
	o->part = part;
	making_init(o);
	if (directories_open(o, directories, n, diag) && specs_settle(o, spec_path, diag) &&
	    counts_make(o, diag) && logs_open(o, diag) && trace_describe(o, diag))
		return &o->trace;
	trace_close(&o->trace);
	return NULL;
}

void trace_close(struct trace *t)
{
	struct opened *o = t ? opened_of(t) : NULL;

	if (!o)
		return;
	event_lists_free(o);
	sections_free(o->sections);
	free(o->trace.events_of_type);
	for (size_t i = 0; i < o->nlogs; i++)
		log_clear(&o->logs[i]);
	free(o->logs);
	free(o->threads);
	free(o->gaps);
	free(o->processes);
	specs_clear(o);
	for (size_t i = 0; i < o->ndirectories; i++)
		directory_close(&o->directories[i]);
	free(o->directories);
	pthread_mutex_destroy(&o->making);
	free(o);
}
