#include "analysis/why/event_sums.h"
#include "spec/layout.h"
#include <stdlib.h>
#include <string.h>

/* Of one thread's events: how many, or the sum of an attribute. */
struct event_sum {
	struct trace *trace;
	const struct event_list *list;
	int attribute; /* -1: they are counted */
};

static bool event_sum_find(struct trace *t, const char *name, struct event_sum *sum)
{
	const char *dot = strchr(name, '.');
	char *event = text_format("%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
	const struct event_type *type = spec_event(t->spec, event);

	free(event);
	*sum = (struct event_sum){.trace = t, .attribute = -1};
	for (unsigned i = 0; type && dot && i < type->nattributes; i++)
		if (strcmp(type->attributes[i].name, dot + 1) == 0)
			sum->attribute = (int)i;
	if (!type || (dot && sum->attribute < 0))
		return false;
	sum->list = trace_events(t, type);
	return true;
}

void focus_event_sums(const struct evidence *g, const struct focus *f, const char *name,
		      double *sums)
{
	struct event_sum s;

	if (!event_sum_find(g->trace, name, &s))
		return;
	for (size_t i = event_list_from(s.list, f->from); i < event_list_size(s.list); i++) {
		struct value v = {.kind = VALUE_INT, .integer = 1};
		struct event e;
		uint32_t thread;

		event_list_look(s.list, i, &e);
		if (e.time > f->to)
			break;
		thread = trace_thread_index(g->trace, e.thread);
		if (!f->threads[thread])
			continue;
		if (s.attribute >= 0)
			v = record_value(e.type, (unsigned)s.attribute,
					 event_operand(g->trace, &e).record);
		sums[thread] += value_real(&v);
	}
}
