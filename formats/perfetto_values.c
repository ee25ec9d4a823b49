#include "formats/perfetto_values.h"
#include "base/json.h"
#include "formats/perfetto_fields.h"
#include <stdlib.h>

const char *perfetto_keep(struct perfetto_arguments *a, char *text)
{
	*vector_add(&a->made) = text;
	return text;
}

void perfetto_arguments_reset(struct perfetto_arguments *a)
{
	for (size_t i = 0; i < a->made.n; i++)
		free(a->made.at[i]);
	a->made.n = a->list.n = 0;
}

void perfetto_arguments_free(struct perfetto_arguments *a)
{
	perfetto_arguments_reset(a);
	free(a->made.at);
	free(a->list.at);
}

static double real_of(uint64_t word)
{
	double real;

	memcpy(&real, &word, sizeof real);
	return real;
}

static char *text_copy(struct proto text)
{
	return text_format("%.*s", (int)text.n, text.n ? (const char *)text.at : "");
}

/* Returns the name of an annotation, to be freed. */
static char *name_of(const struct perfetto_sequence *s, struct proto annotation)
{
	struct proto name = proto_bytes(annotation, FIELD_NAME);
	const char *interned =
	    perfetto_text(s, INTERNED_ANNOTATION, proto_word(annotation, FIELD_NAME_IID, 0));

	return name.at ? text_copy(name) : text_format("%s", interned ? interned : "unnamed");
}

/* ---- containers ---- */

static void nested_print(struct json *j, const char *key, struct proto value);
static void annotation_print(struct json *j, const char *key, const struct perfetto_sequence *s,
			     struct proto annotation);

/* Returns whether another container may be opened in it; prints dots if none may. */
static bool has_room(struct json *j, const char *key)
{
	if (j->depth < JSON_DEPTH)
		return true;
	json_string(j, key, "...");
	return false;
}

static void text_print(struct json *j, const char *key, struct proto text)
{
	json_bytes(j, key, text.n ? (const char *)text.at : "", text.n);
}

/* Prints a message NestedValue, the form of older traces. */
static void nested_container(struct json *j, const char *key, struct proto value)
{
	enum { KEYS = 2, VALUES = 3, ITEMS = 4 };
	bool object = proto_bytes(value, VALUES).at != NULL;
	struct proto keys = value;
	struct proto_field f, name;

	if (!has_room(j, key))
		return;
	if (object)
		json_object(j, key);
	else
		json_array(j, key);
	while (proto_next(&value, &f)) {
		char *text = NULL;

		if (!f.is_bytes || f.number != (uint32_t)(object ? VALUES : ITEMS))
			continue;
		while (object && !text && proto_next(&keys, &name))
			text = name.is_bytes && name.number == KEYS ? text_copy(name.bytes) : NULL;
		nested_print(j, object && !text ? "" : text, f.bytes);
		free(text);
	}
	json_close(j);
}

static void nested_print(struct json *j, const char *key, struct proto value)
{
	enum { INT = 5, DOUBLE = 6, BOOL = 7, STRING = 8 };
	struct proto all = value;
	struct proto_field f;

	while (proto_next(&value, &f)) {
		switch (f.number) {
		case INT:
			json_int(j, key, (int64_t)f.word);
			return;
		case DOUBLE:
			json_real(j, key, real_of(f.word));
			return;
		case BOOL:
			json_bool(j, key, f.word != 0);
			return;
		case STRING:
			text_print(j, key, f.is_bytes ? f.bytes : (struct proto){NULL, 0});
			return;
		default:
			break;
		}
	}
	nested_container(j, key, all);
}

static void container_print(struct json *j, const char *key, const struct perfetto_sequence *s,
			    struct proto annotation, uint32_t items)
{
	struct proto_field f;

	if (!has_room(j, key))
		return;
	if (items == FIELD_DICT_ENTRIES)
		json_object(j, key);
	else
		json_array(j, key);
	while (proto_next(&annotation, &f)) {
		char *name;

		if (!f.is_bytes || f.number != items)
			continue;
		name = items == FIELD_DICT_ENTRIES ? name_of(s, f.bytes) : NULL;
		annotation_print(j, name, s, f.bytes);
		free(name);
	}
	json_close(j);
}

