#include "base/spill.h"
#include "trace/open/describe.h"
#include "trace/open/grow.h"
#include "trace/open/load.h"
#include "trace/open/opened.h"
#include "trace/open/specs.h"
#include "trace/trace.h"
#include <stdlib.h>

static void making_init(struct opened *o)
{
	pthread_mutexattr_t recursive;

	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&o->making, &recursive);
	pthread_mutexattr_destroy(&recursive);
}

bool counts_make(struct opened *o, struct diag *diag)
{
	unsigned n = o->trace.spec->nevents;

	o->trace.events_of_type = calloc(n + 1, sizeof *o->trace.events_of_type);
	o->lists = calloc(n + 1, sizeof(struct event_list *));
	o->announced = calloc(n + 1, sizeof *o->announced);
	return (o->trace.events_of_type && o->lists && o->announced) || no_memory(diag);
}

struct opened *opened_new(void)
{
	struct opened *o = calloc(1, sizeof *o);

	if (!o)
		return NULL;
	making_init(o);
	o->holders = 1;
	return o;
}

struct opened *opened_hold(struct opened *o)
{
	if (o)
		o->holders++;
	return o;
}

static size_t logs_found(const struct opened *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->ndirectories; i++)
		n += o->directories[i].nlogs;
	return n;
}

/* Nothing can grow out of a log whose times step back. */
static void growth_note(struct opened *o)
{
	if (!o->growth)
		return;
	o->growth->schemas = o->schemas;
	for (size_t i = 0; i < o->nlogs; i++)
		o->growth->broken |= o->logs[i].disordered || o->logs[i].skipped.count;
}

static uint64_t logs_size(const struct opened *o)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < o->nlogs; i++)
		bytes += o->logs[i].size;
	return bytes;
}

static struct trace *open_all(const char *const *directories, unsigned n, const char *spec_path,
			      const struct trace_part *part, bool growing, struct diag *diag)
{
	struct opened *o = opened_new();

	if (!o) {
		no_memory(diag);
		return NULL;
	}
	o->part = part;
	if (directories_open(o, directories, n, diag) && specs_settle(o, spec_path, diag) &&
	    counts_make(o, diag)) {
		o->growth = growing ? growth_new(logs_found(o)) : NULL;
		if (logs_open(o, diag) && trace_describe(o, diag)) {
			growth_note(o);
			spill_fit_limit(logs_size(o));
			return &o->trace;
		}
	}
	trace_close(&o->trace);
	return NULL;
}

struct trace *trace_open_growing(const char *const *directories, unsigned n, const char *spec_path,
				 struct diag *diag)
{
	return open_all(directories, n, spec_path, NULL, true, diag);
}

struct trace *trace_open(const char *const *directories, unsigned n, const char *spec_path,
			 struct diag *diag)
{
	return open_all(directories, n, spec_path, NULL, false, diag);
}

struct trace *trace_open_part(const char *const *directories, unsigned n, const char *spec_path,
			      const struct trace_part *part, struct diag *diag)
{
	return open_all(directories, n, spec_path, part, false, diag);
}

/* The specification, and the ground of the logs. */
static void shared_free(struct opened *o)
{
	if (o->growth && !growth_release(o->growth))
		return;
	if (o->growth) {
		o->schemas = o->growth->schemas;
		growth_free(o->growth);
	}
	specs_clear(o);
}

/* What a trace that was told anew has of another. */
static void logs_free(struct opened *o)
{
	for (size_t i = 0; i < o->nlogs; i++)
		log_clear(&o->logs[i]);
	free(o->logs);
	free(o->threads);
	free(o->processes);
	shared_free(o);
	for (size_t i = 0; i < o->ndirectories; i++)
		directory_close(&o->directories[i]);
	free(o->directories);
}

void trace_close(struct trace *t)
{
	struct opened *o = t ? opened_of(t) : NULL, *base;

	if (!o || --o->holders)
		return;
	base = o->base;
	event_lists_free(o);
	sections_free(o->sections);
	free(o->trace.events_of_type);
	free(o->gaps);
	if (o->retold)
		spec_free(o->retold);
	else
		logs_free(o);
	pthread_mutex_destroy(&o->making);
	free(o);
	if (base)
		trace_close(&base->trace);
}
