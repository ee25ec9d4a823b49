/*
 * Walks the spans of a focus that a measure selects, thread by thread: first the lists of its
 * instances, each by their starts, then the stretches of its timeline. Inline, as it is the inner
 * loop of each measure.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_SPAN_WALK_H
#define GLIMPSE_ANALYSIS_WHY_SPAN_WALK_H

#include "analysis/why/focus.h"

struct span_walk {
	const struct evidence *evidence;
	const struct focus *focus;
	const bool *places; /* that are selected; NULL: all */
	unsigned sorts;     /* that have selected places; 1 << NSPAN_SORTS: the timeline */
	uint32_t thread;
	unsigned sort;
	size_t at, ready; /* in the list; of the stretches before, those that are ready */
	struct sampled_cursor sampled; /* behind the list of calls */
};

/*
 * Begins a walk. places: which are selected, by index; NULL: all. Focus and places are needed until
 * its end.
 */
struct span_walk span_walk_begin(const struct evidence *g, const struct focus *f,
				 const bool *places);

static inline bool span_walk_wants(const struct span_walk *w, uint32_t place)
{
	return (!w->places || w->places[place]) && (!w->focus->places || w->focus->places[place]);
}

/* Returns whether a span of the list is in the focus, and what it is. */
static inline bool span_walk_list(const struct span_walk *w, const struct instance_span *i,
				  struct span_of_time *s)
{
	const struct focus *f = w->focus;
	int64_t end = w->evidence->graph->threads[w->thread].end;

	if (i->end < f->from || !span_walk_wants(w, i->class))
		return false;
	s->from = i->start;
	s->to = i->end < end ? i->end : end;
	s->thread = w->thread;
	s->place = i->class;
	s->wait = w->sort == SPANS_WAIT ? &w->evidence->waits[w->thread][w->at] : NULL;
	s->queued = 0;
	return s->to >= f->from;
}

static inline bool span_walk_stretch(struct span_walk *w, const struct timeline *l,
				     struct span_of_time *s)
{
	enum activity activity = l->stretches[w->at].activity;
	size_t ready = w->ready;

	w->ready += activity == ACTIVITY_READY;
	s->from = l->stretches[w->at].from;
	s->to = stretch_end(l, w->at);
	if (activity == ACTIVITY_WAITING || s->to < w->focus->from ||
	    !span_walk_wants(w, state_place(w->evidence, activity)))
		return false;
	s->thread = w->thread;
	s->place = state_place(w->evidence, activity);
	s->wait = NULL;
	s->queued = activity == ACTIVITY_READY ? w->evidence->queued[w->thread][ready] : 0;
	return true;
}

/* Returns whether there is one more sampled call in the focus, and what it is. */
static inline bool span_walk_sampled(struct span_walk *w, struct span_of_time *s)
{
	struct instance_span call;

	while (sampled_cursor_next(&w->sampled, &call) && call.start < w->focus->to)
		if (span_walk_list(w, &call, s))
			return true;
	return false;
}

/* Goes on to the next list of a thread that has any selected spans. Returns false at the end. */
static inline bool span_walk_list_next(struct span_walk *w)
{
	w->at = w->ready = 0;
	do {
		if (++w->sort > NSPAN_SORTS) {
			w->sort = 0;
			w->thread++;
		}
		if (w->thread >= w->evidence->trace->nthreads)
			return false;
	} while (!(w->sorts >> w->sort & 1) ||
		 (w->focus->only_threads && !w->focus->only_threads[w->thread]));
	if (w->sort == SPANS_CALL)
		w->sampled = sampled_cursor_begin(instance_sampled(w->evidence->set, w->thread));
	return true;
}

/* Goes on to the next thread. */
static inline void span_walk_thread_next(struct span_walk *w)
{
	w->sort = NSPAN_SORTS;
	w->at = SIZE_MAX;
}

bool span_walk_picks(const struct span_walk *w, const struct span_of_time *s);

/* Returns false behind the last span; s: its time is not cut to that of the focus. */
static inline bool span_walk_next(struct span_walk *w, struct span_of_time *s)
{
	while (w->thread < w->evidence->trace->nthreads) {
		bool found = false;

		if (w->sort < NSPAN_SORTS) {
			const span_vector *list =
			    instance_spans(w->evidence->set, w->sort, w->thread);

			for (; !found && w->at < list->n && list->at[w->at].start < w->focus->to;
			     w->at++)
				found = span_walk_list(w, &list->at[w->at], s);
			if (!found && w->sort == SPANS_CALL)
				found = span_walk_sampled(w, s);
		} else {
			const struct timeline *l = &w->evidence->graph->threads[w->thread];

			for (; !found && w->at < l->n && l->stretches[w->at].from < w->focus->to;
			     w->at++)
				found = span_walk_stretch(w, l, s);
		}
		if (found && (!w->focus->picks || span_walk_picks(w, s)))
			return true;
		if (!found && !span_walk_list_next(w))
			return false;
	}
	return false;
}

#endif
