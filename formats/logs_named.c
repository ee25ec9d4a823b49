#include "formats/logs_named.h"
#include <stdlib.h>

static const char NAME_ARGUMENT[] = "name";

void named_begin(struct named_types *n, struct logs *l)
{
	*n = (struct named_types){.logs = l};
}

static void type_free(struct named_type *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->arguments.n; i++)
		free(t->arguments.at[i]);
	free(t->arguments.at);
	free(t->key);
	free(t);
}

void named_balance(struct named_types *n, const struct named_type *type, int change)
{
	uint32_t place =
	    hash_table_number(&n->by_type, (uint64_t)(uintptr_t)type, 0, n->balances.n);

	if (place == n->balances.n)
		*vector_add(&n->balances) = 0;
	n->balances.at[place] += change;
}

/* Equal numbers of both kinds cancel out, as no ids are kept: memory does not grow with events. */
static void balance_say(const struct named_types *n, struct import_input *in)
{
	uint64_t unended = 0, unbegun = 0;

	for (size_t i = 0; i < n->balances.n; i++)
		if (n->balances.at[i] > 0)
			unended += (uint64_t)n->balances.at[i];
		else
			unbegun += (uint64_t)-n->balances.at[i];
	import_passed_over(in, unended, "or more beginnings have no end of their name");
	import_passed_over(in, unbegun, "or more ends have no beginning of their name");
}

bool named_has_room(struct named_types *n, size_t narguments)
{
	n->crowded += narguments >= ARGUMENTS_MOST;
	return narguments < ARGUMENTS_MOST;
}

void named_end(struct named_types *n, struct import_input *in, bool good)
{
	if (good) {
		import_passed_over(
		    in, n->dropped,
		    "arguments were left out: the first event of this name has no such field");
		import_passed_over(in, n->crowded,
				   "arguments were left out: their events have more than 60");
		import_passed_over(in, n->shared,
				   "events are called other, without their arguments: there are "
				   "more than 600 names");
		balance_say(n, in);
	}
	for (size_t i = 0; i < n->types.n; i++)
		type_free(n->types.at[i]);
	type_free(n->other_event);
	type_free(n->other_slice);
	free(n->types.at);
	free(n->balances.at);
	hash_table_free(&n->by_key);
	hash_table_free(&n->by_type);
}

/* ---- finding ---- */

/* Returns the type of a key in the chain of those with its hash. */
static struct named_type *find(const struct named_types *n, enum named_span span, const char *name)
{
	uint64_t hash = hash_text(name) + span;
	const struct hash_slot *slot = hash_table_find(&n->by_key, hash_mix(hash), hash);

	if (slot && strcmp(n->types.at[slot->head]->key, name) == 0)
		return n->types.at[slot->head];
	return NULL;
}

static void note(struct named_types *n, enum named_span span, const char *name,
		 struct named_type *type)
{
	uint64_t hash = hash_text(name) + span;
	struct hash_slot *slot = hash_table_slot(&n->by_key, hash_mix(hash), hash);

	slot->head = (uint32_t)n->types.n;
	slot->tail = 0;
	*vector_add(&n->types) = type;
}

/* ---- making ---- */

static enum type type_of(const struct logs_value *v)
{
	switch (v->kind) {
	case LOGS_INTEGER:
		return TYPE_LONG;
	case LOGS_NATURAL:
		return v->natural > INT64_MAX ? TYPE_ULONG : TYPE_LONG;
	case LOGS_REAL:
		return TYPE_DOUBLE;
	default:
		return TYPE_STRING;
	}
}

static void interval_make(struct named_types *n, const struct named_type *t, enum named_span span,
			  const char *interval, const char *name)
{
	const char *begin = logs_event_name(t->event), *end = logs_event_name(t->end);
	char *label = logs_quoted(name, strlen(name));

	if (span == SPAN_NESTED)
		logs_text(
		    n->logs,
		    "interval %s [ b:%s -> e:%s ] nested\n\t= rectangle (kind \"work\", label %s);\n",
		    interval, begin, end, label);
	else
		logs_text(
		    n->logs,
		    "interval %s [ b:%s -> e:%s ] where b.%s == e.%s && b.process >= 0\n\t= line (label %s);\n",
		    interval, begin, end, logs_event_type(t->event)->attributes[0].name,
		    logs_event_type(t->end)->attributes[0].name, label);
	free(label);
}