static bool word_print(struct json *j, const char *key, const struct perfetto_sequence *s,
		       const struct proto_field *f)
{
	switch (f->number) {
	case FIELD_BOOL:
		json_bool(j, key, f->word != 0);
		return true;
	case FIELD_UINT:
	case FIELD_POINTER:
		json_uint(j, key, f->word);
		return true;
	case FIELD_INT:
		json_int(j, key, (int64_t)f->word);
		return true;
	case FIELD_DOUBLE:
		json_real(j, key, real_of(f->word));
		return true;
	case FIELD_STRING_IID:
		json_string(j, key, perfetto_text(s, INTERNED_VALUE, f->word));
		return true;
	default:
		return false;
	}
}

static void annotation_print(struct json *j, const char *key, const struct perfetto_sequence *s,
			     struct proto annotation)
{
	struct proto all = annotation;
	struct proto_field f;

	while (proto_next(&annotation, &f)) {
		if (!f.is_bytes) {
			if (word_print(j, key, s, &f))
				return;
			continue;
		}
		switch (f.number) {
		case FIELD_STRING:
		case FIELD_JSON:
			text_print(j, key, f.bytes);
			return;
		case FIELD_NESTED:
			nested_print(j, key, f.bytes);
			return;
		case FIELD_DICT_ENTRIES:
		case FIELD_ARRAY_VALUES:
			container_print(j, key, s, all, f.number);
			return;
		default:
			break;
		}
	}
	json_null(j, key);
}

static struct logs_value json_of(struct perfetto_arguments *a, const struct perfetto_sequence *s,
				 struct proto annotation)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct json j;

	if (!out)
		array_exhausted();
	j = json_begin(out, 0);
	annotation_print(&j, NULL, s, annotation);
	if (fclose(out))
		array_exhausted();
	perfetto_keep(a, text);
	return logs_bytes(text, strcspn(text, "\n"));
}

/* ---- arguments ---- */

static struct logs_value text_value(const char *text)
{
	return logs_bytes(text ? text : "", text ? strlen(text) : 0);
}

/* Sets the value of a field; returns false if it is none. */
static bool word_value(const struct perfetto_sequence *s, const struct proto_field *f,
		       struct logs_value *v)
{
	switch (f->number) {
	case FIELD_BOOL:
	case FIELD_INT:
		*v = logs_integer((int64_t)f->word);
		return true;
	case FIELD_UINT:
	case FIELD_POINTER:
		*v = logs_natural(f->word);
		return true;
	case FIELD_DOUBLE:
		*v = logs_real(real_of(f->word));
		return true;
	case FIELD_STRING_IID:
		*v = text_value(perfetto_text(s, INTERNED_VALUE, f->word));
		return true;
	default:
		return false;
	}
}

static struct logs_value value_of(struct perfetto_arguments *a, const struct perfetto_sequence *s,
				  struct proto annotation)
{
	struct proto all = annotation;
	struct logs_value v = text_value("");
	struct proto_field f;

	while (proto_next(&annotation, &f)) {
		if (!f.is_bytes && word_value(s, &f, &v))
			return v;
		if (!f.is_bytes)
			continue;
		if (f.number == FIELD_STRING || f.number == FIELD_JSON)
			return logs_bytes(f.bytes.n ? (const char *)f.bytes.at : "", f.bytes.n);
		if (f.number == FIELD_NESTED || f.number == FIELD_DICT_ENTRIES ||
		    f.number == FIELD_ARRAY_VALUES)
			return json_of(a, s, all);
	}
	return v;
}

/* Names that are interned need no copy. */
static const char *argument_name(struct perfetto_arguments *a, const struct perfetto_sequence *s,
				 struct proto annotation)
{
	const char *interned =
	    perfetto_text(s, INTERNED_ANNOTATION, proto_word(annotation, FIELD_NAME_IID, 0));

	return interned ? interned : perfetto_keep(a, name_of(s, annotation));
}

void perfetto_argument(struct perfetto_arguments *a, const struct perfetto_sequence *s,
		       struct proto annotation)
{
	const char *name = argument_name(a, s, annotation);
	struct logs_value value = value_of(a, s, annotation);

	*vector_add(&a->list) = (struct logs_argument){name, value};
}
