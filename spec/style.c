#include "spec/style.h"
#include "base/nearest.h"
#include "spec/from.h"
#include "spec/names.h"
#include "spec/types.h"
#include <stdio.h>
#include <string.h>

/* Accepts "color", too. */
static char **style_slot(struct style *style, const char *key)
{
	if (strcmp(key, "colour") == 0 || strcmp(key, "color") == 0)
		return &style->colour;
	return strcmp(key, "label") == 0 ? &style->label : NULL;
}

static bool is_style(const struct ast_look *l, const char *key)
{
	return strcmp(l->word.text, key) == 0;
}

static void style_unknown(struct resolve_context *r, const struct ast_name *word, bool interval)
{
	static const char *const of_events[] = {
	    "colour", "label",   "ends",     "takes",    "priority", "processors", "deadline",
	    "limit",  "off",     "patterns", "stack",    "caller",   "context",    "errno",
	    "bytes",  "starts",  "lost",     "internal", "kind",     "shown",      "from",
	    "time",   "earlier", "counts",   "throttled"};
	static const char *const of_intervals[] = {"colour", "label",   "kind", "until",
						   "shown",  "sampled", "idle"};
	const char *near =
	    interval
		? nearest_name(word->text, of_intervals, sizeof of_intervals / sizeof *of_intervals)
		: nearest_name(word->text, of_events, sizeof of_events / sizeof *of_events);
	diag_unknown(r->diag, word->where, near, "unknown style '%s'", word->text);
}

static void shown_set(struct resolve_context *r, struct style *style, const struct ast_look *l)
{
	bool yes = strcmp(l->value.text, "yes") == 0;
	if (style->shown != SHOWN_UNSAID)
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	else if (!yes && strcmp(l->value.text, "no") != 0)
		diag_error(r->diag, l->value.where, "'shown' is \"yes\" or \"no\", not \"%s\"",
			   l->value.text);
	else
		style->shown = yes ? SHOWN_YES : SHOWN_NO;
}

static void style_set(struct resolve_context *r, struct style *style, const struct ast_look *l,
		      bool interval)
{
	char **slot = style_slot(style, l->word.text);
	if (is_style(l, "shown"))
		shown_set(r, style, l);
	else if (!slot)
		style_unknown(r, &l->word, interval);
	else if (*slot)
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	else
		*slot = arena_copy(r->spec->arena, l->value.text, strlen(l->value.text));
}

static void offset_set(struct resolve_context *r, struct event_type *e, const struct ast_name *word)
{
	int index = event_attribute(e, word->text);
	if (index < 0)
		diag_unknown(r->diag, word->where, nearest_attribute(e, word->text),
			     "%s has no attribute '%s' to shift its symbol by", e->name,
			     word->text);
	else if (e->attributes[index].type == TYPE_STRING)
		diag_error(r->diag, word->where, "a symbol cannot be shifted by '%s', a string",
			   word->text);
	else if (type_is_symbolic(e->attributes[index].type))
		diag_error(r->diag, word->where, "a symbol cannot be shifted by '%s', an address",
			   word->text);
	else
		e->offset_attribute = index;
}

/*
 * Sets the symbol that the first word names. If the word is an attribute instead, it shifts the
 * symbol that the viewer chooses.
 */
static void symbol_set(struct resolve_context *r, struct event_type *e, const struct ast_name *word)
{
	size_t n;
	const char *const *names = symbol_names(&n);
	if (symbol_find(word->text, &e->symbol))
		return;
	if (event_attribute(e, word->text) >= 0)
		offset_set(r, e, word);
	else
		diag_unknown(r->diag, word->where, nearest_name(word->text, names, n),
			     "unknown symbol '%s'", word->text);
}

/*
 * Sets *slot to the attribute that a style names, of which `what` says what the event does to it.
 */
