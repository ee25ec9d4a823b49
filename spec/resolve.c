#include "spec/resolve.h"
#include "spec/expr_check.h"
#include "spec/hypotheses.h"
#include "spec/intervals.h"
#include "spec/layout.h"
#include "spec/names.h"
#include "spec/object_words.h"
#include "spec/style.h"
#include "spec/types.h"
#include <string.h>

/* ---- Names ----------------------------------------------------------------------------------- */

/* Event ids in a log are 12 bits, of which 16 values are reserved. */
enum { MOST_EVENTS = 4080 };

static void name_taken(struct resolve_context *r, const struct ast_name *name, const char *what,
		       struct span where)
{
	diag_error(r->diag, name->where, "'%s' is already the name of %s", name->text, what);
	diag_note(r->diag, where, "first given here");
}

/* Events and intervals share one name space, since series expressions name both. */
static void name_check(struct resolve_context *r, const struct ast_name *name)
{
	const struct event_type *e = spec_event(r->spec, name->text);
	const struct interval *i = spec_interval(r->spec, name->text);
	if (e)
		name_taken(r, name, "an event", e->where);
	else if (i)
		name_taken(r, name, "an interval", i->where);
}

static void event_enter(struct resolve_context *r, const struct ast_item *item)
{
	struct spec *s = r->spec;
	const struct ast_name *name = &item->event.name;
	name_check(r, name);
	struct event_type *e = arena_alloc(s->arena, sizeof *e);
	e->name = arena_copy(s->arena, name->text, strlen(name->text));
	e->where = name->where;
	e->index = s->nevents;
	e->offset_attribute = -1;
	e->ends_attribute = -1;
	e->takes_attribute = -1;
	e->priority_attribute = -1;
	e->processors_attribute = -1;
	e->deadline_attribute = -1;
	e->limit_attribute = -1;
	e->errno_attribute = -1;
	e->bytes_attribute = -1;
	e->counts_attribute = -1;
	e->starts_attribute = -1;
	e->lost_attribute = -1;
	e->throttled_attribute = -1;
	e->off_attribute = -1;
	e->stack_attribute = -1;
	e->caller_attribute = -1;
	e->context_attribute = -1;
	e->from.earlier_attribute = -1;
	if (item->comment)
		e->comment = arena_copy(s->arena, item->comment, strlen(item->comment));
	r->event_items[s->nevents] = item;
	s->events[s->nevents++] = e;
	if (s->nevents == MOST_EVENTS + 1)
		diag_error(r->diag, name->where, "too many events: more than %d", MOST_EVENTS);
}

static void interval_enter(struct resolve_context *r, const struct ast_item *item)
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
	i->match_chosen = item->interval.match;
	i->unconditional = !i->match && !item->interval.condition;
	i->once = item->interval.pairing & AST_ONCE;
	i->nested = item->interval.pairing & AST_NESTED;
	if (item->comment)
		i->comment = arena_copy(s->arena, item->comment, strlen(item->comment));
	r->interval_items[s->nintervals] = item;
	s->intervals[s->nintervals++] = i;
}

static void assertion_enter(struct resolve_context *r, const struct ast_item *item)
{
	struct spec *s = r->spec;
	struct assertion *a = arena_alloc(s->arena, sizeof *a);
	a->where = item->where;
	r->assertion_items[s->nassertions] = item;
	s->assertions[s->nassertions++] = a;
}

/*
 * Enters all names and refuses those that are used twice. From then on spec_event() and
 * spec_interval() find them.
 */
static void names_enter(struct resolve_context *r)
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
		else if (item->kind == AST_ASSERTION)
			assertion_enter(r, item);
	}
}

/* ---- Events ---------------------------------------------------------------------------------- */

/*
 * Types of other languages, which are attributes here: "event A(float x)" has two attributes, both
 * of type int.
 */
static const char *const foreign[] = {
    "Integer",  "bool",    "boolean",   "byte",    "char",     "character", "complex",
    "float",    "int16_t", "int32",     "int32_t", "int64",    "int64_t",   "integer",
    "logical",  "pointer", "precision", "real",    "short",    "size_t",    "str",
    "uint16_t", "uint32",  "uint32_t",  "uint64",  "uint64_t", "unsigned",
};

static bool is_foreign_type(const char *name)
{
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (strcmp(foreign[i], name) == 0)
			return true;
	return false;
}

