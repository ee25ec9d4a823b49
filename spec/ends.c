#include "spec/intervals.h"

#include <stdio.h>
#include <string.h>

enum side interval_side(const struct interval *i, enum moment moment)
{
	bool anchor = (moment == MOMENT_START) == (i->direction == FORWARDS);
	return anchor ? SIDE_ANCHOR : SIDE_PARTNER;
}

const struct event_type *end_event(const struct interval_end *end)
{
	while (!end->event && end->interval) {
		const struct interval *i = end->interval;
		end = interval_side(i, end->moment) == SIDE_ANCHOR ? &i->anchor : &i->partner;
	}
	return end->event;
}

/* Names the intervals on the way from an interval back to itself. */
static void cycle_tell(struct resolver *r, const struct interval *const *path, unsigned n)
{
	char text[512];
	int used = 0;
	for (unsigned i = 0; i < n && used >= 0 && (size_t)used < sizeof text; i++)
		used += snprintf(text + used, sizeof text - (size_t)used, "%s -> ", path[i]->name);
	diag_error(r->diag, path[0]->where, "interval %s ends at itself: %s%s", path[0]->name, text,
		   path[0]->name);
}

enum state { UNSEEN, ON_PATH, DONE };

/* Chains of intervals over intervals; longer ones are nobody's intention. */
enum { LONGEST_CHAIN = 1000 };

struct walk {
	struct resolver *r;
	unsigned char *states;
	const struct interval **path;
	unsigned depth;
};

static void interval_walk(struct walk *w, struct interval *i);

/* An end that closes a cycle is cut off, so that everybody may follow the ends from now on. */
static void end_walk(struct walk *w, struct interval_end *end)
{
	if (!end->interval)
		return;
	unsigned start = w->depth;
	if (w->depth == LONGEST_CHAIN) {
		diag_error(w->r->diag, end->where,
			   "a chain of more than %d intervals over intervals", LONGEST_CHAIN);
		end->interval = NULL;
	} else if (w->states[end->interval->index] == ON_PATH) {
		while (w->path[--start] != end->interval)
			;
		cycle_tell(w->r, w->path + start, w->depth - start);
		end->interval = NULL;
	} else {
		interval_walk(w, w->r->spec->intervals[end->interval->index]);
	}
}

static void interval_walk(struct walk *w, struct interval *i)
{
	if (w->states[i->index] == DONE)
		return;
	w->states[i->index] = ON_PATH;
	w->path[w->depth++] = i;
	end_walk(w, &i->anchor);
	end_walk(w, &i->partner);
	w->depth--;
	w->states[i->index] = DONE;
}

void ends_cut_cycles(struct resolver *r)
{
	const struct spec *s = r->spec;
	struct walk w = {.r = r};
	w.states = arena_alloc(s->arena, s->nintervals);
	w.path = arena_alloc(s->arena, s->nintervals * sizeof *w.path);
	for (unsigned i = 0; i < s->nintervals; i++)
		interval_walk(&w, s->intervals[i]);
}
