#include "analysis/replay/span_choice.h"
#include "base/hash.h"
#include "grammar/parse.h"
#include "spec/expr_check.h"
#include "spec/qualified.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct choosing {
	struct trace *trace;
	const struct span_change *changes;
	unsigned n;
	uint64_t found;                 /* a bit for each change: it is about something */
	bool own;                       /* some change is about a function's own time */
	struct span_choice *result;
	struct hash_table labels, names; /* names: which changes name what an attribute is */
	VECTOR(uint64_t) named;
	/* of one role */
	const struct role *role;
	uint64_t possible, all;         /* changes that may be about it; that are about all of it */
	struct expr *conditions[MOST_CHANGES];
};

static const char thread_prefix[] = "thread:";

static bool is_of_thread(const struct span_change *c)
{
	return strncmp(c->what, thread_prefix, sizeof thread_prefix - 1) == 0;
}

static bool is_named(const struct span_change *c, const char *name)
{
	return c->exact ? strcmp(c->what, name) == 0 : fnmatch(c->what, name, 0) == 0;
}

static uint64_t naming(const struct choosing *c, const char *name)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < c->n; i++)
		bits |= (uint64_t)is_named(&c->changes[i], name) << i;
	return bits;
}

enum what { WHAT_FUNCTION, WHAT_ADDRESS };

/* Returns the changes that name an attribute of an event: its function, or all that is known of it. */
static uint64_t attribute_naming(struct choosing *c, const struct event *start, int attribute,
				 enum what what)
{
	char text[ADDRESS_TEXT];
	struct hash_slot *slot;
	int64_t key;

	if (attribute < 0)
		return 0;
	key = address_key(c->trace, start, (unsigned)attribute);
	slot = hash_table_slot(&c->names, hash_mix((uint64_t)key), what);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->named.n;
		*vector_add(&c->named) = naming(
		    c, what == WHAT_FUNCTION ? address_function(c->trace, text, start, (unsigned)attribute)
					     : address_key_text(c->trace, key));
	}
	return c->named.at[slot->head];
}

static uint64_t event_naming(struct choosing *c, const struct event *start)
{
	const struct role *r = c->role;
	uint64_t bits = c->all;

	if (r->kind == KIND_CALL)
		bits |= attribute_naming(c, start, r->start.code[0], WHAT_FUNCTION);
	else
		bits |= attribute_naming(c, start, r->start.code[0], WHAT_ADDRESS) |
			attribute_naming(c, start, r->start.code[0], WHAT_FUNCTION);
	if (r->kind == KIND_HOLD)
		bits |= attribute_naming(c, start, r->start.object, WHAT_ADDRESS);
	return bits & c->possible;
}

static uint32_t label_of(struct choosing *c, uint32_t change, int64_t site)
{
	struct hash_slot *slot = hash_table_slot(&c->labels, hash_mix((uint64_t)site), change);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->result->labels.n;
		*vector_add(&c->result->labels) = (struct chosen_label){change, site};
	}
	return slot->head;
}

static bool condition_holds(const struct choosing *c, unsigned change, const struct event *start)
{
	struct binding b = {.side = {event_operand(c->trace, start)}};
	uint64_t faults = 0;

	return !c->conditions[change] || expr_holds(c->conditions[change], &b, &faults);
}

static uint32_t label_of_event(void *context, const struct event *start)
{
	struct choosing *c = context;
	uint64_t bits = event_naming(c, start);
	int site = c->role->start.code[c->role->kind == KIND_CALL];

	while (bits) {
		unsigned change = 63 - (unsigned)__builtin_clzll(bits);

		if (condition_holds(c, change, start)) {
			c->found |= UINT64_C(1) << change;
			return label_of(c, change, c->changes[change].kind < SPAN_TIME || site < 0 ? -1
						   : address_key(c->trace, start, (unsigned)site));
		}
		bits &= ~(UINT64_C(1) << change);
	}
	return label_of(c, NOT_CHANGED, -1);
}

/* ---- roles ---- */

static struct expr *condition_of(const struct choosing *c, const char *text)
{
	struct diag silent = {.out = NULL};
	struct source *source = source_text("", text);
	struct ast *tree = parse_series(source, &silent);
	struct expr *e = NULL;