/* Warns of attributes that were meant as types. */
static void members_lint(struct resolve_context *r, const struct ast_event *e)
{
	for (const struct ast_member *m = e->members; m && m->next; m = m->next) {
		bool typed = m->type.text && strcmp(m->name.text, "precision") != 0;

		if (typed || m->next->behind_comma || !is_foreign_type(m->name.text))
			continue;
		diag_warning(r->diag, "type-as-attribute", m->name.where,
			     "'%s' is not a type but an attribute of its own, like '%s' after it",
			     m->name.text, m->next->name.text);
	}
}

/* A record without its strings must fit into the smallest tail, with room to spare. */
enum { MOST_FIXED_BYTES = 32 * 1024 };

static void attribute_check(struct resolve_context *r, const struct event_type *e, unsigned index)
{
	const struct attribute *a = &e->attributes[index];
	if (is_intrinsic(a->name))
		diag_error(r->diag, a->where,
			   "'%s' is an attribute of every event; choose another name", a->name);
	for (unsigned i = 0; i < index; i++) {
		if (strcmp(e->attributes[i].name, a->name) != 0)
			continue;
		diag_error(r->diag, a->where, "%s already has an attribute '%s'", e->name, a->name);
		diag_note(r->diag, e->attributes[i].where, "first given here");
		return;
	}
}

static void members_resolve(struct resolve_context *r, struct event_type *e,
			    const struct ast_member *list)
{
	unsigned n = 0;
	for (const struct ast_member *m = list; m; m = m->next)
		n++;
	e->attributes = arena_alloc(r->spec->arena, n * sizeof *e->attributes);
	for (const struct ast_member *m = list; m; m = m->next) {
		struct attribute *a = &e->attributes[e->nattributes];
		a->name = arena_copy(r->spec->arena, m->name.text, strlen(m->name.text));
		a->where = m->name.where;
		a->type = TYPE_INT;
		if (m->type.text)
			type_find(m->type.text, &a->type);
		attribute_check(r, e, e->nattributes++);
	}
}

static void events_resolve(struct resolve_context *r)
{
	for (unsigned i = 0; i < r->spec->nevents; i++) {
		struct event_type *e = r->spec->events[i];
		const struct ast_event *event = &r->event_items[i]->event;
		members_resolve(r, e, event->members);
		members_lint(r, event);
		event_layout(e);
		if (e->fixed_size > MOST_FIXED_BYTES)
			diag_error(r->diag, e->where,
				   "a record of %s takes %u bytes; the limit is %d", e->name,
				   e->fixed_size, MOST_FIXED_BYTES);
		event_style_resolve(r, e, event->look);
	}
	r->spec->schema = schema_hash(r->spec);
}

/* ---- Assertions ------------------------------------------------------------------------------ */

static void assertion_resolve(struct resolve_context *r, struct assertion *a,
			      const struct ast_assertion *ast)
{
	struct scope scope = {.spec = r->spec, .diag = r->diag};
	const struct ast_name *name = &ast->interval;
	if (name->text) {
		a->interval = scope.interval = spec_interval(r->spec, name->text);
		if (!a->interval) {
			diag_unknown(r->diag, name->where, nearest_interval(r->spec, name->text),
				     "no interval '%s'", name->text);
			return;
		}
		if (!end_event(&a->interval->anchor) || !end_event(&a->interval->partner))
			return;
	}
	scope.duration = a->interval != NULL;
	scope.aggregates = a->interval == NULL;
	a->condition = condition_check(&scope, ast->condition);
}

static void assertions_resolve(struct resolve_context *r)
{
	for (unsigned i = 0; i < r->spec->nassertions; i++)
		assertion_resolve(r, r->spec->assertions[i], &r->assertion_items[i]->assertion);
}

/* Several orders are one, as several specifications are that a trace joins. */
static void orders_enter(struct spec *s, const struct load *load)
{
	size_t n = 0;

	for (size_t i = 0; i < load->nitems; i++)
		for (const struct ast_look *p = load->items[i]->order; p; p = p->next)
			n++;
	s->order = arena_alloc(s->arena, n * sizeof *s->order);
	for (size_t i = 0; i < load->nitems; i++)
		for (const struct ast_look *p = load->items[i]->order; p; p = p->next)
			s->order[s->norder++] =
			    arena_copy(s->arena, p->word.text, strlen(p->word.text));
}

void spec_resolve(struct spec *s, const struct load *load, struct diag *diag)
{
	struct resolve_context r = {.spec = s, .load = load, .diag = diag};
	const struct ast_name *name = &load->block->name;
	s->name = arena_copy(s->arena, name->text, strlen(name->text));
	s->where = name->where;
	names_enter(&r);
	events_resolve(&r);
	intervals_resolve(&r);
	assertions_resolve(&r);
	hypotheses_resolve(&r);
	orders_enter(s, load);
	object_words_resolve(&r);
}
