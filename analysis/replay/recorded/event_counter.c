#include "analysis/replay/recorded/event_counter.h"
#include "trace/open/opened.h"

static void advance(struct event_counter *c)
{
	c->next = log_cursor_next(&c->cursor) ? c->cursor.time - c->origin : INT64_MAX;
}

void event_counter_open(struct event_counter *c, const struct trace *t, uint32_t thread)
{
	c->origin = t->origin;
	c->cost = 0;
	for (unsigned i = 0; i < t->nprocesses; i++)
		if (thread - t->processes[i].first_thread < t->processes[i].nthreads)
			c->cost = (double)t->processes[i].event_cost / 1000;
	log_cursor_open(&c->cursor, &opened_of(t)->logs[thread]);
	advance(c);
}

double event_counter_cost(struct event_counter *c, int64_t until)
{
	uint64_t n = 0;

	if (!(c->cost > 0))
		return 0;
	for (; c->next <= until && c->next != INT64_MAX; n++)
		advance(c);
	return (double)n * c->cost;
}
