#include "analysis/why/busy.h"
#include "analysis/replay/prediction.h"
#include "analysis/replay/rank_replay.h"
#include "analysis/why/axes.h"
#include <stdlib.h>

/* Of the processors' time, what may be idle. */
static const double most_idle = 0.1;
static const double most_miss = 0.1;
/* Of the time that threads run, from which on a group is named. */
static const double least_named = 0.05;

static int64_t running_in(const struct timeline *l, int64_t from, int64_t to)
{
	int64_t sum = 0;

	for (size_t i = 0; i < l->n; i++) {
		int64_t a = l->stretches[i].from, b = stretch_end(l, i);

		a = a > from ? a : from;
		b = b < to ? b : to;
		sum += l->stretches[i].activity == ACTIVITY_RUNNING && a < b ? b - a : 0;
	}
	return sum;
}

/* Returns how long the threads run, all together. */
static int64_t groups_take(const struct evidence *g, int64_t from, int64_t to, parts_named *groups)
{
	struct axis_sums sums = {0};
	axis_values values;
	int64_t all = 0;

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		int64_t running = running_in(&g->graph->threads[t], from, to);

		all += running;
		if (running)
			axis_sums_add(&sums, g->groups[t], running);
	}
	values = axis_sums_end(&sums);
	for (size_t i = 0; i < values.n; i++)
		if ((double)values.at[i].time >= least_named * (double)all)
			*vector_add(groups) = (struct part_named){
			    values.at[i].key, evidence_text(g, values.at[i].key),
			    (double)values.at[i].time / (double)all};
	free(values.at);
	return all;
}

/* With twice as many processors. */
static void more_replay(const struct evidence *g, struct busy *b)
{
	struct prediction *p = prediction_of(g->set, 0);
	struct changes c = {.only = NOT_CHANGED, .cores_given = true, .cores = 2 * b->processors};
	const char *unknown;

	b->more = c.cores;
	if (!p->unchanged->stuck && prediction_miss(p) <= most_miss &&
	    prediction_choose(p, &c, &unknown) && prediction_change(p, &c, &unknown) &&
	    !p->changed->stuck) {
		b->replayed = true;
		b->gain = p->base->duration
			      ? 1 - (double)p->changed->duration / (double)p->base->duration
			      : 0;
	}
	prediction_free(p);
}

struct busy *busy_of(const struct evidence *g, int64_t from, int64_t to)
{
	struct busy *b;
	double length = (double)(to - from);

	if (from >= to || !instance_set_has_states(g->set) ||
	    idle_unused(g->idle, from, to) >= most_idle * length)
		return NULL;
	b = array_zero(1, sizeof *b);
	b->processors = g->idle->processors;
	b->used = (double)groups_take(g, from, to, &b->groups) / length;
	b->others = idle_ready(g->idle, from, to) * b->processors / length;
	if (g->trace->events <= RANK_REPLAYED_EVENTS)
		more_replay(g, b);
	return b;
}

void busy_free(struct busy *b)
{
	free(b->groups.at);
	free(b);
}
