#include "analysis/why/busy.h"
#include "analysis/replay/answer/refusal.h"
#include "analysis/why/axis_sums.h"
#include "analysis/why/fixes.h"
#include "analysis/why/throttling.h"
#include <math.h>
#include <stdlib.h>

/* Of the processors' time, what may be idle. */
static const double most_idle = 0.1;
/* Of the time that threads run, from which on a group is named. */
static const double least_named = 0.05;

static int64_t time_in(const struct timeline *l, enum activity activity, int64_t from, int64_t to)
{
	int64_t sum = 0;

	for (size_t i = 0; i < l->n; i++) {
		int64_t a = l->stretches[i].from, b = stretch_end(l, i);

		a = a > from ? a : from;
		b = b < to ? b : to;
		sum += l->stretches[i].activity == activity && a < b ? b - a : 0;
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
		int64_t running = time_in(&g->graph->threads[t], ACTIVITY_RUNNING, from, to);

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

double busy_threads(const struct evidence *g, enum activity activity, int64_t from, int64_t to)
{
	int64_t sum = 0;

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		sum += time_in(&g->graph->threads[t], activity, from, to);
	return from < to ? (double)sum / (double)(to - from) : 0;
}

double busy_others(const struct evidence *g, int64_t from, int64_t to)
{
	double lost = from < to ? idle_ready(g->idle, from, to) : 0;
	double throttled = lost > 0 ? throttled_time(g, from, to) : 0;

	return throttled < lost ? (lost - throttled) * g->idle->processors / (double)(to - from)
				: 0;
}

double busy_behind_others(const struct evidence *g, int64_t from, int64_t to)
{
	double behind = from < to ? idle_ready_behind_others(g->idle, from, to) : 0;

	if (behind > 0 && throttled_time(g, from, to) > 0)
		return -1;
	return behind > 0 ? behind / (double)(to - from) : 0;
}

/* Whether waits that ended at their time limits are most of the path: what they wait for is not. */
static bool path_times_out(const struct evidence *g)
{
	int64_t out = 0, all = 0;

	for (size_t i = 0; i < g->path->n; i++) {
		const struct path_piece *p = &g->path->pieces[i];

		all += p->to - p->from;
		out += p->kind == PATH_STRETCH && p->timed_out ? p->to - p->from : 0;
	}
	return 2 * out > all;
}

/*
 * Whether the run would be as long with more processors: not where other programs had some, which
 * they would leave then, and not where the path says little.
 */
static bool is_no_shorter(const struct evidence *g)
{
	double others = busy_others(g, 0, g->trace->duration);

	return others < most_idle * g->idle->processors && !path_times_out(g);
}

struct more_processors more_processors_of(struct prediction *p, const struct evidence *g)
{
	struct changes c = {
	    .only = NOT_CHANGED, .cores_given = true, .cores = 2 * g->idle->processors};
	struct more_processors m = {.n = c.cores};
	const char *unknown;
	double whole;

	m.replayed = prediction_choose(p, &c, &unknown) && prediction_change(p, &c, &unknown) &&
		     !prediction_is_refused(p, false, &(struct diag){0});
	whole = (double)p->base->duration; /* with other assumptions, it is another one */
	if (m.replayed && whole > 0) {
		m.gain = 1 - (double)p->changed->duration / whole;
		m.low = 1 - (double)p->high / whole;
		m.high = fmin(1, 1 - (double)p->low / whole);
	}
	m.replayed &= m.gain >= fix_least_gain || is_no_shorter(g);
	return m;
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
	b->others = busy_others(g, from, to);
	return b;
}

void busy_free(struct busy *b)
{
	free(b->groups.at);
	free(b);
}