static bool attribute_take(struct resolve_context *r, struct event_type *e,
			   const struct ast_look *l, int *slot, const char *what)
{
	const struct ast_name *name = &l->value;
	int index = event_attribute(e, name->text);
	if (*slot >= 0)
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	else if (index < 0)
		diag_unknown(r->diag, name->where, nearest_attribute(e, name->text),
			     "%s has no attribute '%s' that it could %s", e->name, name->text,
			     what);
	if (*slot >= 0 || index < 0)
		return false;
	*slot = index;
	return true;
}

/* Sets the object that an event ends or takes. */
static void object_set(struct resolve_context *r, struct event_type *e, const struct ast_look *l,
		       int *slot, const char *what, const char *only)
{
	const struct attribute *a;
	if (!attribute_take(r, e, l, slot, what))
		return;
	a = &e->attributes[*slot];
	if (a->type == TYPE_OBJECT)
		return;
	*slot = -1;
	diag_error(r->diag, l->value.where,
		   "'%s' is of type %s; only an attribute of type object %s", a->name,
		   type_name(a->type), only);
}

/* Sets an attribute that is a whole number: of a stack, or a priority. */
static void number_set(struct resolve_context *r, struct event_type *e, const struct ast_look *l,
		       int *slot, const char *what, const char *is)
{
	const struct attribute *a;
	if (!attribute_take(r, e, l, slot, what))
		return;
	a = &e->attributes[*slot];
	if (type_is_integer(a->type) && !type_is_symbolic(a->type))
		return;
	*slot = -1;
	diag_error(r->diag, l->value.where, "'%s' is of type %s; %s is a whole number", a->name,
		   type_name(a->type), is);
}

/* Sets the function that a thread begins with. */
static void function_set(struct resolve_context *r, struct event_type *e, const struct ast_look *l,
			 int *slot)
{
	const struct attribute *a;
	if (!attribute_take(r, e, l, slot, "start a thread with"))
		return;
	a = &e->attributes[*slot];
	if (a->type == TYPE_CODE || a->type == TYPE_CODE32)
		return;
	*slot = -1;
	diag_error(r->diag, l->value.where,
		   "'%s' is of type %s; only an attribute of type code starts a thread", a->name,
		   type_name(a->type));
}

/* Marks an attribute that is not for people. */
static void internal_set(struct resolve_context *r, struct event_type *e, const struct ast_look *l)
{
	int slot = -1;
	if (!attribute_take(r, e, l, &slot, "keep from people"))
		return;
	if (e->attributes[slot].internal)
		diag_error(r->diag, l->value.where, "'%s' is internal already", l->value.text);
	e->attributes[slot].internal = true;
}

static void stack_set(struct resolve_context *r, struct event_type *e, const struct ast_look *l,
		      int *slot)
{
	number_set(r, e, l, slot, "name a stack by", "the number of a stack");
}

/* Reports a caller of which it is not known what it called. */
static void caller_check(struct resolve_context *r, struct event_type *e, const struct ast_look *l)
{
	bool code = false;
	for (unsigned i = 0; i < e->nattributes; i++)
		code |= e->attributes[i].type == TYPE_CODE || e->attributes[i].type == TYPE_CODE32;
	if (e->caller_attribute >= 0 && (e->stack_attribute < 0 || !code))
		diag_error(r->diag, l->word.where,
			   "an event with a caller also has a stack, and an attribute of type "
			   "code: what was called");
}

/* Sets what an event says of its thread: that it runs, or waits, with a call stack. */
static void event_kind_set(struct resolve_context *r, struct event_type *e,
			   const struct ast_look *l)
{
	enum interval_kind of_intervals;

	if (e->sample || e->wait || e->spin || e->exit)
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	else if (strcmp(l->value.text, "sample") == 0)
		e->sample = true;
	else if (strcmp(l->value.text, "wait") == 0)
		e->wait = true;
	else if (strcmp(l->value.text, "spin") == 0)
		e->spin = true;
	else if (strcmp(l->value.text, "exit") == 0)
		e->exit = true;
	else if (interval_kind_find(l->value.text, &of_intervals))
		diag_error(r->diag, l->word.where,
			   "only intervals have the kind '%s'; %s is an event", l->value.text,
			   e->name);
	else
		diag_error(r->diag, l->value.where,
			   "unknown kind '%s' of an event (use sample, wait, spin or exit)",
			   l->value.text);
}

