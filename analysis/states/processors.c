#include "analysis/states/processors.h"
#include "base/array.h"
#include "spec/layout.h"
#include <stdlib.h>

/* Sets what was said last of each thread. */
static void type_look(struct trace *t, const struct event_type *type, unsigned *usable,
		      int64_t *said)
{
	const struct event_list *all = trace_events(t, type);
	struct event e;

	for (size_t i = 0; i < t->events_of_type[type->index]; i++) {
		size_t thread;
		struct value v;

		event_list_get(all, i, &e);
		thread = trace_thread_index(t, e.thread);
		if (usable[thread] && e.time < said[thread])
			continue;
		v = record_value(type, (unsigned)type->processors_attribute, e.record);
		usable[thread] = v.integer > 0 ? (unsigned)v.integer : 0;
		said[thread] = e.time;
	}
}

void processors_announce(struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->spec->events[i]->processors_attribute >= 0)
			trace_announce(t, t->spec->events[i]);
}

unsigned processors_usable_of(struct trace *t, const int64_t *ran)
{
	unsigned *usable = array_zero(t->nthreads, sizeof *usable), best = 0;
	int64_t *said = array_zero(t->nthreads, sizeof *said), longest = -1;

	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (t->spec->events[i]->processors_attribute >= 0 && t->events_of_type[i])
			type_look(t, t->spec->events[i], usable, said);
	for (uint32_t i = 0; i < t->nthreads; i++) {
		int64_t sum = 0;

		for (uint32_t k = 0; usable[i] && k < t->nthreads; k++)
			if (usable[k] == usable[i])
				sum += ran[k];
		if (usable[i] && sum > longest) {
			longest = sum;
			best = usable[i];
		}
	}
	free(usable);
	free(said);
	return best;
}
