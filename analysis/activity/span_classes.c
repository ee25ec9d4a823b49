#include "analysis/activity/span_classes.h"
#include "spec/layout.h"
#include "spec/types.h"
#include "trace/address.h"
#include "trace/symbols/objects.h"
#include "trace/symbols/stack_sites.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

const struct span_class span_class_none = {
    .lock = NO_LOCK,
    .object = NO_KEY,
    .site = NO_KEY,
    .function = NO_KEY,
    .module = NO_KEY,
    .file = NO_KEY,
    .user = {NO_KEY, NO_KEY, NO_KEY, NO_KEY},
    .processor = -1,
};

void thread_classes_open(struct thread_classes *c, const struct instance_set *set)
{
	*c = (struct thread_classes){.set = set};
	c->by_role = array_zero(set->nroles + 1, sizeof *c->by_role);
}

void thread_classes_close(struct thread_classes *c)
{
	for (unsigned i = 0; i < c->set->nroles; i++)
		hash_table_free(&c->by_role[i]);
	free(c->by_role);
	free(c->found.at);
	free(c->known.at);
	hash_table_free(&c->rare);
}

/* ---- in one thread, by the bytes of the event ---- */

static int64_t user_key(const struct trace *t, const struct search_axis *axis,
			const struct event *e)
{
	struct value v;
	char *text;
	int64_t key;

	if (type_is_symbolic(axis->event->attributes[axis->attribute].type))
		return address_key(t, e, axis->attribute);
	v = record_value(axis->event, axis->attribute, e->record);
	text = v.kind == VALUE_STRING ? text_format("%.*s", (int)v.string.length, v.string.bytes)
				      : text_format("%.15g", value_real(&v));
	key = symbols_number(t, text);
	free(text);
	return key;
}

/*
 * Returns up to when the address at the start of a role is the same object; *number: which it is.
 */
static int64_t object_until(const struct instance_set *s, const struct role *r,
			    const struct event *start, uint64_t *number)
{
	struct object object;

	*number = 0;
	if (r->start.object < 0 || !s->objects->ends ||
	    !symbols_life(s->trace, process_of_event(s->trace, start),
			  role_attribute_bits(start, r->start.object), start, &object))
		return INT64_MAX;
	*number = (uint64_t)symbols_number(s->trace, object.attribute) << 32 | object.number;
	return object.until;
}

/* Returns what tells the code at the start of an instance from that of others. */
static uint64_t code_bits(const struct instance_set *s, const struct role *r,
			  const struct event *start)
{
	if (r->start.code[0] >= 0 && (r->kind == KIND_WAIT || r->kind == KIND_IO))
		return address_code(s->trace, start, (unsigned)r->start.code[0]);
	return role_attribute_bits(start, r->start.code[0]);
}

/*
 * Fills in what there is to know of an instance, and the hash of all of it; *until: how long it is
 * so.
 */
static uint64_t class_look(const struct instance_set *s, uint32_t role, const struct event *start,
			   struct span_class *x, int64_t *until)
{
	const struct role *r = &s->roles[role];
	int processor = role_processor(r);
	uint64_t number, hash;

	*until = object_until(s, r, start, &number);
	x->role = r;
	x->first = *start;
	if (processor >= 0)
		x->processor =
		    (int)record_value(start->type, (unsigned)processor, start->record).integer;
	hash = hash_mix(role ^ hash_mix(number ^ hash_mix(x->conditions)));
	hash = hash_mix(hash ^ role_attribute_bits(start, r->start.object));
	hash = hash_mix(hash ^ code_bits(s, r, start));
	hash = hash_mix(hash ^
			(r->kind == KIND_CALL ? role_attribute_bits(start, r->start.code[1]) : 0));
	hash = hash_mix(hash ^ (uint64_t)x->processor);
	for (unsigned i = 0; i < USER_AXES; i++) {
		if (i < s->trace->spec->naxes && s->trace->spec->axes[i]->event == start->type)
			x->user[i] = user_key(s->trace, s->trace->spec->axes[i], start);
		hash = hash_mix(hash ^ (uint64_t)x->user[i]);
	}
	return hash;
}

static uint32_t class_add(struct thread_classes *c, uint32_t role, const struct event *start,
			  uint64_t conditions, int64_t *until)
{
	struct span_class x = span_class_none;
	struct hash_slot *slot;

	x.conditions = conditions;
	slot = hash_table_slot(&c->rare, class_look(c->set, role, start, &x, until), role);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->found.n;
		*vector_add(&c->found) = x;
	}
	return slot->head;
}

/* Whether object and first code are all that parts the role's instances in one thread. */
static bool is_plain(const struct instance_set *s, const struct role *r, const struct event *start)
{
	for (unsigned i = 0; i < s->trace->spec->naxes && i < USER_AXES; i++)
		if (s->trace->spec->axes[i]->event == start->type)
			return false;
	return r->kind != KIND_STATE && (r->kind != KIND_CALL || r->start.code[1] < 0);
}

