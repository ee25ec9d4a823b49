#include "analysis/replay/changes/span_choice.h"
#include "base/hash.h"
#include "base/search.h"
#include "grammar/parse.h"
#include "spec/expr_check.h"
#include "spec/qualified.h"
#include "trace/address.h"
#include "trace/label.h"
#include "trace/symbols/symbols.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct span_choice_context {
	const struct instance_set *set;
	struct trace *trace;
	const struct span_change *changes;
	unsigned n;
	uint64_t found;   /* a bit for each change: it is about something */
	uint64_t logged;  /* the same: it is about something else than sampled calls */
	uint64_t lengths; /* the same: it says how long something takes */
	bool own;         /* some change is about a function's own time */
	struct span_choice *result;
	struct hash_table labels, names; /* names: which changes name what an attribute is */
	VECTOR(uint64_t) named;
	/* of one role */
	const struct role *role;
	uint64_t possible, all;        /* changes that may be about it; that are about all of it */
	bool conditions[MOST_CHANGES]; /* it has one */
	VECTOR(struct span_condition) list; /* those of all roles */
};

static const char thread_prefix[] = "thread:";

bool change_is_of_thread(const struct span_change *c)
{
	if (c->subject)
		return c->threads || c->subject->kind == SUBJECT_THREAD;
	return c->threads || strncmp(c->what, thread_prefix, sizeof thread_prefix - 1) == 0;
}

bool change_is_about_thread(const struct span_change *c, const struct trace *t, uint32_t thread)
{
	if (c->threads)
		return c->threads[thread];
	if (c->subject)
		return subject_has_thread(t, c->subject, thread);
	return label_matches(c->what + sizeof thread_prefix - 1, &t->threads[thread]);
}

bool change_names(const char *what, bool exact, const char *name)
{
	return exact ? strcmp(what, name) == 0 : fnmatch(what, name, 0) == 0;
}

static uint64_t naming(const struct span_choice_context *c, const char *name)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < c->n; i++)
		if (!c->changes[i].subject)
			bits |=
			    (uint64_t)change_names(c->changes[i].what, c->changes[i].exact, name)
			    << i;
	return bits;
}

/* Returns the changes whose subject has a class. */
static uint64_t subjects_naming(const struct span_choice_context *c, const struct span_class *class)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < c->n; i++)
		if (c->changes[i].subject)
			bits |= (uint64_t)subject_has_class(c->set, c->changes[i].subject, class)
				<< i;
	return bits;
}

enum what { WHAT_FUNCTION, WHAT_ADDRESS };

/*
 * Returns the changes that name an attribute of an event: its function, or all that is known of it.
 */
static uint64_t attribute_naming(struct span_choice_context *c, const struct event *start,
				 int attribute, enum what what)
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
		*vector_add(&c->named) =
		    naming(c, what == WHAT_FUNCTION
				  ? address_function(c->trace, text, start, (unsigned)attribute)
				  : address_key_text(c->trace, key));
	}
	return c->named.at[slot->head];
}

/* Returns the changes that name the lock of a hold: not its event, whose name may be of several. */
static uint64_t lock_naming(const struct span_choice_context *c, const struct span_class *class)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < c->n && class->role->start.object >= 0; i++)
		if (!c->changes[i].subject)
			bits |= (uint64_t)lock_is_called(&c->set->objects->locks.at[class->lock],
							 c->changes[i].what, c->changes[i].exact)
				<< i;
	return bits;
}

/*
 * A lock may be kept for longer than what begins at the place where it was acquired. Samples do not
 * tell how long a call takes, and least of one that sleeps.
 */
static uint64_t class_naming(struct span_choice_context *c, const struct span_class *class)
{
	const struct event *start = &class->first;
	const struct role *r = c->role;
	uint64_t bits = attribute_naming(c, start, r->start.code[0], WHAT_FUNCTION);

	if (r->kind != KIND_CALL)
		bits |= attribute_naming(c, start, r->start.code[0], WHAT_ADDRESS);
	if (r->kind == KIND_HOLD)
		bits = (bits & ~c->lengths) | lock_naming(c, class);
	bits = (bits | c->all | subjects_naming(c, class)) & c->possible;
	if (r >= c->set->roles + c->set->nlogged)
		return bits & ~(c->lengths & c->logged);
	c->logged |= bits;
	return bits;
}

/* of_role: its instances are of the role. */
static uint32_t label_of(struct span_choice_context *c, uint32_t change, int64_t site, bool of_role)
{
	struct hash_slot *slot = hash_table_slot(&c->labels, hash_mix((uint64_t)site), change);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->result->labels.n;
		*vector_add(&c->result->labels) =
		    (struct chosen_label){change, site, of_role ? c->role->start.event : NULL,
					  of_role ? c->role->end.event : NULL};
	}
	return slot->head;
}

/*
 * Returns what parts the instances of a change: the place that they begin at; of a fit the event,
 * of a device the interval; -1: nothing.
 */