	if (tree) {
		qualified_resolve(c->trace->spec, tree->series);
		e = event_condition(c->trace->spec, c->role->start.event, tree->series, &silent);
	}
	if (tree)
		ast_free(tree);
	source_free(source);
	return e;
}

static bool may_be_about(const struct choosing *c, const struct span_change *change)
{
	return !is_of_thread(change) && (change->kind != SPAN_HOLD || c->role->kind == KIND_HOLD) &&
	       (change->kind != SPAN_IO || c->role->kind == KIND_IO);
}

static void role_begin(struct choosing *c, const struct role *role)
{
	c->role = role;
	c->all = naming(c, role->interval->name);
	c->possible = 0;
	for (unsigned i = 0; i < c->n; i++) {
		c->conditions[i] = NULL;
		if (!may_be_about(c, &c->changes[i]))
			continue;
		if (c->changes[i].where && !(c->conditions[i] = condition_of(c, c->changes[i].where)))
			continue;
		c->possible |= UINT64_C(1) << i;
	}
}

/* Drops the instances from a number on that nothing is about, but for calls that end own time. */
static void unchanged_drop(struct choosing *c, size_t from)
{
	struct span_list *s = &c->result->spans;
	size_t n = from;

	if (c->own && c->role->kind == KIND_CALL)
		return;
	for (size_t i = from; i < s->all.n; i++)
		if (c->result->labels.at[s->all.at[i].number].change != NOT_CHANGED)
			s->all.at[n++] = s->all.at[i];
	s->all.n = n;
}

static void role_choose(struct choosing *c, const struct role *role)
{
	size_t from = c->result->spans.all.n;

	role_begin(c, role);
	if (role->same_thread && c->possible) {
		span_list_add(&c->result->spans, c->trace, role, label_of_event, c);
		unchanged_drop(c, from);
	}
	for (unsigned i = 0; i < c->n; i++)
		if (c->conditions[i])
			expr_free(c->conditions[i]);
}

static void intervals_choose(struct choosing *c)
{
	static const enum interval_kind kinds[] = {KIND_CALL, KIND_NONE, KIND_WORK,  KIND_HOLD,
						   KIND_IO,   KIND_PHASE, KIND_SPIN, KIND_WAIT};

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		unsigned n;
		struct role *roles = roles_of_kind(c->trace->spec, kinds[k], &n);

		for (unsigned i = 0; i < n; i++)
			role_choose(c, &roles[i]);
		free(roles);
	}
}

static void threads_choose(struct choosing *c)
{
	for (unsigned i = 0; i < c->n; i++)
		for (uint32_t t = 0; t < c->trace->nthreads; t++)
			if (is_of_thread(&c->changes[i]) && c->trace->threads[t].events &&
			    fnmatch(c->changes[i].what + sizeof thread_prefix - 1,
				    c->trace->threads[t].name, 0) == 0) {
				*vector_add(&c->result->spans.all) = (struct listed_span){
				    INT64_MIN + 1, INT64_MAX, t, label_of(c, i, -1)};
				c->found |= UINT64_C(1) << i;
			}
}

/* ---- all ---- */

struct span_choice *span_choice_of(struct trace *t, const struct span_change *changes, unsigned n,
			 const char **unknown)
{
	struct choosing c = {.trace = t, .changes = changes, .n = n};

	c.result = array_zero(1, sizeof *c.result);
	for (unsigned i = 0; i < n; i++)
		c.own |= changes[i].own;
	if (n) {
		intervals_choose(&c);
		threads_choose(&c);
	}
	span_list_sort(&c.result->spans, t);
	hash_table_free(&c.labels);
	hash_table_free(&c.names);
	free(c.named.at);
	for (unsigned i = 0; i < n; i++)
		if (!(c.found >> i & 1)) {
			*unknown = changes[i].what;
			span_choice_free(c.result);
			return NULL;
		}
	return c.result;
}

void span_choice_free(struct span_choice *c)
{
	span_list_free(&c->spans);
	free(c->labels.at);
	free(c);
}
