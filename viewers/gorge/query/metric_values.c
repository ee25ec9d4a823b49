#include "viewers/gorge/query/metric_values.h"
#include "base/task.h"
#include "match/eval/formula.h"
#include "viewers/gorge/index/span_binding.h"
#include <stdlib.h>

/* How many instances ahead records are fetched. */
enum { AHEAD = 16 };

struct metric_context {
	const struct instances *instances;
	const struct formula *formula;
	bool records, times;
};

static void measure_spans(struct span_binding *b, const struct spans *spans,
			  const struct formula *f, struct series *to)
{
	struct value v;

	span_binding_begin(b, spans);
	for (size_t i = 0; i < spans->n; i++) {
		if (i % SPANS_BLOCK == 0 && !task_step(SPANS_BLOCK))
			return;
		if (b->records)
			span_binding_fetch(b, i + AHEAD);
		span_binding_bind(b, i);
		series_put(to, formula_value(f, &b->binding, &v) ? &v : NULL);
	}
}

/* Measures the instances of the anchors in one thread. */
static void measure_thread(void *context, size_t thread, struct series *to)
{
	const struct metric_context *m = context;
	const struct instances *n = m->instances;
	struct span_binding b = span_binding_new(n, m->records, m->times);

	for (size_t i = 0; i < n->within[thread].rows.n; i++)
		measure_spans(&b, &n->within[thread].rows.at[i], m->formula, to);
	for (size_t i = 0; i < n->across.n; i++)
		if (span_binding_thread(&b, &n->across.at[i]) == thread)
			measure_spans(&b, &n->across.at[i], m->formula, to);
}

static void metric_values_count(const struct instances *n, size_t *counts)
{
	struct span_binding b = span_binding_new(n, false, false);

	for (unsigned t = 0; t < n->nthreads; t++)
		for (size_t i = 0; i < n->within[t].rows.n; i++)
			counts[t] += n->within[t].rows.at[i].n;
	for (size_t i = 0; i < n->across.n; i++)
		counts[span_binding_thread(&b, &n->across.at[i])] += n->across.at[i].n;
}

struct series metric_values(const struct instances *n, const struct metric *metric)
{
	struct formula f = formula_of(metric->value);
	struct metric_context m = {n, &f, expr_has(metric->value, EXPR_ATTRIBUTE),
				   expr_has(metric->value, EXPR_TIME)};
	size_t *counts = array_zero(n->nthreads, sizeof *counts);
	struct series s;

	metric_values_count(n, counts);
	task_plan(n->matched);
	s = series_gathered(n->nthreads, counts, metric->value->kind == VALUE_REAL, measure_thread,
			    &m);
	formula_clear(&f);
	free(counts);
	return s;
}
