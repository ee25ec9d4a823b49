/* What expressions need of the trace is found out before it is read, so that it is read once. */
#include "viewers/nibble/sample/window_tally.h"
#include "viewers/nibble/series/evaluate.h"
#include "viewers/nibble/series/pooled.h"
#include "viewers/nibble/series/step_sweep.h"

#include <fnmatch.h>

static void announce_interval(struct trace *t, const struct interval *interval)
{
	const struct interval_end *ends[] = {&interval->anchor, &interval->partner};

	for (int i = 0; i < 2; i++) {
		if (ends[i]->interval)
			announce_interval(t, ends[i]->interval);
		else
			trace_announce(t, ends[i]->event);
	}
}

/* A source is counted in the pass for tallies, or else its events are listed. */
static void prepare(struct evaluation *v, const struct node *n, enum tally_use use)
{
	enum tally_use operands = TALLY_COMPUTED;

	if (!n)
		return;
	if (use == TALLY_STEPS || (use == TALLY_DRAWN && source_is_scaled(v, n)))
		operands = use;
	if (n->kind == NODE_SOURCE && !tally_plan(v, n, use)) {
		if (n->source.subject.event)
			trace_announce(v->trace, n->source.subject.event);
		else
			announce_interval(v->trace, n->source.subject.interval);
	}
	prepare(v, n->left, operands);
	prepare(v, n->right, operands);
}

void evaluation_prepare(struct evaluation *v, struct node *const *nodes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (nodes[i])
			prepare(v, nodes[i], step_sweep_fits(v, nodes[i]) ? TALLY_STEPS : TALLY_DRAWN);
	tallies_fill(v);
}

static bool thread_selected(const struct trace_thread *t, const struct source_selection *s)
{
	for (; s; s = s->next) {
		if (s->kind == SELECTION_THREAD_NUMBER && s->number != (int64_t)t->number)
			return false;
		if (s->kind == SELECTION_THREAD_NAME && fnmatch(s->pattern, t->name, 0) != 0)
			return false;
	}
	return true;
}

bool *evaluation_threads(const struct evaluation *v, const struct source_node *source)
{
	const struct trace *t = v->trace;
	bool *selected = array_zero(t->nthreads, sizeof *selected);

	for (unsigned i = 0; i < t->nthreads; i++)
		selected[i] = (!v->threads || v->threads[i]) &&
			      thread_selected(&t->threads[i], source->selections);
	return selected;
}
