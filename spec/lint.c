#include "spec/lint.h"
#include "grammar/arena.h"
#include "spec/constraints.h"
#include "spec/names.h"
#include <string.h>

const struct warning warnings[] = {
    {"narrow-match", "Match compares too little to tell which events belong together"},
    {"never-holds", "a condition or assertion that can never hold"},
    {"same-thread", "events that threads hand to each other, paired within a thread"},
    {"type-as-attribute", "an attribute named like a type of another language"},
    {"unused-attribute", "an attribute that no interval, assertion or symbol uses"},
    {NULL, NULL},
};

static void lint_condition(const struct constraints *c, struct diag *diag, const char *kind,
			   const char *name)
{
	if (!c->impossible)
		return;
	diag_warning(diag, "never-holds", c->where, "this can never hold: %s%s%s", kind, name,
		     *name ? " will have no instances" : " is always violated");
	if (c->other.source)
		diag_note(diag, c->other, "it contradicts this");
}

/*
 * Returns the number of bits in which the values of an attribute under Match can differ, within the
 * bounds of its condition. Match makes the two sides equal: a bound of one is one of the other.
 */
static unsigned attribute_bits(const struct constraints *c, const struct event_type *event,
			       unsigned index)
{
	const struct attribute *a = &event->attributes[index];
	unsigned bits = a->type == TYPE_STRING ? 64 : 8 * type_size(a->type), needed = 0;
	struct range r = RANGE_ALL;
	for (unsigned i = 0; i < c->nbounds; i++) {
		const struct expr *e = c->bounds[i].e;
		if (e->op != EXPR_ATTRIBUTE ||
		    e->event->attributes[e->attribute].type == TYPE_DOUBLE)
			continue;
		const char *name = e->event->attributes[e->attribute].name;
		if (event_attribute(event, name) != (int)index)
			continue;
		const struct range *bound = &c->bounds[i].range;
		r.low = bound->low > r.low ? bound->low : r.low;
		r.high = bound->high < r.high ? bound->high : r.high;
	}
	while (needed < 64 && (r.high - r.low) >> needed)
		needed++;
	return needed < bits ? needed : bits;
}

/* Returns whether a condition says that an attribute of the anchor equals one of the partner. */
static bool equates(const struct expr *e, unsigned attribute)
{
	if (e->op == EXPR_AND)
		return equates(e->left, attribute) || equates(e->right, attribute);
	return e->op == EXPR_EQ && e->left->op == EXPR_ATTRIBUTE &&
	       e->right->op == EXPR_ATTRIBUTE && e->left->side == SIDE_ANCHOR &&
	       e->right->side == SIDE_PARTNER && e->left->attribute == attribute;
}

/* With fewer bits, events that do not belong together soon match by chance. */
enum { FEW_BITS = 8 };

/* Returns whether a condition speaks of equal threads or processes, of which there are few. */
static bool matches_thread(const struct expr *e)
{
	return expr_has(e, EXPR_THREAD) || expr_has(e, EXPR_OWNER);
}

static void lint_match(const struct interval *i, const struct constraints *c, struct diag *diag)
{
	const struct event_type *event = end_event(&i->anchor);
	unsigned bits = 0;
	if (!i->match || c->impossible)
		return;
	for (unsigned k = 0; k < event->nattributes; k++)
		if (!i->match_chosen || equates(i->condition, k))
			bits += attribute_bits(c, event, k);
	if (event->nattributes == 0)
		diag_warning(diag, "narrow-match", i->where,
			     "Match in interval %s compares nothing: %s has no attribute", i->name,
			     event->name);
	else if (bits < FEW_BITS && !(i->match_chosen && matches_thread(i->condition)))
		diag_warning(diag, "narrow-match", i->where,
			     "Match in interval %s can tell at most %u pairs apart", i->name,
			     1u << bits);
}

