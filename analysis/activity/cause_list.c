#include "analysis/activity/cause_list.h"
#include "base/array.h"
#include "match/join/candidate_filter.h"
#include <stdlib.h>

void cause_list_find(struct cause_list *c, struct trace *t)
{
	const struct interval **intervals;

	c->roles = roles_of_kind(t->spec, KIND_CAUSE, &c->n);
	c->matches = array_new(c->n + 1, sizeof *c->matches);
	intervals = array_new(c->n + 1, sizeof(struct interval *));
	for (unsigned i = 0; i < c->n; i++)
		intervals[i] = c->roles[i].interval;
	match_intervals(t, intervals, c->n, c->matches);
	free(intervals);
}

void cause_list_each(const struct cause_list *c, unsigned role, cause_visit *visit, void *context)
{
	const struct matches *m = c->matches[role];
	bool forwards = c->roles[role].start.side == SIDE_ANCHOR;

	for (size_t i = 0; i < m->count; i++) {
		struct instance in;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		matches_look(m, i, &in);
		visit(context, forwards ? &in.anchor : &in.partner,
		      forwards ? &in.partner : &in.anchor);
	}
}

void cause_list_free(struct cause_list *c)
{
	for (unsigned i = 0; i < c->n; i++)
		matches_free(c->matches[i]);
	free(c->matches);
	free(c->roles);
}
