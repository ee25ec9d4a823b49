#include "trace/open/respecify.h"
#include "base/array.h"
#include "spec/equal.h"
#include "trace/open/opened.h"

/* Copies the gaps; their event types become those of the specification. */
static void gaps_respecify(struct opened *o, const struct opened *from)
{
	size_t n = from->trace.ngaps;

	o->trace.gaps = o->gaps = array_new(n, sizeof *o->gaps);
	for (size_t i = 0; i < n; i++) {
		o->gaps[i] = from->gaps[i];
		if (o->gaps[i].type)
			o->gaps[i].type = o->trace.spec->events[o->gaps[i].type->index];
	}
}

/* Takes what the base owns. */
static void base_share(struct opened *o, const struct opened *from)
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
	struct opened *from = opened_of(t);
	struct opened *o = events_equal(t->spec, spec) ? opened_new() : NULL;

	if (!o)
		return NULL;
	base_share(o, from);
	o->base = opened_hold(from->own_spec ? from->base : from);
	o->own_spec = spec;
	o->trace.spec = spec;
	gaps_respecify(o, from);
	o->trace.events_of_type = array_new(spec->nevents, sizeof *o->trace.events_of_type);
	for (unsigned i = 0; i < spec->nevents; i++)
		o->trace.events_of_type[i] = from->trace.events_of_type[i];
	return &o->trace;
}
