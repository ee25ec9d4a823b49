#include "trace/open/opened.h"
#include "base/monotonic.h"
#include "trace/label.h"
#include "trace/open/missing.h"
#include <stdlib.h>

bool report_no_memory(struct diag *diag)
{
	diag_error(diag, DIAG_NOWHERE, "out of memory for the trace");
	return false;
}

struct opened *opened_new(void)
{
	struct opened *o = calloc(1, sizeof *o);
	pthread_mutexattr_t recursive;

	if (!o)
		return NULL;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&o->making, &recursive);
	pthread_mutexattr_destroy(&recursive);
	o->holders = 1;
	o->trace.read_from = monotonic_now();
	return o;
}

struct opened *opened_hold(struct opened *o)
{
	if (o)
		o->holders++;
	return o;
}

bool opened_make_counts(struct opened *o, struct diag *diag)
{
	o->trace.events_of_type = calloc(o->trace.spec->nevents + 1, sizeof(uint64_t));
	return o->trace.events_of_type || report_no_memory(diag);
}

/* ---- closing ---- */

static void specs_free(struct opened *o)
{
	schemas_clear(&o->schemas);
	if (o->joined) {
		free(o->joined->name);
		free(o->joined->text);
		free(o->joined->events);
		free(o->joined->intervals);
		free(o->joined->assertions);
		free(o->joined->object_words);
		free(o->joined);
	}
	for (size_t i = 0; i < o->nspecs; i++)
		spec_free(o->specs[i]);
	free(o->specs);
}

/* Frees the specification and the logs' memory, if no other trace shares them. */
static void shared_free(struct opened *o)
{
	if (o->growth && !growth_release(o->growth))
		return;
	if (o->growth) {
		o->schemas = o->growth->schemas;
		growth_free(o->growth);
	}
	specs_free(o);
}

void directories_close(struct opened *o)
{
	for (size_t i = 0; i < o->ndirectories; i++)
		directory_close(&o->directories[i]);
	free(o->directories);
}

/* Frees what a respecified trace has from its base. */
static void logs_free(struct opened *o)
{
	labels_free(o->threads, o->trace.nthreads);
	for (size_t i = 0; i < o->nlogs; i++)
		log_clear(&o->logs[i]);
	free(o->logs);
	free(o->threads);
	free(o->processes);
	missing_free(o);
	shared_free(o);
	directories_close(o);
}

void trace_close(struct trace *t)
{
	struct opened *o = t ? opened_of(t) : NULL, *base;

	if (!o || --o->holders)
		return;
	base = o->base;
	if (o->lists)
		o->lists_free(o->lists);
	if (o->sections)
		o->sections_free(o->sections);
	if (o->objects)
		o->objects_free(o->objects);
	if (o->stack_sites)
		o->stack_sites_free(o->stack_sites);
	if (o->wait_sites)
		o->wait_sites_free(o->wait_sites);
	if (o->symbols)
		o->symbols_free(o->symbols);
	free(o->trace.events_of_type);
	free(o->gaps);
	if (o->own_spec)
		spec_free(o->own_spec);
	else
		logs_free(o);
	pthread_mutex_destroy(&o->making);
	free(o);
	if (base)
		trace_close(&base->trace);
}