/* Reports a sample or a wait of what is no call stack, or that is a frame of one. */
static void event_kind_check(struct resolve_context *r, struct event_type *e,
			     const struct ast_look *l)
{
	if (!e->sample && !e->wait)
		return;
	if (e->stack_attribute < 0)
		diag_error(r->diag, l->word.where,
			   "an event of the kind '%s' also has a stack; add (stack \"ATTRIBUTE\")",
			   l->value.text);
	else if (e->caller_attribute >= 0)
		diag_error(r->diag, l->word.where,
			   "an event of the kind '%s' has no caller; %s is a frame of stacks",
			   l->value.text, e->name);
}

/* Reports a number of occurrences of which nothing says what, or in which call stack, happened. */
static void counts_check(struct resolve_context *r, struct event_type *e, const struct ast_look *l)
{
	if (e->counts_attribute < 0)
		return;
	if (e->stack_attribute < 0 && e->takes_attribute < 0)
		diag_error(r->diag, l->word.where,
			   "an event with the style 'counts' also has a stack; add (stack "
			   "\"ATTRIBUTE\")");
	else if (e->caller_attribute >= 0)
		diag_error(
		    r->diag, l->word.where,
		    "an event with the style 'counts' has no caller; %s is a frame of stacks",
		    e->name);
	else if (e->sample || e->wait)
		diag_error(
		    r->diag, l->word.where,
		    "an event with the style 'counts' has no kind: samples and waits are time");
}

/* Sets the file of patterns, which is one of the log directory. */
static void patterns_set(struct resolve_context *r, struct event_type *e, const struct ast_look *l)
{
	if (e->patterns)
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	else if (!*l->value.text || strchr(l->value.text, '/') || *l->value.text == '.')
		diag_error(r->diag, l->value.where,
			   "expected the name of a file in the log directory");
	else
		e->patterns = arena_copy(r->spec->arena, l->value.text, strlen(l->value.text));
}

static void event_style_set(struct resolve_context *r, struct event_type *e,
			    const struct ast_look *l)
{
	if (is_style(l, "ends"))
		object_set(r, e, l, &e->ends_attribute, "end", "has an end");
	else if (is_style(l, "takes"))
		object_set(r, e, l, &e->takes_attribute, "take", "can be taken");
	else if (is_style(l, "priority"))
		number_set(r, e, l, &e->priority_attribute, "have a priority by", "a priority");
	else if (is_style(l, "processors"))
		number_set(r, e, l, &e->processors_attribute, "count processors by",
			   "the number of processors");
	else if (is_style(l, "deadline"))
		number_set(r, e, l, &e->deadline_attribute, "end a wait by",
			   "the time until a deadline");
	else if (is_style(l, "limit"))
		number_set(r, e, l, &e->limit_attribute, "limit a wait by",
			   "the longest time of a wait");
	else if (is_style(l, "errno"))
		number_set(r, e, l, &e->errno_attribute, "fail by", "an error number");
	else if (is_style(l, "bytes"))
		number_set(r, e, l, &e->bytes_attribute, "count bytes by", "a number of bytes");
	else if (is_style(l, "counts"))
		number_set(r, e, l, &e->counts_attribute, "count occurrences by",
			   "a number of occurrences");
	else if (is_style(l, "starts"))
		function_set(r, e, l, &e->starts_attribute);
	else if (is_style(l, "lost"))
		number_set(r, e, l, &e->lost_attribute, "count what is lost by",
			   "the number of lost records");
	else if (is_style(l, "throttled"))
		number_set(r, e, l, &e->throttled_attribute, "be throttled for",
			   "the time that was withheld");
	else if (is_style(l, "internal"))
		internal_set(r, e, l);
	else if (is_style(l, "off"))
		attribute_take(r, e, l, &e->off_attribute, "switch off");
	else if (is_style(l, "stack"))
		stack_set(r, e, l, &e->stack_attribute);
	else if (is_style(l, "caller"))
		stack_set(r, e, l, &e->caller_attribute);
	else if (is_style(l, "context"))
		stack_set(r, e, l, &e->context_attribute);
	else if (is_style(l, "patterns"))
		patterns_set(r, e, l);
	else if (is_style(l, "kind"))
		event_kind_set(r, e, l);
	else if (from_take(r, e, l))
		return;
	else if (is_style(l, "until"))
		diag_error(r->diag, l->word.where,
			   "only intervals last until something; %s is an event", e->name);
	else if (is_style(l, "sampled") || is_style(l, "idle"))
		diag_error(r->diag, l->word.where,
			   "only intervals have the style '%s'; %s is an event", l->word.text,
			   e->name);
	else
		style_set(r, &e->style, l, false);
}

