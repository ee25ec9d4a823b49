#include "analysis/replay/answer/subject_fix.h"
#include "base/array.h"
#include <stdlib.h>

/* Of the time of waits, from which on the threads that end them are all of them. */
static const double most_of_waits = 0.9;

/* ---- who ends waits ---- */

/* The kinds of the intervals that are time of a subject, as bits; *classes: which classes are. */
static unsigned kinds_of(const struct instance_set *set, const struct subject *of, bool *classes)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < set->classes.n; i++) {
		classes[i] = subject_has_class(set, of, &set->classes.at[i]);
		if (classes[i])
			kinds |= 1u << set->classes.at[i].role->kind;
	}
	return kinds;
}

/* Adds how long a wait was for the thread that ended it. */
static void wait_add(const struct timeline *l, const struct instance_span *s, int64_t *times)
{
	size_t i = stretch_before(l, s->end < l->end ? s->end : l->end);
	const struct stretch *last = &l->stretches[i];

	if (i < l->n && last->cause_thread != NO_THREAD && last->cause_time > s->start)
		times[last->cause_thread] += last->cause_time - s->start;
}

static uint32_t most_at(const int64_t *times, uint32_t n)
{
	uint32_t most = 0;

	for (uint32_t t = 1; t < n; t++)
		if (times[t] > times[most])
			most = t;
	return most;
}

/* Returns the threads, by index, that end most of the time of the waits; NULL: none is known to. */
static bool *blockers_of(const struct model *m, const bool *classes)
{
	uint32_t n = m->trace->nthreads;
	int64_t *times = array_zero(n, sizeof *times), all = 0, found = 0;
	bool *blockers = array_zero(n, sizeof *blockers);

	for (uint32_t t = 0; t < n; t++) {
		const span_vector *waits = instance_spans(m->set, SPANS_WAIT, t);

		for (size_t i = 0; i < waits->n; i++)
			if (classes[waits->at[i].class])
				wait_add(&m->graph->threads[t], &waits->at[i], times);
	}
	for (uint32_t t = 0; t < n; t++)
		all += times[t];
	while ((double)found < most_of_waits * (double)all) {
		uint32_t most = most_at(times, n);

		blockers[most] = true;
		found += times[most];
		times[most] = 0;
	}
	free(times);
	if (all)
		return blockers;
	free(blockers);
	return NULL;
}

/* ---- what is fixed ---- */

static bool *threads_fixed(const struct model *m, const struct subject *of, enum rank_fix *fix,
			   unsigned *kinds)
{
	bool *classes, *threads = NULL;

	if (of->kind != SUBJECT_SITE && of->kind != SUBJECT_INTERVAL)
		return NULL;
	classes = array_zero(m->set->classes.n, sizeof *classes);
	*kinds = kinds_of(m->set, of, classes);
	if (*kinds && !(*kinds & ~(1u << KIND_WAIT | 1u << KIND_SPIN)) &&
	    (threads = blockers_of(m, classes)))
		*fix = FIX_BLOCKERS;
	else if (!(*kinds & (1u << KIND_WAIT | 1u << KIND_IO | 1u << KIND_HOLD)))
		*fix = FIX_RUNNING;
	free(classes);
	return threads;
}

struct gain subject_fix_of(const struct model *m, const struct subject *of, enum rank_fix *fix,
			   unsigned *kinds)
{
	struct gain g = {.of = of, .own = of->kind == SUBJECT_FUNCTION};

	*fix = of->kind == SUBJECT_FUNCTION || of->kind == SUBJECT_THREAD ? FIX_RUNNING : FIX_ALL;
	*kinds = 0;
	g.threads = threads_fixed(m, of, fix, kinds);
	g.kind = *fix == FIX_RUNNING ? SPAN_SPEED : SPAN_ALL_OF_IT;
	return g;
}
