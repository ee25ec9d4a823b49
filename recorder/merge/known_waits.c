#include "recorder/merge/known_waits.h"
#include "base/progress.h"
#include "match/join/pair_stream.h"
#include <stdlib.h>

struct wait_search {
	struct trace *trace;
	const bool *asked;
	const struct interval *const *list;
	known_waits *waits;
	struct thread_cause *causes; /* by thread: the last one */
};

/* Another thread let a thread go on: what that did, and what this one did then. */
struct thread_cause {
	int64_t time, later;
};

/* Waits come by their ends: a wait around others comes after them, and replaces them. */
static void wait_add(known_waits *all, int64_t from, int64_t to, const struct thread_cause *c)
{
	while (all->n && all->at[all->n - 1].to >= from) {
		const struct sampled_wait *last = &all->at[--all->n];

		from = last->from < from ? last->from : from;
		to = last->to > to ? last->to : to;
	}
	if (from < to)
		*vector_add(all) =
		    (struct sampled_wait){from, to, c->later == to ? c->time : INT64_MIN};
}

/* A cause comes before or after the wait that ends with the same event. */
static void cause_add(known_waits *all, struct thread_cause *c, int64_t time, int64_t later)
{
	if (c->later != later || c->time < time)
		*c = (struct thread_cause){time, later};
	if (all->n && all->at[all->n - 1].to == later)
		all->at[all->n - 1].caused = c->time;
}

static void pair_visited(void *context, unsigned interval, const struct event *earlier,
			 const struct event *later)
{
	const struct wait_search *f = context;
	size_t thread = trace_thread_index(f->trace, later->thread);
	int64_t from = earlier->time + f->trace->origin, to = later->time + f->trace->origin;

	if (!f->asked[thread])
		return;
	if (f->list[interval]->kind == KIND_CAUSE && earlier->thread != later->thread)
		cause_add(&f->waits[thread], &f->causes[thread], from, to);
	else if (f->list[interval]->kind != KIND_CAUSE && earlier->thread == later->thread)
		wait_add(&f->waits[thread], from, to, &f->causes[thread]);
}

static bool is_asked(const struct trace *t, const struct interval *interval)
{
	if (interval->kind != KIND_WAIT && interval->kind != KIND_IO &&
	    interval->kind != KIND_CAUSE)
		return false;
	return interval->anchor.event && interval->partner.event &&
	       t->events_of_type[interval->anchor.event->index] &&
	       t->events_of_type[interval->partner.event->index];
}

known_waits *known_waits_find(struct trace *t, const bool *asked)
{
	const struct interval **list = array_new(t->spec->nintervals + 1, sizeof *list);
	struct wait_search f = {.trace = t,
				.asked = asked,
				.list = list,
				.waits = array_zero(t->nthreads + 1, sizeof *f.waits),
				.causes = array_zero(t->nthreads + 1, sizeof *f.causes)};
	struct pair_stream *s;
	unsigned n = 0;

	for (unsigned i = 0; i < t->spec->nintervals; i++)
		if (is_asked(t, t->spec->intervals[i]))
			list[n++] = t->spec->intervals[i];
	if (n) {
		progress_begin("finding when the threads waited");
		s = pair_stream_new(t, list, n, pair_visited, &f);
		pair_stream_read(s, t);
		pair_stream_free(s);
		progress_end();
	}
	free(list);
	free(f.causes);
	return f.waits;
}

void known_waits_free(known_waits *waits, const struct trace *t)
{
	for (unsigned i = 0; waits && i < t->nthreads; i++)
		free(waits[i].at);
	free(waits);
}