void event_style_resolve(struct resolve_context *r, struct event_type *e,
			 const struct ast_look *look)
{
	const struct ast_look *caller = NULL, *kind = NULL, *counts = NULL;
	unsigned words = 0;
	for (const struct ast_look *l = look; l; l = l->next) {
		if (l->value.text && is_style(l, "caller"))
			caller = l;
		if (l->value.text && is_style(l, "kind"))
			kind = l;
		if (l->value.text && is_style(l, "counts"))
			counts = l;
		if (l->value.text)
			event_style_set(r, e, l);
		else if (++words == 1)
			symbol_set(r, e, &l->word);
		else if (words == 2)
			offset_set(r, e, &l->word);
		else if (words == 3)
			diag_error(r->diag, l->word.where,
				   "'%s' cannot follow a symbol and its offset; only styles can",
				   l->word.text);
	}
	if (caller)
		caller_check(r, e, caller);
	if (kind)
		event_kind_check(r, e, kind);
	if (counts)
		counts_check(r, e, counts);
	from_check(r, e);
}

/* ---- Kinds of intervals ---------------------------------------------------------------------- */

/* Lists all kinds: "work, wait or spin". */
static void kinds_print(char *out, size_t size)
{
	size_t n;
	const char *const *names = interval_kind_names(&n);
	for (size_t i = 0, used = 0; i < n && used < size; i++) {
		const char *joint = i == 0 ? "" : i + 1 == n ? " or " : ", ";
		used += (size_t)snprintf(out + used, size - used, "%s%s", joint, names[i]);
	}
}

static void kind_unknown(struct resolve_context *r, const struct ast_name *value)
{
	char list[128];
	size_t n;
	const char *const *names = interval_kind_names(&n);
	kinds_print(list, sizeof list);
	diag_unknown(r->diag, value->where, nearest_name(value->text, names, n),
		     "unknown kind '%s' (use %s)", value->text, list);
}

static void cause_end_check(struct resolve_context *r, const struct interval_end *end)
{
	if (end->interval)
		diag_error(r->diag, end->where,
			   "an interval of the kind 'cause' leads from one event to another; this "
			   "end is a moment of interval %s",
			   end->interval->name);
}

static void kind_set(struct resolve_context *r, struct interval *i, const struct ast_look *l)
{
	if (i->kind != KIND_NONE) {
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	} else if (!interval_kind_find(l->value.text, &i->kind)) {
		kind_unknown(r, &l->value);
	} else if (i->kind == KIND_CAUSE) {
		cause_end_check(r, &i->anchor);
		cause_end_check(r, &i->partner);
	}
}

