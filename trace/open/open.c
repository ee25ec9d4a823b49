#include "base/spill.h"
#include "trace/open/describe.h"
#include "trace/open/grow.h"
#include "trace/open/load.h"
#include "trace/open/specs.h"

static size_t logs_found(const struct opened *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->ndirectories; i++)
		n += o->directories[i].nlogs;
	return n;
}

/* Logs that are damaged, or whose times step back, cannot grow. */
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
		bytes += o->logs[i].size; /* without holes */
	return bytes;
}

static struct trace *open_all(const char *const *directories, unsigned n, const char *spec_path,
			      const struct trace_part *part, bool growing, struct diag *diag)
{
	struct opened *o = opened_new();

	if (!o) {
		report_no_memory(diag);
		return NULL;
	}
	o->part = part;
	if (directories_open(o, directories, n, diag) && specs_settle(o, spec_path, diag) &&
	    opened_make_counts(o, diag)) {
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
