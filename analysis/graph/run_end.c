#include "analysis/graph/run_end.h"
#include "base/array.h"
#include <stdlib.h>

static uint32_t process_of(const struct graph *g, uint32_t thread)
{
	return g->trace->threads[thread].directory;
}

/* Returns the thread that ended each process, as an event says; NO_THREAD: none says so. */
static uint32_t *exiting_threads(const struct graph *g, const int64_t *exits)
{
	uint32_t *exiting = array_new(g->trace->nprocesses, sizeof *exiting);

	for (unsigned p = 0; p < g->trace->nprocesses; p++)
		exiting[p] = NO_THREAD;
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		uint32_t *known = &exiting[process_of(g, t)];

		if (exits[t] != INT64_MIN && (*known == NO_THREAD || exits[t] > exits[*known]))
			*known = t;
	}
	return exiting;
}

/*
 * Returns the first thread of the process with the latest end that did anything: in a recording of
 * a part of a run, others may have waited from its beginning to its end.
 */
static uint32_t first_of_last(const struct graph *g)
{
	uint32_t last = NO_THREAD, first = NO_THREAD;

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (g->threads[t].n &&
		    (last == NO_THREAD || g->threads[t].end > g->threads[last].end))
			last = t;
	for (uint32_t t = 0; last != NO_THREAD && t < g->trace->nthreads; t++) {
		const struct timeline *l = &g->threads[t];

		if (!l->n || process_of(g, t) != process_of(g, last))
			continue;
		if (l->idle > l->begin)
			return t;
		if (first == NO_THREAD)
			first = t;
	}
	return first;
}

void run_end_find(struct graph *g, const int64_t *exits)
{
	uint32_t *exiting = exiting_threads(g, exits), first;
	bool all = true;

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		struct timeline *l = &g->threads[t];
		uint32_t by = exiting[process_of(g, t)];

		l->ended = l->n && (by == NO_THREAD ? l->idle < l->end : by != t);
		all &= !l->n || l->ended;
	}
	free(exiting);
	first = all ? first_of_last(g) : NO_THREAD;
	if (first != NO_THREAD)
		g->threads[first].ended = false;
}

uint32_t run_end_thread(const struct graph *g)
{
	uint32_t last = NO_THREAD;

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		if (g->threads[t].n && !g->threads[t].ended &&
		    (last == NO_THREAD || g->threads[t].end > g->threads[last].end))
			last = t;
	return last == NO_THREAD ? 0 : last;
}

int64_t run_end_time(const struct graph *g)
{
	return g->trace->nthreads ? g->threads[run_end_thread(g)].end : 0;
}
