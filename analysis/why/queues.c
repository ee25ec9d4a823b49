#include "analysis/why/queues.h"
#include "base/search.h"
#include <stdlib.h>

/* A time in which a processor runs a thread. */
struct processor_turn {
	int64_t from, to;
	int64_t before; /* lengths of those before it */
};

struct processor_turns {
	VECTOR(struct processor_turn) turns;
};

/* When a thread runs. */
struct queue_run {
	int64_t from, to;
	int processor;
};
typedef VECTOR(struct queue_run) runs;

struct queues {
	struct processor_turns *processors;
	unsigned n;
	runs *threads; /* of each thread */
};

static struct processor_turns *processor_of(struct queues *q, unsigned number)
{
	while (q->n <= number) {
		q->processors = array_resize(q->processors, q->n + 1, sizeof *q->processors);
		q->processors[q->n++] = (struct processor_turns){0};
	}
	return &q->processors[number];
}

static int by_start(const void *a, const void *b)
{
	const struct processor_turn *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static void turns_sort(struct processor_turns *p)
{
	int64_t before = 0;

	if (p->turns.n)
		qsort(p->turns.at, p->turns.n, sizeof *p->turns.at, by_start);
	for (size_t i = 0; i < p->turns.n; i++) {
		p->turns.at[i].before = before;
		before += p->turns.at[i].to - p->turns.at[i].from;
	}
}

static void turns_collect(struct queues *q, const struct evidence *g)
{
	uint32_t nthreads = g->trace->nthreads;

	q->threads = array_zero(nthreads, sizeof *q->threads);
	for (uint32_t i = 0; i < nthreads; i++) {
		const span_vector *states = instance_spans(g->set, SPANS_STATE, i);

		for (size_t k = 0; k < states->n; k++) {
			const struct span_class *c = &g->set->classes.at[states->at[k].class];
			int64_t end = states->at[k].end, last = g->trace->threads[i].last;
			struct queue_run run = {states->at[k].start, end < last ? end : last,
						c->processor};

			if (c->role->state != STATE_RUNNING || c->processor < 0)
				continue;
			*vector_add(&processor_of(q, (unsigned)run.processor)->turns) =
			    (struct processor_turn){run.from, run.to, 0};
			*vector_add(&q->threads[i]) = run;
		}
	}
	for (unsigned i = 0; i < q->n; i++)
		turns_sort(&q->processors[i]);
}

static int64_t turns_until(const struct processor_turns *p, int64_t time)
{
	size_t next = lower_bound(i, 0, p->turns.n, p->turns.at[i].from < time);
	const struct processor_turn *last;

	if (!next)
		return 0;
	last = &p->turns.at[next - 1];
	return last->before + (time < last->to ? time : last->to) - last->from;
}

/* The processor that the thread is given next. */
static const struct processor_turns *processor_next(const struct queues *q, const runs *r,
						    int64_t time)
{
	size_t i = lower_bound(k, 0, r->n, r->at[k].from < time);

	return i < r->n ? &q->processors[r->at[i].processor] : NULL;
}

static void times_set(struct evidence *g, const struct queues *q)
{
	g->nprocessors = q->n;
	g->ran_on = array_zero((size_t)q->n * g->trace->nthreads, sizeof *g->ran_on);
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		for (size_t i = 0; i < q->threads[t].n; i++) {
			const struct queue_run *r = &q->threads[t].at[i];

			g->ran_on[(size_t)r->processor * g->trace->nthreads + t] += r->to - r->from;
		}
}

static int64_t queued_in(const struct evidence *g, const struct queues *q, const runs *r,
			 int64_t from, int64_t to)
{
	const struct processor_turns *p = processor_next(q, r, to);
	int64_t queued = p ? turns_until(p, to) - turns_until(p, from) : 0;
	int64_t stolen = (int64_t)idle_stolen(g->idle, from, to);

	return queued < stolen ? queued : stolen;
}

void queues_set(struct evidence *g)
{
	struct queues q = {0};

	turns_collect(&q, g);
	g->queued = array_new(g->trace->nthreads, sizeof *g->queued);
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const struct timeline *l = &g->graph->threads[t];
		VECTOR(int64_t) queued = {0};

		for (size_t i = 0; i < l->n; i++)
			if (l->stretches[i].activity == ACTIVITY_READY)
				*vector_add(&queued) = queued_in(
				    g, &q, &q.threads[t], l->stretches[i].from, stretch_end(l, i));
		g->queued[t] = queued.at;
	}
	times_set(g, &q);
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		free(q.threads[t].at);
	for (unsigned i = 0; i < q.n; i++)
		free(q.processors[i].turns.at);
	free(q.threads);
	free(q.processors);
}
