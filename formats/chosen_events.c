#include "formats/chosen_events.h"
#include "base/output.h"
#include "base/progress.h"

#define STEP 65536 /* events between two looks at the progress bar and at interruption */

bool chosen_events_begin(struct chosen_events *c, const struct export_request *r,
			 const struct export_format *f)
{
	*c = (struct chosen_events){.request = r, .merge = merge_open(r->trace)};
	if (!c->merge) {
		diag_error(r->diag, DIAG_NOWHERE, "no memory to read the events");
		return false;
	}
	export_left_out(r, f, r->trace->ngaps, "times in which events are missing");
	progress_begin("exporting");
	return true;
}

bool chosen_events_next(struct chosen_events *c, struct event *e, uint32_t *thread)
{
	const struct trace *t = c->request->trace;

	while (merge_next(c->merge, e)) {
		if (c->done++ % STEP == 0) {
			progress_step(c->done, t->events);
			if (output_interrupted())
				return false;
		}
		*thread = trace_thread_index(t, e->thread);
		if (!c->request->threads || c->request->threads[*thread])
			return true;
	}
	return false;
}

void chosen_events_end(struct chosen_events *c)
{
	progress_end();
	merge_close(c->merge);
}
