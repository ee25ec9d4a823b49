#include "viewers/gorge/pyramid.h"
#include "viewers/gorge/layout.h"
#include <stdlib.h>
#include <string.h>

struct pyramid {
	struct model *model;
	struct sheet **events;          /* by event_type.index */
	struct sheet **unmatched;       /* by interval.index, and so are */
	struct web **webs;
	struct stack *stack;
	bool *stacked;                  /* which intervals the stack has */
};

struct pyramid *pyramid_new(struct model *m)
{
	const struct spec *spec = m->trace->spec;
	struct pyramid *p = zeroed(1, sizeof *p);

	p->model = m;
	p->events = zeroed(spec->nevents, sizeof *p->events);
	p->unmatched = zeroed(spec->nintervals, sizeof *p->unmatched);
	p->webs = zeroed(spec->nintervals, sizeof *p->webs);
	p->stacked = zeroed(spec->nintervals, sizeof *p->stacked);
	return p;
}

void pyramid_free(struct pyramid *p)
{
	const struct spec *spec;

	if (!p)
		return;
	spec = p->model->trace->spec;
	for (unsigned i = 0; i < spec->nevents; i++)
		sheet_free(p->events[i]);
	for (unsigned i = 0; i < spec->nintervals; i++) {
		sheet_free(p->unmatched[i]);
		web_free(p->webs[i]);
	}
	stack_free(p->stack);
	free(p->events);
	free(p->unmatched);
	free(p->webs);
	free(p->stacked);
	free(p);
}

const struct sheet *pyramid_events(struct pyramid *p, const struct event_type *type)
{
	struct sheet **sheet = &p->events[type->index];

	if (!*sheet)
		*sheet = sheet_of_events(p->model->trace, type);
	return *sheet;
}

const struct sheet *pyramid_unmatched(struct pyramid *p, const struct interval *interval)
{
	struct sheet **sheet = &p->unmatched[interval->index];

	if (!*sheet)
		*sheet = sheet_of_unmatched(p->model->trace, model_matches(p->model, interval));
	return *sheet;
}

const struct web *pyramid_web(struct pyramid *p, const struct interval *interval)
{
	struct web **web = &p->webs[interval->index];

	if (!*web)
		*web = web_new(p->model->trace, model_matches(p->model, interval));
	return *web;
}

static struct stretches stretches_of(const struct trace *t, const struct matches *m)
{
	struct stretches all = {0};
	struct instance i;

	for (size_t a = 0; a < m->count; a++) {
		if (m->partner_of[a] == UNMATCHED)
			continue;
		matches_look(m, a, &i);
		if (i.anchor.thread == i.partner.thread)
			*vector_add(&all) = (struct stretch){
				i.start, i.end, thread_index(t, i.anchor.thread), a};
	}
	stretches_sort(&all);
	return all;
}

static struct stack *make_stack(struct pyramid *p, unsigned nkeys)
{
	const struct trace *t = p->model->trace;
	struct stretches *all = zeroed(nkeys, sizeof *all);
	struct stack *stack;

	for (unsigned i = 0, key = 0; i < t->spec->nintervals; i++)
		if (p->stacked[i])
			all[key++] = stretches_of(
				t, model_matches(p->model, t->spec->intervals[i]));
	stack = stack_new(t->nthreads, density_for(t->nthreads)->rows, all, nkeys);
	for (unsigned key = 0; key < nkeys; key++)
		free(all[key].at);
	free(all);
	return stack;
}

const struct stack *pyramid_stack(struct pyramid *p, const bool *chosen)
{
	unsigned n = p->model->trace->spec->nintervals, nkeys = 0;

	if (p->stack && !memcmp(chosen, p->stacked, n * sizeof *chosen))
		return p->stack;
	memcpy(p->stacked, chosen, n * sizeof *chosen);
	for (unsigned i = 0; i < n; i++)
		nkeys += chosen[i];
	stack_free(p->stack);
	p->stack = make_stack(p, nkeys);
	return p->stack;
}
