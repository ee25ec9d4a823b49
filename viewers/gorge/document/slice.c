#include "viewers/gorge/document/slice.h"
#include "viewers/gorge/build/build.h"
#include <stdlib.h>
#include <string.h>

static bool in_window(const struct window *w, int64_t from, int64_t to)
{
	return to >= w->from && from <= w->to;
}

static bool *keep_events(const struct trace_slice *x, const bool *threads, struct trace *t,
			 const struct event_type *type)
{
	const struct event_list *list = trace_events(t, type);
	size_t n = event_list_size(list);
	bool *kept = array_zero(n, sizeof *kept);
	struct event e;

	for (size_t i = 0; i < n; i++) {
		event_list_look(list, i, &e);
		kept[i] = in_window(&x->window, e.time, e.time) &&
			  threads[trace_thread_index(t, e.thread)];
	}
	return kept;
}

/* Keeps an anchor without a partner like an event; a kept instance keeps both its events. */
static bool *keep_anchors(struct trace_slice *x, const bool *threads, struct trace *t,
			  const struct interval *interval)
{
	const struct matches *found = x->matches[interval->index];
	bool *kept = array_zero(found->count, sizeof *kept);
	bool *anchors = x->events[end_event(&interval->anchor)->index];
	bool *partners = x->events[end_event(&interval->partner)->index];
	struct instance i;

	for (size_t a = 0; a < found->count; a++) {
		matches_look(found, a, &i);
		kept[a] = in_window(&x->window, i.start, i.end) &&
			  (threads[trace_thread_index(t, i.anchor.thread)] ||
			   (i.partner.record && threads[trace_thread_index(t, i.partner.thread)]));
		if (!kept[a])
			continue;
		anchors[moments_place(&found->anchors, a)] = true;
		if (i.partner.record)
			partners[moments_place(&found->partners, found->partner_of[a])] = true;
	}
	return kept;
}

/* Returns the type whose event at its place is the first in the stream, or nevents at the end. */
static unsigned first_of(struct trace *t, const size_t *places)
{
	unsigned n = t->spec->nevents, best = n;
	event_rank rank, least = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct event_list *list = trace_events(t, t->spec->events[i]);
		if (places[i] == event_list_size(list))
			continue;
		rank = event_list_rank(list, places[i]);
		if (best < n && rank >= least)
			continue;
		best = i;
		least = rank;
	}
	return best;
}

/* Ranks the kept events, and counts them. */
static void rank_kept(struct trace_slice *x, struct trace *t)
{
	unsigned n = t->spec->nevents, type;
	size_t *places = array_zero(n, sizeof *places);

	for (unsigned i = 0; i < n; i++)
		x->ranks[i] = array_zero(event_list_size(trace_events(t, t->spec->events[i])),
					 sizeof **x->ranks);
	while ((type = first_of(t, places)) < n) {
		x->ranks[type][places[type]] = (uint32_t)x->count;
		x->count += x->events[type][places[type]++];
	}
	free(places);
}

bool slice_choose(struct trace_slice *x, const struct view *v, struct trace *t, struct diag *diag)
{
	const struct spec *spec = t->spec;
	struct chosen chosen = chosen_new(v, t, diag);
	bool good = chosen.good && view_window(v, t, &x->window, diag);

	x->events = array_zero(spec->nevents, sizeof *x->events);
	x->ranks = array_zero(spec->nevents, sizeof *x->ranks);
	x->matches = array_zero(spec->nintervals, sizeof *x->matches);
	x->anchors = array_zero(spec->nintervals, sizeof *x->anchors);
	for (unsigned i = 0; good && i < spec->nevents; i++)
		trace_announce(t, spec->events[i]);
	for (unsigned i = 0; good && i < spec->nevents; i++)
		x->events[i] = keep_events(x, chosen.threads, t, spec->events[i]);
	for (unsigned i = 0; good && i < spec->nintervals; i++) {
		x->matches[i] = match_interval(t, spec->intervals[i]);
		x->anchors[i] = keep_anchors(x, chosen.threads, t, spec->intervals[i]);
	}
	if (good) {
		x->threads = array_zero(t->nthreads, sizeof *x->threads);
		memcpy(x->threads, chosen.threads, t->nthreads * sizeof *x->threads);
	}
	chosen_free(&chosen);
	x->count = 0;
	if (good)
		rank_kept(x, t);
	x->whole = x->count == t->events;
	return good;
}

void slice_free(struct trace_slice *x, const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		free(x->events[i]);
		free(x->ranks[i]);
	}
	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		matches_free(x->matches[i]);
		free(x->anchors[i]);
	}
	free(x->threads);
	free(x->events);
	free(x->ranks);
	free(x->matches);
	free(x->anchors);
}
