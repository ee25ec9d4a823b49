#include "recorder/merge/known_waits.h"
#include "base/progress.h"
#include "match/join/pair_stream.h"
#include <stdlib.h>

struct wait_search {
	struct trace *trace;
	const bool *asked;
	known_waits *waits;
};

/* Waits come by their ends: a wait around others comes after them, and replaces them. */
static void wait_add(known_waits *all, int64_t from, int64_t to)
{
	while (all->n && all->at[all->n - 1].to >= from) {
		const struct sampled_wait *last = &all->at[--all->n];

		from = last->from < from ? last->from : from;
		to = last->to > to ? last->to : to;
	}
	if (from < to)
		*vector_add(all) = (struct sampled_wait){from, to};
}

static void pair_visited(void *context, unsigned interval, const struct event *earlier,
			 const struct event *later)
{
	const struct wait_search *f = context;
	size_t thread = trace_thread_index(f->trace, later->thread);

	(void)interval;
	if (earlier->thread == later->thread && f->asked[thread])
		wait_add(&f->waits[thread], earlier->time + f->trace->origin,
			 later->time + f->trace->origin);
}

known_waits *known_waits_find(struct trace *t, const bool *asked)
{
	const struct interval **list = array_new(t->spec->nintervals + 1, sizeof *list);
	struct wait_search f = {t, asked, array_zero(t->nthreads + 1, sizeof *f.waits)};
	struct pair_stream *s;
	unsigned n = 0;

	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		const struct interval *interval = t->spec->intervals[i];

		if (interval->kind == KIND_WAIT && interval->anchor.event &&
		    interval->partner.event && t->events_of_type[interval->anchor.event->index] &&
		    t->events_of_type[interval->partner.event->index])
			list[n++] = interval;
	}
	if (n) {
		progress_begin("finding when the threads waited");
		s = pair_stream_new(t, list, n, pair_visited, &f);
		pair_stream_read(s, t);
		pair_stream_free(s);
		progress_end();
	}
	free(list);
	return f.waits;
}

void known_waits_free(known_waits *waits, const struct trace *t)
{
	for (unsigned i = 0; waits && i < t->nthreads; i++)
		free(waits[i].at);
	free(waits);
}