/* Makes the two events of what lasts, and the interval between them, which has the name. */
static void span_make(struct named_types *n, struct named_type *t, enum named_span span,
		      const char *name, const struct logs_field *fields)
{
	const char *interval = logs_interval_name(n->logs, name);
	char *begin = text_format("%s begin", name), *end = text_format("%s end", name);

	t->event = logs_event_make(n->logs, begin, fields, (unsigned)t->arguments.n, NULL);
	if (t->event)
		t->end = logs_event_make(n->logs, end, fields, span == SPAN_KEYED, NULL);
	if (t->end)
		interval_make(n, t, span, interval, name);
	free(begin);
	free(end);
}

/* Makes a type whose arguments are those of an event. style: of an event alone, or NULL. */
static struct named_type *make(struct named_types *n, enum named_span span, const char *name,
			       const struct logs_argument *arguments, unsigned narguments,
			       const char *style)
{
	struct logs_field fields[ARGUMENTS_MOST];
	struct named_type *t = array_zero(1, sizeof *t);

	t->key = text_format("%s", name);
	for (unsigned i = 0; i < narguments && i < ARGUMENTS_MOST; i++) {
		fields[i] = (struct logs_field){arguments[i].name, type_of(&arguments[i].value)};
		*vector_add(&t->arguments) = text_format("%s", arguments[i].name);
	}
	if (span == SPAN_NONE)
		t->event = logs_event_make(n->logs, name, fields, (unsigned)t->arguments.n, style);
	else
		span_make(n, t, span, name, fields);
	if (t->event && (t->end || span == SPAN_NONE))
		return t;
	type_free(t);
	return NULL;
}

/* Returns the type that all names beyond the most share. */
static struct named_type *other(struct named_types *n, enum named_span span)
{
	static const struct logs_argument name = {NAME_ARGUMENT,
						  {.kind = LOGS_TEXT, .text = {"", 0}}};
	struct named_type **t = span == SPAN_NESTED ? &n->other_slice : &n->other_event;

	if (!*t)
		*t = make(n, span == SPAN_NESTED ? span : SPAN_NONE,
			  span == SPAN_NESTED ? "other" : "other event", &name, 1, NULL);
	if (*t)
		(*t)->shared = true;
	return *t;
}

const struct named_type *named_type(struct named_types *n, enum named_span span, const char *name,
				    const struct logs_argument *arguments, unsigned narguments)
{
	struct named_type *t = find(n, span, name);

	if (t)
		return t;
	if (n->types.n >= NAMED_MOST)
		return other(n, span);
	t = make(n, span, name, arguments, narguments, n->style);
	if (t)
		note(n, span, name, t);
	return t;
}

/* ---- writing ---- */

static struct logs_value nothing_of(enum type type)
{
	return type == TYPE_STRING ? logs_bytes("", 0) : logs_natural(0);
}

/* Finds the argument of a name; those of events of one type mostly stand in the same order. */
static const struct logs_argument *argument_named(const struct logs_argument *arguments, unsigned n,
						  unsigned guess, const char *name)
{
	if (guess < n && strcmp(arguments[guess].name, name) == 0)
		return &arguments[guess];
	for (unsigned i = 0; i < n; i++)
		if (strcmp(arguments[i].name, name) == 0)
			return &arguments[i];
	return NULL;
}

void named_write(struct named_types *n, struct logs_thread *thread, int64_t time,
		 const struct named_type *t, const char *name,
		 const struct logs_argument *arguments, unsigned narguments)
{
	const struct event_type *type = logs_event_type(t->event);
	struct logs_value values[ARGUMENTS_MOST];
	unsigned found = 0;

	if (t->shared) {
		values[0] = logs_bytes(name, strlen(name));
		n->shared++;
		logs_write(thread, time, t->event, values);
		return;
	}
	for (unsigned i = 0; i < t->arguments.n; i++) {
		const struct logs_argument *a =
		    argument_named(arguments, narguments, i, t->arguments.at[i]);

		values[i] = a ? a->value : nothing_of(type->attributes[i].type);
		found += a != NULL;
	}
	n->dropped += narguments - found;
	logs_write(thread, time, t->event, values);
}

void named_write_end(struct logs_thread *thread, int64_t time, const struct named_type *t,
		     const struct logs_value *key)
{
	static const struct logs_value nothing = {.kind = LOGS_TEXT, .text = {"", 0}};

	logs_write(thread, time, t->end, key ? key : &nothing);
}
