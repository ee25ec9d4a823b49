#include "match/stats/crossing.h"
#include "base/parallel.h"
#include "base/units.h"
#include "spec/print.h"
#include <stdatomic.h>

static bool has_same_thread(const struct expr *e)
{
	if (e->op == EXPR_AND)
		return has_same_thread(e->left) || has_same_thread(e->right);
	return e->op == EXPR_EQ && e->left->op == EXPR_THREAD && e->right->op == EXPR_THREAD &&
	       e->left->side != e->right->side;
}

bool crossing_matters(const struct trace *t, const struct interval *interval)
{
	return t->nprocesses > 1 && !expr_has(interval->condition, EXPR_PROCESS) &&
	       !has_same_thread(interval->condition);
}

struct crossing_counts {
	const struct trace *trace;
	const struct matches *matches;
	atomic_uint_fast64_t within, across;
};

static uint32_t process_of(const struct trace *t, const struct moments *m, size_t i)
{
	const struct trace_thread *thread;
	struct event e;

	moments_look(m, i, &e);
	thread = trace_thread(t, e.thread);
	return thread ? thread->directory : 0;
}

static void chunk_count(void *context, size_t from, size_t to)
{
	struct crossing_counts *c = context;
	const struct matches *m = c->matches;
	uint64_t within = 0, across = 0;

	for (size_t i = from; i < to; i++) {
		if (m->partner_of[i] == UNMATCHED)
			continue;
		if (process_of(c->trace, &m->anchors, i) ==
		    process_of(c->trace, &m->partners, m->partner_of[i]))
			within++;
		else
			across++;
	}
	c->within += within;
	c->across += across;
}

struct crossing crossing_of(const struct trace *t, const struct matches *m)
{
	struct crossing_counts c = {.trace = t, .matches = m};

	if (crossing_matters(t, m->interval))
		parallel_chunks(m->count, chunk_count, &c);
	return (struct crossing){c.within, c.across};
}

void crossing_warn(const struct crossing *c, const struct interval *interval, struct diag *diag)
{
	const char *a = end_name(interval, SIDE_ANCHOR), *b = end_name(interval, SIDE_PARTNER);
	char across[UNITS_TEXT], all[UNITS_TEXT];

	if (!c->within || !c->across)
		return;
	diag_warning(diag, "processes", interval->where,
		     "%s of %s instances of %s join two processes, the others lie within one; if "
		     "the processes have nothing to do with each other, add %s.process == "
		     "%s.process to the condition",
		     units_count(across, c->across), units_count(all, c->within + c->across),
		     interval->name, a, b);
}

void crossing_warn_of(const struct trace *t, const struct matches *m, struct diag *diag)
{
	struct crossing c = crossing_of(t, m);

	crossing_warn(&c, m->interval, diag);
}
