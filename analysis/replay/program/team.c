#include "analysis/replay/program/team.h"
#include "analysis/replay/changes/span_choice.h"
#include "analysis/replay/program/crew.h"
#include "trace/label.h"
#include <stdlib.h>

static bool takes_pieces(const struct operations *o, uint32_t thread)
{
	for (size_t i = o->first[thread]; i < o->first[thread + 1]; i++)
		if (o->all.at[i].kind == OPERATION_NEXT)
			return true;
	return false;
}

/* Prefixes the reason for which something cannot be changed, and frees it. NULL stays. */
static char *refused(const char *option, const char *what, char *reason)
{
	char *text = reason ? text_format("--%s %s: %s", option, what, reason) : NULL;

	free(reason);
	return text;
}

/* Returns why the items of threads are not handed out. */
static char *copied_text(const struct team_items *items, const char *what)
{
	const struct hand_out *h = items->hand_out;
	const char *why = items->copied;

	for (size_t i = 0; h && i < h->pools.n; i++)
		if (h->pools.at[i].doubt &&
		    (!h->pools.at[i].group || change_names(what, false, h->pools.at[i].group)))
			why = h->pools.at[i].doubt;
	return text_format("its items are copied, so other threads cannot take them: %s",
			   why ? why : "the trace does not show how the threads get them");
}

/*
 * The members of a crew are the threads of the pattern that take pieces; if none does, all of them.
 */
static char *crew_change(struct operations *o, const struct model *m,
			 const struct team_items *items, const struct crew_change *c)
{
	uint32_t *threads = array_new(o->nthreads, sizeof *threads);
	struct crew crew = {threads, 0};
	bool pieces = false;
	char *reason;

	for (uint32_t t = 0; t < o->nthreads; t++) {
		const struct trace_thread *thread = &m->trace->threads[operations_thread(o, t)];
		bool takes = takes_pieces(o, t);

		if (!label_matches(c->what, thread) || (pieces && !takes))
			continue;
		if (takes && !pieces)
			crew.n = 0;
		pieces |= takes;
		threads[crew.n++] = t;
	}
	if (!crew.n)
		reason = text_format("no thread has this name; glimpse threads lists the threads");
	else if (!pieces)
		reason = copied_text(items, c->what);
	else
		reason = crew_resize(o, &crew, c->n);
	free(threads);
	return refused("threads", c->what, reason);
}

static bool is_meant(const struct loop_change *c, const struct hand_out_pool *pool)
{
	return pool->kind == POOL_LOOP &&
	       (change_names(c->what, false, pool->name) ||
		(pool->site && change_names(c->what, false, pool->site)));
}

/* Returns why no loop that is meant is handed out. */
static char *no_loop(const struct team_items *items, const struct loop_change *c)
{
	const struct hand_out *h = items->hand_out;

	for (size_t i = 0; h && i < h->pools.n; i++)
		if (is_meant(c, &h->pools.at[i]))
			return text_format("its chunks are copied: %s", h->pools.at[i].doubt
									    ? h->pools.at[i].doubt
									    : items->copied);
	return text_format(
	    "the trace has no chunks of this loop; OpenMP does not report those of a static "
	    "schedule. Record with the probe openmp and schedule(dynamic), or "
	    "schedule(runtime) and OMP_SCHEDULE=dynamic");
}

/* All loops of the pattern, each time that they run. */
static char *loop_change(struct operations *o, const struct team_items *items,
			 const struct loop_change *c)
{
	const struct hand_out *h = items->hand_out;
	bool *pools = array_zero(o->pools.n, sizeof *pools), found = false, doubted = false;
	char *reason;

	/* the pools of the operations are those of the hand-out */
	for (size_t i = 0; i < o->pools.n; i++) {
		pools[i] = is_meant(c, &h->pools.at[i]) && !h->pools.at[i].doubt;
		found |= pools[i];
	}
	for (size_t i = 0; i < o->pools.n; i++)
		doubted |= is_meant(c, &h->pools.at[i]) && !pools[i];
	reason = found && !doubted ? schedule_change(o, pools, &c->schedule, 0) : no_loop(items, c);
	free(pools);
	return refused("schedule", c->what, reason);
}

char *team_change(struct operations *o, const struct model *m, const struct team_items *items,
		  const struct team_changes *c)
{
	char *reason = NULL;

	for (unsigned i = 0; i < c->ncrews && !reason; i++)
		reason = crew_change(o, m, items, &c->crews[i]);
	for (unsigned i = 0; i < c->nloops && !reason; i++)
		reason = loop_change(o, items, &c->loops[i]);
	return reason;
}
