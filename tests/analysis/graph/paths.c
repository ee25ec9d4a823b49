/*
 * Prints the critical path of a trace, a line a piece, after it looked whether the graph is sound:
 * stretches fill each thread's time, causes lie in the stretches that they end, and the path has no
 * gap and the length of the trace.
 */
#include "analysis/graph/critical_path.h"
#include "analysis/graph/run_end.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const activity_names[NACTIVITIES] = {"running", "ready", "waiting", "blocked"};
static const char *const kind_names[] = {"", "handover", "start", "nobody"};

static void fail(const char *what, size_t thread, size_t at)
{
	printf("%s: thread %zu, place %zu\n", what, thread, at);
	exit(1);
}

static void timeline_check(const struct graph *g, size_t thread)
{
	const struct timeline *l = &g->threads[thread];

	if (l->n && l->stretches[0].from != l->begin)
		fail("the first stretch is not at the beginning", thread, 0);
	for (size_t i = 0; i < l->n; i++) {
		const struct stretch *s = &l->stretches[i];

		if (s->from > stretch_end(l, i) || (s->from == stretch_end(l, i) && l->n > 1))
			fail("a stretch has no length", thread, i);
		if (s->cause_thread != NO_THREAD &&
		    (s->cause_time < s->from || s->cause_time > stretch_end(l, i)))
			fail("a cause is not in the stretch", thread, i);
		if ((s->activity == ACTIVITY_WAITING) != (s->role != NO_ROLE))
			fail("a wait without an interval", thread, i);
	}
}

static void path_check(const struct critical_path *p, int64_t end)
{
	int64_t now = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->pieces[i].from != now || p->pieces[i].to <= now)
			fail("the path has a gap", p->pieces[i].thread, i);
		now = p->pieces[i].to;
	}
	if (now != end)
		fail("the path does not end with the run", 0, p->n);
}

static const char *thread_name(const struct graph *g, uint32_t thread)
{
	return thread == NO_THREAD ? "" : g->trace->threads[thread].name;
}

int main(int argc, char **argv)
{
	struct diag diag = {0};
	struct trace *t;
	struct graph *g;
	struct critical_path *p;

	t = trace_open((const char *const *)argv + 1, (unsigned)argc - 1, NULL, &diag);
	if (!t)
		return 2;
	g = graph_of(t);
	for (unsigned i = 0; i < t->nthreads; i++)
		timeline_check(g, i);
	p = critical_path_of(g);
	path_check(p, run_end_time(g));
	for (size_t i = 0; i < p->n; i++) {
		const struct path_piece *x = &p->pieces[i];

		printf("%" PRId64 ",%s,%s,%s,%s\n", x->to - x->from, thread_name(g, x->thread),
		       x->kind == PATH_STRETCH ? activity_names[x->activity] : kind_names[x->kind],
		       x->role == NO_ROLE ? "" : g->waits[x->role].interval->name,
		       thread_name(g, x->other));
	}
	critical_path_free(p);
	graph_free(g);
	trace_close(t);
	return 0;
}