uint32_t thread_class_of(struct thread_classes *c, uint32_t role, const struct event *start,
			 uint64_t conditions)
{
	const struct role *r = &c->set->roles[role];
	struct known_class *known;
	struct hash_slot *slot;
	uint64_t code;
	int64_t until;

	if (conditions || !is_plain(c->set, r, start))
		return class_add(c, role, start, conditions, &until);
	code = code_bits(c->set, r, start);
	slot = hash_table_slot(
	    &c->by_role[role],
	    hash_mix(role_attribute_bits(start, r->start.object) ^ hash_mix(code)), code);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->known.n;
		*vector_add(&c->known) = (struct known_class){.until = INT64_MIN};
	}
	known = &c->known.at[slot->head];
	if (start->time >= known->until)
		known->class = class_add(c, role, start, 0, &known->until);
	return known->class;
}

/* ---- of all threads, by keys ---- */

static void keys_set(struct instance_set *s, struct span_class *x)
{
	const struct role_end *start = &x->role->start;
	int64_t until;

	if (start->object >= 0 && s->sorts & SPANS_NAMED)
		x->object = address_key(s->trace, &x->first, (unsigned)start->object);
	if (start->code[0] >= 0 && s->sorts & SPANS_NAMED)
		x->site = address_key(s->trace, &x->first, (unsigned)start->code[0]);
	x->of_run_time = x->role >= s->roles + s->nlogged &&
			 address_is_of_run_time(s->trace, &x->first, (unsigned)start->code[0]);
	x->words = object_words_of(s->trace, &x->first, start->object);
	if (x->role->kind == KIND_HOLD ||
	    (start->object >= 0 && (x->role->kind == KIND_WAIT || x->role->kind == KIND_SPIN)))
		x->lock = lock_register_find(s->objects, x->role, start, &x->first, &until);
}

static int64_t key_of(const struct trace *t, const char *text)
{
	return text ? symbols_number(t, text) : NO_KEY;
}

/* The function, module and file of a place in the program, which follow from its site. */
static void code_set(const struct instance_set *s, struct span_class *x)
{
	unsigned attribute = (unsigned)x->role->start.code[0];
	char text[ADDRESS_TEXT], *file;
	const char *line;

	if (x->site == NO_KEY)
		return;
	x->function = key_of(s->trace, address_function(s->trace, text, &x->first, attribute));
	x->module = key_of(s->trace, address_module(s->trace, &x->first, attribute));
	line = s->sorts & SPANS_FILES ? address_line(s->trace, &x->first, attribute) : NULL;
	if (!line)
		return;
	file = text_format("%.*s", (int)strcspn(line, ":"), line);
	x->file = key_of(s->trace, file);
	free(file);
}

/* What tells an attribute of a start from that of others: its text, or its bits in its process. */
static uint64_t attribute_hash(const struct instance_set *s, const struct span_class *x,
			       int attribute)
{
	if (attribute < 0)
		return 0;
	if (s->sorts & SPANS_NAMED)
		return hash_mix((uint64_t)address_key(s->trace, &x->first, (unsigned)attribute));
	return hash_mix(role_attribute_bits(&x->first, attribute) ^
			(uint64_t)process_of_event(s->trace, &x->first) << 48);
}

static uint64_t class_hash(const struct instance_set *s, const struct span_class *x)
{
	const struct role_end *start = &x->role->start;
	uint64_t h = hash_mix((uint64_t)(x->role - s->roles) ^ hash_mix(x->conditions));

	h = hash_mix(h ^ attribute_hash(s, x, start->object));
	h = hash_mix(h ^ x->lock);
	h = hash_mix(h ^ attribute_hash(s, x, start->code[0]));
	if (x->role->kind == KIND_CALL)
		h = hash_mix(h ^ attribute_hash(s, x, start->code[1]));
	h = hash_mix(h ^ (uint64_t)x->processor);
	for (unsigned i = 0; i < USER_AXES; i++)
		h = hash_mix(h ^ (uint64_t)x->user[i]);
	return h;
}

uint32_t *span_classes_merge(struct instance_set *set, struct hash_table *known,
			     const struct thread_classes *c)
{
	uint32_t *numbers = array_new(c->found.n, sizeof *numbers);

	for (size_t i = 0; i < c->found.n; i++) {
		struct span_class x = c->found.at[i];
		struct hash_slot *slot;

		keys_set(set, &x);
		slot = hash_table_slot(known, class_hash(set, &x), 0);
		if (slot->head == HASH_NOTHING) {
			code_set(set, &x);
			slot->head = (uint32_t)set->classes.n;
			*vector_add(&set->classes) = x;
		}
		numbers[i] = slot->head;
	}
	return numbers;
}
