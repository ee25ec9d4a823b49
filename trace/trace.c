/* What follows from the interface alone, whichever reader implements it. */
#include "trace/trace.h"
#include "base/array.h"
#include "base/path.h"
#include "base/search.h"
#include <inttypes.h>

const struct trace_thread *trace_thread(const struct trace *t, uint32_t number)
{
	size_t low = 0, high = t->nthreads;

	if (number < t->nthreads && t->threads[number].number == number)
		return &t->threads[number];
	low = lower_bound(i, low, high, t->threads[i].number < number);
	return low < t->nthreads && t->threads[low].number == number ? &t->threads[low] : NULL;
}

struct operand event_operand(const struct trace *t, const struct event *e)
{
	const struct trace_thread *thread = trace_thread(t, e->thread);

	return (struct operand){.event = e->type,
				.record = e->record,
				.time = e->time,
				.thread = e->thread,
				.owner = thread ? thread->owner : "",
				.process = thread ? thread->directory : 0};
}

char *trace_process_name(const struct trace_process *p)
{
	return p->rank ? text_format("rank %" PRIu32, p->rank - 1) : path_name(p->path);
}
