/* Records of a recipe: times and events. */
#include "tests/trace/mklog.h"
#include <stdlib.h>
#include <string.h>

static void record_word(struct output *o, unsigned id, uint64_t ticks)
{
	binary_32(&o->data, id | (uint32_t)(ticks << 12));
}

void time_record(struct output *o, uint64_t ticks)
{
	o->upper = ticks >> 20;
	binary_32(&o->data, 1 | (uint32_t)(o->upper >> 32) << 12);
	binary_32(&o->data, (uint32_t)o->upper);
}

void note_record(struct output *o, unsigned kind, const struct binary *content)
{
	binary_32(&o->data, 2);
	binary_32(&o->data, kind << 24 | (uint32_t)content->size);
	binary_bytes(&o->data, content->bytes, content->size);
	binary_pad(&o->data);
}

static void string_put(struct binary *b, const struct word *value)
{
	bool null = !value;
	struct word text = null ? (struct word){"(null)", 6} : *value;

	binary_32(b, (uint32_t)text.length);
	binary_bytes(b, text.text, text.length);
	binary_pad(b);
}

/* A number is N, or N+STEP: STEP times the repetition more than N. */
static uint64_t value_number(const struct word *value, uint64_t repetition)
{
	struct word number = *value;
	char *plus = strchr(number.text + (number.length > 0), '+');
	uint64_t result, step = 0;

	if (plus) {
		struct word after = {plus + 1, strlen(plus + 1)};

		step = word_number(&after);
		*plus = '\0';
	}
	result = word_number(&number) + step * repetition;
	if (plus)
		*plus = '+';
	return result;
}

static void double_put(struct binary *b, const struct word *value)
{
	char *end;
	double real = strtod(value->text, &end);
	uint64_t bits;

	if (*end || end == value->text)
		recipe_fail("'%s' is no number", value->text);
	memcpy(&bits, &real, sizeof bits);
	binary_64(b, bits);
}

/* Attributes that the line does not name are 0, and their strings empty. */
static void attribute_put(struct binary *b, const struct attribute *a, const struct line *l,
			  uint64_t repetition)
{
	static const struct word zero = {"0", 1}, empty = {"", 0};
	const struct word *value;
	struct word found;

	value = line_find(l, a->name, &found);
	if (!value)
		value = a->type == TYPE_STRING ? &empty : &zero;
	if (a->type == TYPE_STRING)
		string_put(b, value->length == 4 && !memcmp(value->text, "null", 4) ? NULL : value);
	else if (a->type == TYPE_DOUBLE)
		double_put(b, value);
	else if (a->type == TYPE_INT || a->type == TYPE_UINT || a->type == TYPE_CODE32)
		binary_32(b, (uint32_t)value_number(value, repetition));
	else
		binary_64(b, value_number(value, repetition));
}

static void attributes_check(const struct event_type *type, const struct line *l, unsigned from)
{
	for (unsigned i = from; i < l->nwords; i++) {
		char *equals = strchr(l->words[i].text, '=');
		char *name =
		    equals ? strndup(l->words[i].text, (size_t)(equals - l->words[i].text)) : NULL;

		if (!name || event_attribute(type, name) < 0)
			recipe_fail("%s has no attribute '%s'", type->name, l->words[i].text);
		free(name);
	}
}

static void event_put(const struct line *l, unsigned from, uint64_t ticks, uint64_t repetition)
{
	struct output *o = current();
	unsigned id;
	const struct event_type *type = event_find(line_word(l, from, "an event")->text, &id);

	attributes_check(type, l, from + 1);
	if (o->kind == OUTPUT_GRAZE) {
		binary_32(&o->data, id - make.bases[0]);
		binary_64(&o->data, ticks);
	} else {
		if (ticks >> 20 != o->upper)
			time_record(o, ticks);
		record_word(o, id, ticks);
	}
	/* In a log strings follow what has a fixed size. */
	for (unsigned strings = 0; strings < 2; strings++)
		for (unsigned i = 0; i < type->nattributes; i++)
			if ((type->attributes[i].type == TYPE_STRING) == strings)
				attribute_put(&o->data, &type->attributes[i], l, repetition);
}

/* TICKS EVENT attribute=value... */
void event_statement(const struct line *l)
{
	event_put(l, 1, word_number(&l->words[0]), 0);
}

/* repeat COUNT TICKS EVENT attribute=value... where TICKS and values may be N+STEP */
void repeat_statement(const struct line *l)
{
	uint64_t count = word_number(line_word(l, 1, "a count"));
	const struct word *ticks = line_word(l, 2, "TICKS+STEP");

	for (uint64_t i = 0; i < count; i++)
		event_put(l, 3, value_number(ticks, i), i);
}
