#include "trace/open/respecify.h"
#include "base/array.h"
#include "spec/alike.h"
#include "trace/open/opened.h"

/* Gaps of one type of events tell it by the specification's. */
static void gaps_retell(struct opened *o, const struct opened *from)
{
	size_t n = from->trace.ngaps;

	o->trace.gaps = o->gaps = array_new(n, sizeof *o->gaps);
	for (size_t i = 0; i < n; i++) {
		o->gaps[i] = from->gaps[i];
		if (o->gaps[i].type)
			o->gaps[i].type = o->trace.spec->events[o->gaps[i].type->index];
	}
}

/* By event_type.index; what is made when it is asked for is the trace's own. */
static void types_retell(struct opened *o, const struct opened *from)
{
	unsigned n = o->trace.spec->nevents;

	o->trace.events_of_type = array_new(n + 1, sizeof *o->trace.events_of_type);
	for (unsigned i = 0; i < n; i++)
		o->trace.events_of_type[i] = from->trace.events_of_type[i];
	o->lists = array_zero(n + 1, sizeof(struct event_list *));
	o->announced = array_zero(n + 1, sizeof *o->announced);
}

/* What belongs to the trace that it was opened with. */
static void take_over(struct opened *o, const struct opened *from)
{
	o->trace = from->trace;
	o->specs = from->specs;
	o->nspecs = from->nspecs;
	o->given = from->given;
	o->joined = from->joined;
	o->schemas = from->schemas;
	o->directories = from->directories;
	o->ndirectories = from->ndirectories;
	o->logs = from->logs;
	o->nlogs = from->nlogs;
	o->threads = from->threads;
	o->processes = from->processes;
	o->growth = from->growth;
	o->growths = from->growths;
}

struct trace *trace_respecify(struct trace *t, struct spec *spec)
{
	struct opened *from = opened_of(t), *o = events_alike(t->spec, spec) ? opened_new() : NULL;

	if (!o)
		return NULL;
	take_over(o, from);
	o->base = opened_hold(from->retold ? from->base : from);
	o->retold = spec;
	o->trace.spec = spec;
	gaps_retell(o, from);
	types_retell(o, from);
	return &o->trace;
}