static int64_t part_of(const struct span_choice_context *c, const struct span_change *change,
		       const struct span_class *class)
{
	int site = c->role->start.code[c->role->kind == KIND_CALL];

	if (change->kind == SPAN_IO && device_is_given(&change->device))
		return c->role->interval->index;
	if (change->kind < SPAN_TIME)
		return -1;
	if (change->length.kind == DISTRIBUTION_FIT)
		return class->first.type->index;
	return site < 0 ? -1 : address_key(c->trace, &class->first, (unsigned)site);
}

static uint32_t label_of_class(struct span_choice_context *c, const struct span_class *class)
{
	uint64_t bits = class_naming(c, class);

	while (bits) {
		unsigned change = 63 - (unsigned)__builtin_clzll(bits);

		if (!c->conditions[change] || class->conditions >> change & 1)
			return label_of(c, change, part_of(c, &c->changes[change], class), true);
		bits &= ~(UINT64_C(1) << change);
	}
	return label_of(c, NOT_CHANGED, -1, false);
}

/* ---- roles ---- */

static struct expr *condition_of(const struct span_choice_context *c, const char *text)
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

static bool may_be_about(const struct span_choice_context *c, const struct span_change *change)
{
	return !change_is_of_thread(change) &&
	       (change->kind != SPAN_HOLD || c->role->kind == KIND_HOLD) &&
	       (change->kind != SPAN_IO || c->role->kind == KIND_IO);
}

static void role_begin(struct span_choice_context *c, const struct role *role)
{
	c->role = role;
	c->all = naming(c, role->interval->name);
	c->possible = 0;
	for (unsigned i = 0; i < c->n; i++) {
		struct expr *condition = NULL;

		c->conditions[i] = false;
		if (!may_be_about(c, &c->changes[i]))
			continue;
		if (c->changes[i].where && !(condition = condition_of(c, c->changes[i].where)))
			continue;
		c->possible |= UINT64_C(1) << i;
		c->conditions[i] = condition != NULL;
		if (condition)
			*vector_add(&c->list) = (struct span_condition){
			    role->interval->name, condition, .of_start = true, .bit = i};
	}
}

static void conditions_free(struct span_choice_context *c)
{
	for (size_t i = 0; i < c->list.n; i++)
		expr_free((struct expr *)c->list.at[i].condition);
	free(c->list.at);
	c->list.at = NULL;
	c->list.n = c->list.room = 0;
}

/* The label of each class of the set; NOT_CHANGED: none, nothing is about its interval. */
static uint32_t *labels_of(struct span_choice_context *c)
{
	uint32_t *labels = array_new(c->set->classes.n, sizeof *labels);

	for (size_t i = 0; i < c->set->classes.n; i++)
		labels[i] = NOT_CHANGED;
	for (unsigned r = 0; r < c->set->nroles; r++) {
		if (c->set->roles[r].kind == KIND_STATE)
			continue;
		role_begin(c, &c->set->roles[r]);
		for (size_t i = 0; c->possible && i < c->set->classes.n; i++)
			if (c->set->classes.at[i].role == c->role)
				labels[i] = label_of_class(c, &c->set->classes.at[i]);
	}
	conditions_free(c);
	return labels;
}

/*
 * What nothing is about is left out, but for calls that end own time of one that a change is about.
 * Those into run-time libraries do not. until: up to when the own time of one is changed.
 */
static bool is_kept(const struct span_choice_context *c, const struct instance_span *s,
		    uint32_t label, int64_t until)
{
	return label != NOT_CHANGED &&
	       (c->result->labels.at[label].change != NOT_CHANGED ||
		(c->own && s->start < until && span_role(c->set, s)->kind == KIND_CALL &&
		 !span_is_of_run_time(c->set, s)));
}

static void span_found(struct span_choice_context *c, const struct instance_span *s,
		       uint32_t change)
{
	c->found |= UINT64_C(1) << change;
	if (span_role(c->set, s) >= c->set->roles + c->set->nlogged)
		c->result->sampled |= UINT64_C(1) << change;
}

static void spans_add(struct span_choice_context *c, uint32_t thread, const uint32_t *labels)
{
	static const enum span_sort sorts[] = {SPANS_CALL, SPANS_OTHER, SPANS_HOLD, SPANS_WAIT};
	struct lists_merge m =
	    lists_merge_begin(c->set, sorts, sizeof sorts / sizeof *sorts, thread);
	const struct instance_span *s;
	int64_t until = INT64_MIN;

	while ((s = lists_merge_next(&m))) {
		uint32_t label = labels[s->class], change;

		if (!is_kept(c, s, label, until))
			continue;
		change = c->result->labels.at[label].change;
		if (change != NOT_CHANGED) {
			span_found(c, s, change);
			if (c->changes[change].own && s->end > until)
				until = s->end;
		}
		*vector_add(&c->result->spans) = (struct instance_span){s->start, s->end, label};
	}
}

