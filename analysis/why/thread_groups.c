#include "analysis/why/thread_groups.h"
#include "analysis/states/processors.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <ctype.h>
#include <stdlib.h>

/* The functions that threads begin with, where their lives have a code attribute. */
static void entries_find(const struct evidence *g, int64_t *entries)
{
	struct trace *t = g->trace;
	unsigned n;
	struct role *lives = roles_of_threads(t->spec, &n);

	for (unsigned i = 0; i < n; i++) {
		const struct role_end *start = &lives[i].start;
		const struct event_list *l;
		char text[ADDRESS_TEXT];
		struct event e;

		if (start->code[0] < 0)
			continue;
		l = trace_events(t, start->event);
		for (size_t k = 0; k < event_list_size(l); k++) {
			event_list_look(l, k, &e);
			if (record_value(e.type, (unsigned)start->code[0], e.record).integer == 0)
				continue; /* the first thread of a process */
			entries[trace_thread_index(t, e.thread)] = symbols_number(
			    t, address_function(t, text, &e, (unsigned)start->code[0]));
		}
	}
	free(lives);
}

/* "worker 3" and "worker 12" are both of the group "worker *". */
static int64_t group_of(const struct trace *t, uint32_t thread)
{
	const char *name = t->threads[thread].name;
	size_t n = strlen(name);
	char *text;
	int64_t key;

	while (n && isdigit((unsigned char)name[n - 1]))
		n--;
	text = text_format("%.*s%s", (int)n, name, name[n] ? "*" : "");
	key = symbols_number(t, text);
	free(text);
	return key;
}

void thread_groups_announce(struct trace *t)
{
	unsigned n;
	struct role *lives = roles_of_threads(t->spec, &n);

	for (unsigned i = 0; i < n; i++)
		if (lives[i].start.code[0] >= 0)
			trace_announce(t, lives[i].start.event);
	free(lives);
	processors_announce(t);
}

/* How long a thread ran, and on which processors, as bits; the last: those above. */
static int64_t running_of(const struct evidence *g, uint32_t thread, uint64_t *processors)
{
	const span_vector *states = instance_spans(g->set, SPANS_STATE, thread);
	int64_t last = g->trace->threads[thread].last, sum = 0;

	*processors = 0;
	for (size_t i = 0; i < states->n; i++) {
		const struct instance_span *s = &states->at[i];
		const struct span_class *c = &g->set->classes.at[s->class];

		if (c->role->state != STATE_RUNNING)
			continue;
		sum += (s->end < last ? s->end : last) - s->start;
		if (c->processor >= 0)
			*processors |= (uint64_t)1 << (c->processor < 64 ? c->processor : 63);
	}
	return sum;
}

void thread_groups_set(struct evidence *g)
{
	int64_t *ran = array_new(g->trace->nthreads, sizeof *ran);
	uint32_t n = g->trace->nthreads;
	int64_t *entries = array_new(n, sizeof *entries);

	g->groups = array_new(n, sizeof *g->groups);
	g->names = array_new(n, sizeof *g->names);
	g->processors = array_new(n, sizeof *g->processors);
	for (uint32_t t = 0; t < n; t++) {
		g->names[t] = symbols_number(g->trace, g->trace->threads[t].label);
		entries[t] = NO_KEY;
	}
	entries_find(g, entries);
	for (uint32_t t = 0; t < n; t++) {
		ran[t] = running_of(g, t, &g->processors[t]);
		g->groups[t] = entries[t] != NO_KEY && !g->trace->threads[t].named
				   ? entries[t]
				   : group_of(g->trace, t);
	}
	free(entries);
	g->usable = processors_usable_of(g->trace, ran);
	free(ran);
}