static void until_set(struct resolve_context *r, struct interval *i, const struct ast_look *l)
{
	if (i->until)
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	else
		i->until = arena_copy(r->spec->arena, l->value.text, strlen(l->value.text));
}

static void yes_set(struct resolve_context *r, bool *set, const struct ast_look *l)
{
	if (*set)
		diag_error(r->diag, l->word.where, "'%s' is given twice", l->word.text);
	else if (strcmp(l->value.text, "yes") != 0)
		diag_error(r->diag, l->value.where, "'%s' is \"yes\", not \"%s\"", l->word.text,
			   l->value.text);
	else
		*set = true;
}

/* The kind may be given behind it. */
static void sampled_check(struct resolve_context *r, const struct interval *i,
			  const struct ast_look *l)
{
	if (l && i->kind != KIND_STATE)
		diag_error(r->diag, l->word.where,
			   "only intervals of the kind 'state' are sampled; %s is none", i->name);
}

static void until_check(struct resolve_context *r, const struct interval *i,
			const struct ast_look *l)
{
	if (l && i->kind != KIND_WAIT && i->kind != KIND_IO)
		diag_error(
		    r->diag, l->word.where,
		    "only intervals of the kinds 'wait' and 'io' wait until something; %s is none",
		    i->name);
}

static void idle_check(struct resolve_context *r, const struct interval *i,
		       const struct ast_look *l)
{
	if (l && i->kind != KIND_WAIT)
		diag_error(r->diag, l->word.where,
			   "only intervals of the kind 'wait' are idle; %s is none", i->name);
}

static bool is_of_events(const struct ast_look *l)
{
	return is_style(l, "off") || is_style(l, "patterns") || is_style(l, "stack") ||
	       is_style(l, "caller") || is_style(l, "context") || is_style(l, "takes") ||
	       is_style(l, "priority") || is_style(l, "processors") || is_style(l, "errno") ||
	       is_style(l, "deadline") || is_style(l, "limit") || is_style(l, "bytes") ||
	       is_style(l, "starts") || is_style(l, "lost") || is_style(l, "internal") ||
	       is_style(l, "from") || is_style(l, "time") || is_style(l, "earlier") ||
	       is_style(l, "counts") || is_style(l, "throttled");
}

void interval_style_resolve(struct resolve_context *r, struct interval *i,
			    const struct ast_look *look)
{
	size_t n;
	const char *const *names = connection_names(&n);
	const struct ast_look *until = NULL, *sampled = NULL, *idle = NULL;
	bool given = false;
	for (const struct ast_look *l = look; l; l = l->next) {
		if (l->value.text && is_style(l, "until"))
			until_set(r, i, until = l);
		else if (l->value.text && is_style(l, "sampled"))
			yes_set(r, &i->sampled, sampled = l);
		else if (l->value.text && is_style(l, "idle"))
			yes_set(r, &i->idle, idle = l);
		else if (l->value.text && is_style(l, "kind"))
			kind_set(r, i, l);
		else if (l->value.text && is_style(l, "ends"))
			diag_error(r->diag, l->word.where,
				   "only events end objects; %s is an interval", i->name);
		else if (l->value.text && is_of_events(l))
			diag_error(r->diag, l->word.where,
				   "only events have the style '%s'; %s is an interval",
				   l->word.text, i->name);
		else if (l->value.text)
			style_set(r, &i->style, l, true);
		else if (given)
			diag_error(r->diag, l->word.where,
				   "'%s' cannot follow a connection; only styles can",
				   l->word.text);
		else if (!connection_find(l->word.text, &i->connection))
			diag_unknown(r->diag, l->word.where, nearest_name(l->word.text, names, n),
				     "unknown connection '%s' (use line or rectangle)",
				     l->word.text);
		given |= !l->value.text;
	}
	until_check(r, i, until);
	sampled_check(r, i, sampled);
	idle_check(r, i, idle);
}
