#include "base/spill.h"
#include "spec/qualified.h"
#include "trace/open/describe.h"
#include "trace/open/grow.h"
#include "trace/open/load.h"
#include "trace/open/recorder_join.h"
#include "trace/open/runs.h"
#include "trace/open/specs.h"

/*
 * Logs that are damaged, or whose times step back, cannot grow; nor can those with which a
 * recorder's are joined.
 */
static void growth_note(struct opened *o)
{
	if (!o->growth)
		return;
	o->growth->schemas = o->schemas;
	for (size_t i = 0; i < o->nlogs; i++)
		o->growth->broken |= o->logs[i].disordered || o->logs[i].skipped.count;
	for (size_t i = 0; i < o->ndirectories; i++)
		o->growth->broken |= directory_is_recorder(&o->directories[i]);
}

static uint64_t logs_size(const struct opened *o)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < o->nlogs; i++)
		bytes += o->logs[i].size; /* without holes */
	return bytes;
}

/* How a trace is opened. */
struct opening {
	const struct trace_part *part;
	bool growing, as_written, even_empty, apart;
};

static bool part_wants(const struct trace_part *part, const struct event_type *e)
{
	for (unsigned i = 0; i < part->nevents; i++)
		if (event_is_called(e, part->events[i]))
			return true;
	return part->nevents == 0;
}

/*
 * Returns whether other events say what an event is: all before it give an object its number, and
 * the call stack of a wait may give it its call site.
 */
static bool event_needs_others(const struct spec *spec, const struct event_type *e)
{
	for (unsigned i = 0; i < e->nattributes; i++)
		if (e->attributes[i].type == TYPE_OBJECT)
			return true;
	return event_begins_wait(spec, e);
}

static bool part_needs_all(const struct trace_part *part, const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nevents; i++)
		if (event_needs_others(spec, spec->events[i]) && part_wants(part, spec->events[i]))
			return true;
	return false;
}

static bool logs_settle(struct opened *o, const struct opening *how, struct diag *diag)
{
	if (!logs_open(o, diag))
		return false;
	recorder_join(o, how->as_written || how->apart);
	return trace_describe(o, diag) && runs_are_one(o, diag);
}

static struct trace *open_all(const char *const *directories, unsigned n, const char *spec_path,
			      const struct opening *how, struct diag *diag)
{
	struct opened *o = opened_new();

	if (!o) {
		report_no_memory(diag);
		return NULL;
	}
	o->even_empty = how->even_empty;
	if (directories_open(o, directories, n, diag) && specs_settle(o, spec_path, diag) &&
	    opened_make_counts(o, diag)) {
		if (how->part && !part_needs_all(how->part, o->trace.spec))
			o->part = how->part;
		o->growth = how->growing ? growth_new(logs_found(o)) : NULL;
		if (logs_settle(o, how, diag)) {
			growth_note(o);
			spill_fit_limit(logs_size(o));
			if (!how->as_written)
				logs_order(o);
			return &o->trace;
		}
	}
	trace_close(&o->trace);
	return NULL;
}

struct trace *trace_open_growing(const char *const *directories, unsigned n, const char *spec_path,
				 struct diag *diag)
{
	return open_all(directories, n, spec_path, &(struct opening){.growing = true}, diag);
}

struct trace *trace_open(const char *const *directories, unsigned n, const char *spec_path,
			 struct diag *diag)
{
	return open_all(directories, n, spec_path, &(struct opening){.part = NULL}, diag);
}

struct trace *trace_open_even_empty(const char *const *directories, unsigned n,
				    const char *spec_path, struct diag *diag)
{
	return open_all(directories, n, spec_path, &(struct opening){.even_empty = true}, diag);
}

struct trace *trace_open_part(const char *const *directories, unsigned n, const char *spec_path,
			      const struct trace_part *part, struct diag *diag)
{
	return open_all(directories, n, spec_path, &(struct opening){.part = part}, diag);
}

struct trace *trace_open_as_written(const char *directory, struct diag *diag)
{
	return open_all(&directory, 1, NULL, &(struct opening){.as_written = true}, diag);
}

struct trace *trace_open_apart(const char *directory, struct diag *diag)
{
	return open_all(&directory, 1, NULL, &(struct opening){.apart = true}, diag);
}