/* Words in the names of events by which one thread hands something to another. */
static const char *const handovers[][2] = {
    {"send", "rec"},     {"sent", "rec"},        {"sent", "got"},        {"put", "get"},
    {"push", "pop"},     {"enqueue", "dequeue"}, {"produce", "consume"}, {"signal", "wake"},
    {"submit", "start"}, {"write", "read"},
};

/*
 * Returns whether another interval pairs the same events by what is said: the difference is known.
 */
static bool is_said_elsewhere(const struct spec *s, const struct interval *i)
{
	for (unsigned k = 0; k < s->nintervals; k++) {
		const struct interval *other = s->intervals[k];

		if (!other->unconditional && end_event(&other->anchor) == end_event(&i->anchor) &&
		    end_event(&other->partner) == end_event(&i->partner))
			return true;
	}
	return false;
}

static void lint_same_thread(const struct spec *s, const struct interval *i, struct diag *diag)
{
	const char *a = end_event(&i->anchor)->name, *b = end_event(&i->partner)->name;

	if (!i->unconditional || i->direction == BACKWARDS || is_said_elsewhere(s, i))
		return;
	for (size_t k = 0; k < sizeof handovers / sizeof *handovers; k++)
		if (strcasestr(a, handovers[k][0]) && strcasestr(b, handovers[k][1])) {
			diag_warning(diag, "same-thread", i->where,
				     "interval %s pairs %s and %s of one thread only; if different "
				     "threads log them, write Match or a condition",
				     i->name, a, b);
			return;
		}
}

static void lint_interval(const struct spec *s, const struct interval *i, struct diag *diag)
{
	struct constraints c = {.forwards = i->direction == FORWARDS,
				.backwards = i->direction == BACKWARDS};
	constraints_add(&c, i->condition);
	lint_condition(&c, diag, "interval ", i->name);
	lint_match(i, &c, diag);
	lint_same_thread(s, i, diag);
}

static void lint_assertion(const struct assertion *a, struct diag *diag)
{
	const struct interval *i = a->interval;
	struct constraints c = {.forwards = i && i->direction == FORWARDS,
				.backwards = i && i->direction == BACKWARDS};
	constraints_add(&c, a->condition);
	lint_condition(&c, diag, "the assertion", "");
}

static void expr_uses(const struct expr *e, bool **used)
{
	if (!e)
		return;
	expr_uses(e->left, used);
	expr_uses(e->right, used);
	if (e->op == EXPR_ATTRIBUTE)
		used[e->event->index][e->attribute] = true;
	if (e->op == EXPR_AGGREGATE && e->aggregate->attribute >= 0)
		used[e->aggregate->event->index][e->aggregate->attribute] = true;
}

/* What a stack begins with is used as its number is. */
static void stack_uses(const struct event_type *e, bool *used)
{
	if (e->stack_attribute >= 0)
		used[e->stack_attribute] = true;
	if (e->caller_attribute >= 0)
		used[e->caller_attribute] = true;
	for (unsigned i = 0; i < e->nattributes && e->caller_attribute >= 0; i++)
		if (e->attributes[i].type == TYPE_CODE || e->attributes[i].type == TYPE_CODE32)
			used[i] = true;
}

