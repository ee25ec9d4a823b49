#include "spec/resolver.h"

#include <string.h>

/* Event ids in a log are 12 bits, of which 16 values are reserved. */
enum { MOST_EVENTS = 4080 };

static void name_taken(struct resolver *r, const struct ast_name *name, const char *what,
		       struct span where)
{
	diag_error(r->diag, name->where, "'%s' is already the name of %s", name->text, what);
	diag_note(r->diag, where, "it was given here");
}

/* Events and intervals share one space of names: series expressions name both. */
static void name_check(struct resolver *r, const struct ast_name *name)
{
	const struct event_type *e = spec_event(r->spec, name->text);
	const struct interval *i = spec_interval(r->spec, name->text);
	if (e)
		name_taken(r, name, "an event", e->where);
	else if (i)
		name_taken(r, name, "an interval", i->where);
}

static void event_enter(struct resolver *r, const struct ast_item *item)
{
	struct spec *s = r->spec;
	const struct ast_name *name = &item->event.name;
	name_check(r, name);
	struct event_type *e = arena_alloc(s->arena, sizeof *e);
	e->name = arena_copy(s->arena, name->text, strlen(name->text));
	e->where = name->where;
	e->index = s->nevents;
	e->offset_attribute = -1;
	if (item->comment)
		e->comment = arena_copy(s->arena, item->comment, strlen(item->comment));
	r->event_items[s->nevents] = item;
	s->events[s->nevents++] = e;
	if (s->nevents == MOST_EVENTS + 1)
		diag_error(r->diag, name->where, "more than %d events", MOST_EVENTS);
}

static void interval_enter(struct resolver *r, const struct ast_item *item)
{
	struct spec *s = r->spec;
	const struct ast_name *name = &item->interval.name;
	name_check(r, name);
	struct interval *i = arena_alloc(s->arena, sizeof *i);
	i->name = arena_copy(s->arena, name->text, strlen(name->text));
	i->where = name->where;
	i->index = s->nintervals;
	i->direction = item->interval.backwards ? BACKWARDS : FORWARDS;
	i->match = item->interval.pairing & AST_MATCH;
	i->once = item->interval.pairing & AST_ONCE;
	i->nested = item->interval.pairing & AST_NESTED;
	if (item->comment)
		i->comment = arena_copy(s->arena, item->comment, strlen(item->comment));
	r->interval_items[s->nintervals] = item;
	s->intervals[s->nintervals++] = i;
}

static void assertion_enter(struct resolver *r, const struct ast_item *item)
{
	struct spec *s = r->spec;
	struct assertion *a = arena_alloc(s->arena, sizeof *a);
	a->where = item->where;
	r->assertion_items[s->nassertions] = item;
	s->assertions[s->nassertions++] = a;
}

void names_enter(struct resolver *r)
{
	struct spec *s = r->spec;
	size_t n = r->load->nitems;
	s->events = arena_alloc(s->arena, n * sizeof *s->events);
	s->intervals = arena_alloc(s->arena, n * sizeof *s->intervals);
	s->assertions = arena_alloc(s->arena, n * sizeof *s->assertions);
	r->event_items = arena_alloc(s->arena, n * sizeof *r->event_items);
	r->interval_items = arena_alloc(s->arena, n * sizeof *r->interval_items);
	r->assertion_items = arena_alloc(s->arena, n * sizeof *r->assertion_items);
	for (size_t i = 0; i < n; i++) {
		const struct ast_item *item = r->load->items[i];
		if (item->kind == AST_EVENT)
			event_enter(r, item);
		else if (item->kind == AST_INTERVAL)
			interval_enter(r, item);
		else
			assertion_enter(r, item);
	}
}
