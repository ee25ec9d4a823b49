#include "match/stats/keys.h"
#include <stdlib.h>
#include <string.h>

void keys_init(struct keys *k, const struct trace *t, const struct expr *expression)
{
	*k = (struct keys){.trace = t,
			   .expression = expression,
			   .formula = formula_of(expression),
			   .symbolic = expr_is_symbolic(expression)};
}

void keys_clear(struct keys *k)
{
	for (size_t i = 0; i < k->at.n; i++)
		free(k->at.at[i].text);
	free(k->at.at);
	hash_table_free(&k->numbers);
	formula_clear(&k->formula);
}

static bool value_symbolic(const struct keys *k, const struct binding *b, struct value *v)
{
	const struct expr *e = k->expression;
	const struct operand *o = &b->side[e->side];
	struct event event = {
	    .time = o->time, .type = o->event, .record = o->record, .thread = o->thread};

	*v = (struct value){.kind = VALUE_INT,
			    .integer = address_key(k->trace, &event, e->attribute)};
	return true;
}

static bool value_of(const struct keys *k, const struct binding *b, struct value *v)
{
	uint64_t faults = 0;

	if (k->symbolic)
		return value_symbolic(k, b, v);
	if (k->expression->kind == VALUE_BOOL) {
		v->kind = VALUE_BOOL;
		v->truth = formula_holds(&k->formula, b, &faults);
		return faults == 0;
	}
	/* a formula has no strings */
	if (k->expression->kind == VALUE_STRING)
		return expr_value(k->expression, b, v);
	return formula_value(&k->formula, b, v) && (v->kind != VALUE_REAL || v->real == v->real);
}

static uint64_t value_hash(const struct value *v)
{
	uint64_t word = 0;

	switch (v->kind) {
	case VALUE_BOOL:
		return hash_mix(v->truth);
	case VALUE_REAL:
		if (v->real != 0) /* there are two zeros */
			memcpy(&word, &v->real, sizeof word);
		return hash_mix(word);
	case VALUE_STRING:
		for (uint32_t i = 0; i < v->string.length; i++)
			word = word * 0x100000001b3 + (unsigned char)v->string.bytes[i] + 1;
		return hash_mix(word);
	default:
		return hash_mix((uint64_t)v->integer ^ (uint64_t)(v->integer >> 64));
	}
}

static int value_compare(const struct value *a, const struct value *b)
{
	uint32_t least;
	int order;

	switch (a->kind) {
	case VALUE_BOOL:
		return (int)a->truth - (int)b->truth;
	case VALUE_REAL:
		return (a->real > b->real) - (a->real < b->real);
	case VALUE_STRING:
		least = a->string.length < b->string.length ? a->string.length : b->string.length;
		order = least ? memcmp(a->string.bytes, b->string.bytes, least) : 0;
		return order ? order
			     : (a->string.length > b->string.length) -
				   (a->string.length < b->string.length);
	default:
		return (a->integer > b->integer) - (a->integer < b->integer);
	}
}

static uint32_t key_add(struct keys *k, const struct value *v, uint32_t older)
{
	struct key *key = vector_add(&k->at);

	*key = (struct key){.value = *v, .older = older};
	if (v->kind == VALUE_STRING) {
		key->text = array_new((size_t)v->string.length + 1, 1);
		memcpy(key->text, v->string.bytes, v->string.length);
		key->text[v->string.length] = '\0';
		key->value.string.bytes = key->text;
	}
	return (uint32_t)k->at.n - 1;
}

uint32_t keys_number(struct keys *k, const struct binding *b)
{
	struct hash_slot *slot;
	struct value v;

	if (!value_of(k, b, &v))
		return NO_KEY_NUMBER;
	slot = hash_table_slot(&k->numbers, value_hash(&v), 0);
	for (uint32_t i = slot->head; i != HASH_NOTHING; i = k->at.at[i].older)
		if (value_compare(&k->at.at[i].value, &v) == 0)
			return i;
	return slot->head = key_add(k, &v, slot->head);
}

int keys_compare(const struct keys *k, uint32_t a, uint32_t b)
{
	const struct value *x = &k->at.at[a].value, *y = &k->at.at[b].value;

	if (k->symbolic)
		return strverscmp(address_key_text(k->trace, (int64_t)x->integer),
				  address_key_text(k->trace, (int64_t)y->integer));
	return value_compare(x, y);
}

enum key_sort keys_sort(const struct keys *k)
{
	const struct expr *e = k->expression;

	if (e->op == EXPR_THREAD)
		return KEY_THREAD;
	if (e->op == EXPR_PROCESS)
		return KEY_PROCESS;
	return k->symbolic || e->kind == VALUE_STRING || e->kind == VALUE_BOOL ? KEY_NAME
									       : KEY_NUMBER;
}
