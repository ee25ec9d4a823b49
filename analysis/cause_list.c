#include "analysis/cause_list.h"
#include "base/array.h"
#include "match/join/match.h"
#include <stdlib.h>

void cause_list_find(struct cause_list *c, struct trace *t)
{
	c->roles = roles_of_kind(t->spec, KIND_CAUSE, &c->n);
	c->matches = array_new(c->n + 1, sizeof *c->matches);
	for (unsigned i = 0; i < c->n; i++) {
		trace_announce(t, c->roles[i].start.event);
		trace_announce(t, c->roles[i].end.event);
	}
	for (unsigned i = 0; i < c->n; i++)
		c->matches[i] = match_interval(t, c->roles[i].interval);
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
		visit(context, forwards ? &in.anchor : &in.partner, forwards ? &in.partner : &in.anchor);
	}
}

void cause_list_free(struct cause_list *c)
{
	for (unsigned i = 0; i < c->n; i++)
		matches_free(c->matches[i]);
	free(c->matches);
	free(c->roles);
}