static void spec_uses(const struct spec *s, bool **used)
{
	for (unsigned i = 0; i < s->nevents; i++) {
		if (s->events[i]->offset_attribute >= 0)
			used[i][s->events[i]->offset_attribute] = true;
		if (s->events[i]->ends_attribute >= 0)
			used[i][s->events[i]->ends_attribute] = true;
		if (s->events[i]->takes_attribute >= 0)
			used[i][s->events[i]->takes_attribute] = true;
		if (s->events[i]->priority_attribute >= 0)
			used[i][s->events[i]->priority_attribute] = true;
		if (s->events[i]->processors_attribute >= 0)
			used[i][s->events[i]->processors_attribute] = true;
		if (s->events[i]->deadline_attribute >= 0)
			used[i][s->events[i]->deadline_attribute] = true;
		if (s->events[i]->limit_attribute >= 0)
			used[i][s->events[i]->limit_attribute] = true;
		if (s->events[i]->errno_attribute >= 0)
			used[i][s->events[i]->errno_attribute] = true;
		if (s->events[i]->bytes_attribute >= 0)
			used[i][s->events[i]->bytes_attribute] = true;
		if (s->events[i]->counts_attribute >= 0)
			used[i][s->events[i]->counts_attribute] = true;
		if (s->events[i]->starts_attribute >= 0)
			used[i][s->events[i]->starts_attribute] = true;
		if (s->events[i]->lost_attribute >= 0)
			used[i][s->events[i]->lost_attribute] = true;
		if (s->events[i]->throttled_attribute >= 0)
			used[i][s->events[i]->throttled_attribute] = true;
		if (s->events[i]->off_attribute >= 0)
			used[i][s->events[i]->off_attribute] = true;
		stack_uses(s->events[i], used[i]);
		if (s->events[i]->context_attribute >= 0)
			used[i][s->events[i]->context_attribute] = true;
	}
	for (unsigned i = 0; i < s->nintervals; i++) {
		expr_uses(s->intervals[i]->condition, used);
		for (unsigned k = 0; k < s->intervals[i]->nmetrics; k++)
			expr_uses(s->intervals[i]->metrics[k].value, used);
	}
	for (unsigned i = 0; i < s->nassertions; i++)
		expr_uses(s->assertions[i]->condition, used);
}

static bool is_end(const struct spec *s, const struct event_type *e)
{
	for (unsigned i = 0; i < s->nintervals; i++)
		if (end_event(&s->intervals[i]->anchor) == e ||
		    end_event(&s->intervals[i]->partner) == e)
			return true;
	return false;
}

/* A measured value is there to be plotted; the tools show code and objects by themselves. */
static bool is_used_by_type(enum type type)
{
	return type == TYPE_DOUBLE || type_is_symbolic(type);
}

/* Warns once of the attributes of an event that nothing uses. */
static void lint_unused(const struct event_type *e, const bool *used, struct diag *diag)
{
	char names[256] = "";
	size_t length = 0;
	unsigned first = 0, n = 0;

	for (unsigned k = 0; k < e->nattributes; k++) {
		if (used[k] || is_used_by_type(e->attributes[k].type))
			continue;
		if (length < sizeof names)
			length += (size_t)snprintf(names + length, sizeof names - length, "%s'%s'",
						   n ? ", " : "", e->attributes[k].name);
		first = n++ ? first : k;
	}
	if (n)
		diag_warning(diag, "unused-attribute", e->attributes[first].where,
			     "nothing uses attribute%s %s of %s", n > 1 ? "s" : "", names, e->name);
}

/* Ignores imported events: they are made for many specifications. The attributes of an event that
 * is no end of an interval are there to be plotted, or read; those that a pattern gives cost
 * nothing in the program. */
static void lint_attributes(const struct spec *s, struct diag *diag)
{
	bool **used = arena_alloc(s->arena, s->nevents * sizeof *used);
	for (unsigned i = 0; i < s->nevents; i++)
		used[i] = arena_alloc(s->arena, s->events[i]->nattributes);
	spec_uses(s, used);
	for (unsigned i = 0; i < s->nevents; i++) {
		const struct event_type *e = s->events[i];
		if (e->where.source == s->where.source && is_end(s, e) && !e->from.pattern)
			lint_unused(e, used[i], diag);
	}
}

void spec_lint(const struct spec *s, struct diag *diag)
{
	if (s->nintervals > 0)
		lint_attributes(s, diag);
	for (unsigned i = 0; i < s->nintervals; i++)
		lint_interval(s, s->intervals[i], diag);
	for (unsigned i = 0; i < s->nassertions; i++)
		lint_assertion(s->assertions[i], diag);
}