/* Adds all of a thread's time for the changes that name it. */
static void thread_add(struct span_choice_context *c, uint32_t thread)
{
	for (unsigned i = 0; i < c->n; i++)
		if (change_is_of_thread(&c->changes[i]) && c->trace->threads[thread].events &&
		    change_is_about_thread(&c->changes[i], c->trace, thread)) {
			*vector_add(&c->result->spans) = (struct instance_span){
			    INT64_MIN + 1, INT64_MAX, label_of(c, i, -1, false)};
			c->found |= UINT64_C(1) << i;
		}
}

static void spans_choose(struct span_choice_context *c)
{
	struct span_choice *r = c->result;
	uint32_t *labels = labels_of(c);

	for (uint32_t t = 0; t < c->trace->nthreads; t++) {
		r->first[t] = r->spans.n;
		thread_add(c, t); /* before all others */
		spans_add(c, t, labels);
	}
	r->first[c->trace->nthreads] = r->spans.n;
	free(labels);
}

/* Conditions on the starts part the classes: then a set of its own is found. */
static struct instance_set *set_with_conditions(struct span_choice_context *c)
{
	unsigned sorts = SPANS_ALL & ~(1u << SPANS_STATE);
	struct instance_set *set = NULL;

	for (unsigned r = 0; r < c->set->nroles; r++)
		if (c->set->roles[r].kind != KIND_STATE)
			role_begin(c, &c->set->roles[r]);
	for (unsigned i = 0; i < c->n; i++)
		sorts |= c->changes[i].subject ? SPANS_NAMED : 0;
	if (c->list.n)
		set = instance_set_of(c->trace, sorts, c->list.at, (unsigned)c->list.n);
	conditions_free(c);
	return set;
}

/* ---- all ---- */

struct span_choice *span_choice_of(const struct instance_set *set,
				   const struct span_change *changes, unsigned n,
				   const char **unknown)
{
	struct span_choice_context c = {
	    .set = set, .trace = set->trace, .changes = changes, .n = n};
	struct instance_set *own;

	c.result = array_zero(1, sizeof *c.result);
	c.result->first = array_zero((size_t)c.trace->nthreads + 1, sizeof *c.result->first);
	for (unsigned i = 0; i < n; i++)
		c.own |= changes[i].own, c.lengths |= (uint64_t)(changes[i].kind == SPAN_TIME) << i;
	own = n ? set_with_conditions(&c) : NULL;
	if (own) {
		c.set = own;
		lock_register_name(own->objects);
	}
	if (n)
		spans_choose(&c);
	if (own)
		instance_set_free(own);
	hash_table_free(&c.labels);
	hash_table_free(&c.names);
	free(c.named.at);
	for (unsigned i = 0; i < n; i++)
		if (!(c.found >> i & 1)) {
			*unknown = changes[i].subject ? changes[i].subject->name : changes[i].what;
			span_choice_free(c.result);
			return NULL;
		}
	return c.result;
}

/* ---- holds that may have begun earlier ---- */

/* Returns when a chosen span may have begun: if it is a hold, before its time stamp. */
static int64_t earliest_start(const struct model *m, const int64_t *earliest, uint32_t thread,
			      const struct instance_span *s)
{
	size_t end = m->first_hold[thread + 1];
	size_t i = lower_bound(k, m->first_hold[thread], end, m->holds.at[k].start < s->start);

	for (; i < end && m->holds.at[i].start == s->start; i++)
		if (m->holds.at[i].end == s->end)
			return earliest[i];
	return s->start;
}

struct span_choice *span_choice_earlier(const struct span_choice *c, const struct model *m,
					const int64_t *earliest)
{
	uint32_t nthreads = m->trace->nthreads;
	struct span_choice *r = array_zero(1, sizeof *r);
	bool earlier = false;

	r->sampled = c->sampled;
	r->first = array_new((size_t)nthreads + 1, sizeof *r->first);
	memcpy(r->first, c->first, ((size_t)nthreads + 1) * sizeof *r->first);
	for (size_t i = 0; i < c->labels.n; i++)
		*vector_add(&r->labels) = c->labels.at[i];
	for (uint32_t t = 0; t < nthreads; t++) {
		for (size_t i = c->first[t]; i < c->first[t + 1]; i++) {
			struct instance_span s = c->spans.at[i];

			s.start = earliest_start(m, earliest, t, &s);
			earlier |= s.start < c->spans.at[i].start;
			*vector_add(&r->spans) = s;
		}
		if (c->first[t] < c->first[t + 1])
			instance_spans_sort(r->spans.at + c->first[t],
					    c->first[t + 1] - c->first[t]);
	}
	if (earlier)
		return r;
	span_choice_free(r);
	return NULL;
}

void span_choice_free(struct span_choice *c)
{
	free(c->spans.at);
	free(c->first);
	free(c->labels.at);
	free(c);
}
