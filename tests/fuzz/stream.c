#include "tests/fuzz/stream.h"
#include "spec/layout.h"
#include <stdlib.h>

/* Touches every byte of the record, so that the sanitizer sees when one is not there. */
static void record_check(const struct event *e)
{
	volatile unsigned sum = 0;

	for (unsigned i = 0; i < e->type->nattributes; i++) {
		struct value v = record_value(e->type, i, e->record);

		for (uint32_t b = 0; v.kind == VALUE_STRING && b < v.string.length; b++)
			sum += (unsigned char)v.string.bytes[b];
	}
}

static bool in_order(const struct event *a, const struct event *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->thread != b->thread ? a->thread < b->thread : a->seq < b->seq;
}

void stream_check(const struct trace *t)
{
	struct event before = {.time = -1}, e;
	struct merge *m = merge_open(t);
	uint64_t n = 0;

	for (; merge_next(m, &e); n++) {
		if (!in_order(&before, &e) || e.time > t->duration || !trace_thread(t, e.thread))
			abort();
		record_check(&e);
		before = e;
	}
	if (n != t->events)
		abort();
	merge_close(m);
}

void lists_check(struct trace *t)
{
	struct event e;

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_list *l = trace_events(t, t->spec->events[i]);

		if (event_list_size(l) != t->events_of_type[i])
			abort();
		for (size_t k = 0; k < event_list_size(l); k++) {
			event_list_get(l, k, &e);
			record_check(&e);
			if (k && event_list_rank(l, k) <= event_list_rank(l, k - 1))
				abort();
		}
	}
}
