#include "analysis/why/queues.h"
#include "analysis/states/states.h"
#include "base/search.h"
#include <stdlib.h>

/* A time in which a processor runs a thread. */
struct turn {
	int64_t from, to;
	int64_t before;         /* lengths of those before it */
};

struct processor {
	VECTOR(struct turn) turns;
};

struct queues {
	struct processor *processors;
	unsigned n;
	struct state_span **states;     /* of each thread, those in which it runs */
	size_t *nstates;
};

static struct processor *processor_of(struct queues *q, unsigned number)
{
	while (q->n <= number) {
		q->processors = array_resize(q->processors, q->n + 1, sizeof *q->processors);
		q->processors[q->n++] = (struct processor){0};
	}
	return &q->processors[number];
}

static int by_start(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static void turns_sort(struct processor *p)
{
	int64_t before = 0;

	if (p->turns.n)
		qsort(p->turns.at, p->turns.n, sizeof *p->turns.at, by_start);
	for (size_t i = 0; i < p->turns.n; i++) {
		p->turns.at[i].before = before;
		before += p->turns.at[i].to - p->turns.at[i].from;
	}
}

static void turns_collect(struct queues *q, struct trace *t)
{
	q->states = array_zero(t->nthreads, sizeof *q->states);
	q->nstates = array_zero(t->nthreads, sizeof *q->nstates);
	for (uint32_t i = 0; i < t->nthreads; i++) {
		size_t n, kept = 0;
		struct state_span *all = states_of_thread(t, i, &n);

		for (size_t k = 0; k < n; k++)
			if (all[k].state == STATE_RUNNING && all[k].processor >= 0) {
				*vector_add(&processor_of(q, (unsigned)all[k].processor)->turns) =
				    (struct turn){all[k].start, all[k].end, 0};
				all[kept++] = all[k];
			}
		q->states[i] = all;
		q->nstates[i] = kept;
	}
	for (unsigned i = 0; i < q->n; i++)
		turns_sort(&q->processors[i]);
}

static int64_t turns_until(const struct processor *p, int64_t time)
{
	size_t next = lower_bound(i, 0, p->turns.n, p->turns.at[i].from < time);
	const struct turn *last;

	if (!next)
		return 0;
	last = &p->turns.at[next - 1];
	return last->before + (time < last->to ? time : last->to) - last->from;
}

/* The processor that the thread is given next. */
static const struct processor *processor_next(const struct queues *q, const struct span_of_time *s)
{
	const struct state_span *runs = q->states[s->thread];
	size_t n = q->nstates[s->thread];
	size_t i = lower_bound(k, 0, n, runs[k].start < s->to);

	return i < n ? &q->processors[runs[i].processor] : NULL;
}

static void times_set(struct ground *g, const struct queues *q)
{
	g->nprocessors = q->n;
	g->ran_on = array_zero((size_t)q->n * g->trace->nthreads, sizeof *g->ran_on);
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		for (size_t i = 0; i < q->nstates[t]; i++) {
			const struct state_span *s = &q->states[t][i];

			g->ran_on[(size_t)s->processor * g->trace->nthreads + t] += s->end - s->start;
		}
}

void queues_set(struct ground *g)
{
	struct queues q = {0};

	turns_collect(&q, g->trace);
	for (size_t i = 0; i < g->spans.n; i++) {
		struct span_of_time *s = &g->spans.at[i];
		const struct place *place = &g->places.at[s->place];
		const struct processor *p;

		if (place->role || place->state != ACTIVITY_READY)
			continue;
		p = processor_next(&q, s);
		if (p)
			s->queued = turns_until(p, s->to) - turns_until(p, s->from);
		if (s->queued > (int64_t)idle_stolen(g->idle, s->from, s->to))
			s->queued = (int64_t)idle_stolen(g->idle, s->from, s->to);
	}
	times_set(g, &q);
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		free(q.states[t]);
	for (unsigned i = 0; i < q.n; i++)
		free(q.processors[i].turns.at);
	free(q.states);
	free(q.nstates);
	free(q.processors);
}
