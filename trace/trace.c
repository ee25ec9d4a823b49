/* What follows from the interface alone, whichever reader implements it. */
#include "trace/trace.h"

const struct trace_thread *trace_thread(const struct trace *t, uint32_t number)
{
	size_t low = 0, high = t->nthreads;

	if (number < t->nthreads && t->threads[number].number == number)
		return &t->threads[number];
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (t->threads[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->nthreads && t->threads[low].number == number ? &t->threads[low] : NULL;
}

struct operand event_operand(const struct trace *t, const struct event *e)
{
	const struct trace_thread *thread = trace_thread(t, e->thread);

	return (struct operand){e->type, e->record, e->time, e->thread, thread ? thread->name : ""};
}
