#include "config.h"
#ifdef HAVE_BABELTRACE2
#include "formats/ctf_fields.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool is(bt_field_class_type type, bt_field_class_type other)
{
	return bt_field_class_type_is(type, other);
}

/* ---- classes ---- */

/* Returns whether it is an array of bytes, which is a string then. */
static bool class_is_bytes(const bt_field_class *class)
{
	const bt_field_class *element;

	if (!is(bt_field_class_get_type(class), BT_FIELD_CLASS_TYPE_ARRAY))
		return false;
	element = bt_field_class_array_borrow_element_field_class_const(class);
	return bt_field_class_get_type(element) == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER &&
	       bt_field_class_integer_get_field_value_range(element) <= 8;
}

static enum type type_of(const bt_field_class *class)
{
	bt_field_class_type type = bt_field_class_get_type(class);

	if (is(type, BT_FIELD_CLASS_TYPE_BOOL) || type == BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)
		return TYPE_LONG;
	if (is(type, BT_FIELD_CLASS_TYPE_BIT_ARRAY))
		return TYPE_ULONG;
	if (is(type, BT_FIELD_CLASS_TYPE_REAL))
		return TYPE_DOUBLE;
	if (type != BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
		return TYPE_STRING;
	if (bt_field_class_integer_get_preferred_display_base(class) ==
	    BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL)
		return TYPE_ADDRESS;
	return bt_field_class_integer_get_field_value_range(class) < 64 ? TYPE_LONG : TYPE_ULONG;
}

static const char *member_name(const bt_field_class *class, uint64_t i)
{
	return bt_field_class_structure_member_get_name(
	    bt_field_class_structure_borrow_member_by_index_const(class, i));
}

/*
 * Returns whether a member only says how long the next one is: LTTng has "_NAME_length" before an
 * array NAME.
 */
static bool member_is_length(const bt_field_class *class, uint64_t i, uint64_t n)
{
	const char *name = member_name(class, i), *next;
	size_t length;

	if (*name != '_' || i + 1 == n)
		return false;
	next = member_name(class, i + 1);
	length = strlen(next);
	return strncmp(name + 1, next, length) == 0 && strcmp(name + 1 + length, "_length") == 0;
}

void ctf_fields_add(ctf_field_vector *fields, const char *name, const bt_field_class *class)
{
	uint64_t n;

	if (!class)
		return;
	if (!is(bt_field_class_get_type(class), BT_FIELD_CLASS_TYPE_STRUCTURE)) {
		*vector_add(fields) = (struct logs_field){text_format("%s", name), type_of(class)};
		return;
	}
	n = bt_field_class_structure_get_member_count(class);
	for (uint64_t i = 0; i < n; i++) {
		const bt_field_class_structure_member *m =
		    bt_field_class_structure_borrow_member_by_index_const(class, i);
		char *whole;

		if (member_is_length(class, i, n))
			continue;
		whole = text_format("%s%s%s", name, *name ? "_" : "", member_name(class, i));
		ctf_fields_add(fields, whole,
			       bt_field_class_structure_member_borrow_field_class_const(m));
		free(whole);
	}
}

void ctf_fields_free(ctf_field_vector *fields)
{
	for (size_t i = 0; i < fields->n; i++)
		free((char *)fields->at[i].name);
	free(fields->at);
	*fields = (ctf_field_vector){0};
}

/* ---- numbers ---- */

int64_t ctf_integer(const bt_field *field)
{
	if (is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		return (int64_t)bt_field_integer_unsigned_get_value(field);
	return bt_field_integer_signed_get_value(field);
}

static const bt_field *member(const bt_field *structure, const char *name, bt_field_class_type type)
{
	const bt_field *f;

	if (!structure || !is(bt_field_get_class_type(structure), BT_FIELD_CLASS_TYPE_STRUCTURE))
		return NULL;
	f = bt_field_structure_borrow_member_field_by_name_const(structure, name);
	return f && is(bt_field_get_class_type(f), type) ? f : NULL;
}

const bt_field *ctf_integer_member(const bt_field *structure, const char *name)
{
	return member(structure, name, BT_FIELD_CLASS_TYPE_INTEGER);
}

const bt_field *ctf_string_member(const bt_field *structure, const char *name)
{
	return member(structure, name, BT_FIELD_CLASS_TYPE_STRING);
}

static double real(const bt_field *field)
{
	if (is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL))
		return bt_field_real_single_precision_get_value(field);
	return bt_field_real_double_precision_get_value(field);
}

/* ---- texts ---- */

static void text_put(struct ctf_values *v, const char *bytes, size_t n)
{
	if (n)
		vector_append(&v->text, bytes, n);
}

__attribute__((format(printf, 2, 3))) static void text_print(struct ctf_values *v,
							     const char *format, ...)
{
	char text[64];
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	text_put(v, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* Prints the names that an enumeration has for a value, or the value. */
static void enumeration_print(struct ctf_values *v, const bt_field *field)
{
	bool is_unsigned = is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
	bt_field_class_enumeration_mapping_label_array labels;
	uint64_t n = 0;

	if (is_unsigned)
		bt_field_enumeration_unsigned_get_mapping_labels(field, &labels, &n);
	else
		bt_field_enumeration_signed_get_mapping_labels(field, &labels, &n);
	for (uint64_t i = 0; i < n; i++) {
		if (i)
			text_put(v, "|", 1);
		text_put(v, labels[i], strlen(labels[i]));
	}
	if (!n && is_unsigned)
		text_print(v, "%" PRIu64, bt_field_integer_unsigned_get_value(field));
	else if (!n)
		text_print(v, "%" PRId64, bt_field_integer_signed_get_value(field));
}

static void bytes_put(struct ctf_values *v, const bt_field *field)
{
	for (uint64_t i = 0; i < bt_field_array_get_length(field); i++) {
		char c = (char)bt_field_integer_unsigned_get_value(
		    bt_field_array_borrow_element_field_by_index_const(field, i));

		text_put(v, &c, 1);
	}
}

static void field_print(struct ctf_values *v, const bt_field *field);

static void array_print(struct ctf_values *v, const bt_field *field)
{
	text_put(v, "[", 1);
	for (uint64_t i = 0; i < bt_field_array_get_length(field); i++) {
		if (i)
			text_put(v, ", ", 2);
		field_print(v, bt_field_array_borrow_element_field_by_index_const(field, i));
	}
	text_put(v, "]", 1);
}

static void structure_print(struct ctf_values *v, const bt_field *field)
{
	const bt_field_class *class = bt_field_borrow_class_const(field);

	text_put(v, "{", 1);
	for (uint64_t i = 0; i < bt_field_class_structure_get_member_count(class); i++) {
		const char *name = member_name(class, i);

		if (i)
			text_put(v, ", ", 2);
		text_put(v, name, strlen(name));
		text_put(v, "=", 1);
		field_print(v, bt_field_structure_borrow_member_field_by_index_const(field, i));
	}
	text_put(v, "}", 1);
}

/* Prints what a variant has selected, or an option has; nothing if it has nothing. */
static void choice_print(struct ctf_values *v, const bt_field *field)
{
	const bt_field *chosen = is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_VARIANT)
				     ? bt_field_variant_borrow_selected_option_field_const(field)
				     : bt_field_option_borrow_field_const(field);

	if (chosen)
		field_print(v, chosen);
}

/* Prints a field as a text. */
static void field_print(struct ctf_values *v, const bt_field *field)
{
	bt_field_class_type type = bt_field_get_class_type(field);

	if (is(type, BT_FIELD_CLASS_TYPE_ENUMERATION))
		enumeration_print(v, field);
	else if (is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		text_print(v, "%" PRIu64, bt_field_integer_unsigned_get_value(field));
	else if (is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		text_print(v, "%" PRId64, bt_field_integer_signed_get_value(field));
	else if (is(type, BT_FIELD_CLASS_TYPE_BOOL))
		text_print(v, "%s", bt_field_bool_get_value(field) ? "true" : "false");
	else if (is(type, BT_FIELD_CLASS_TYPE_BIT_ARRAY))
		text_print(v, "%" PRIu64, bt_field_bit_array_get_value_as_integer(field));
	else if (is(type, BT_FIELD_CLASS_TYPE_REAL))
		text_print(v, "%.17g", real(field));
	else if (is(type, BT_FIELD_CLASS_TYPE_STRING))
		text_put(v, bt_field_string_get_value(field), bt_field_string_get_length(field));
	else if (is(type, BT_FIELD_CLASS_TYPE_STRUCTURE))
		structure_print(v, field);
	else if (class_is_bytes(bt_field_borrow_class_const(field)))
		bytes_put(v, field);
	else if (is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		array_print(v, field);
	else
		choice_print(v, field);
}

/* ---- values ---- */

void ctf_values_begin(struct ctf_values *v)
{
	v->list.n = 0;
	v->text.n = 0;
}

/* A text of the buffer, which may still move: it has no place until the end. */
static void text_add(struct ctf_values *v, const bt_field *field)
{
	size_t before = v->text.n;

	field_print(v, field);
	*vector_add(&v->list) = logs_bytes(NULL, v->text.n - before);
}

void ctf_values_add(struct ctf_values *v, const bt_field *field)
{
	bt_field_class_type type;

	if (!field)
		return;
	type = bt_field_get_class_type(field);
	if (type == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
		*vector_add(&v->list) = logs_natural(bt_field_integer_unsigned_get_value(field));
	else if (type == BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)
		*vector_add(&v->list) = logs_integer(bt_field_integer_signed_get_value(field));
	else if (is(type, BT_FIELD_CLASS_TYPE_STRING))
		/* Of an empty one the text may be an older one's: only the length is right. */
		*vector_add(&v->list) =
		    logs_bytes(bt_field_string_get_value(field), bt_field_string_get_length(field));
	else if (is(type, BT_FIELD_CLASS_TYPE_REAL))
		*vector_add(&v->list) = logs_real(real(field));
	else if (is(type, BT_FIELD_CLASS_TYPE_BOOL))
		*vector_add(&v->list) = logs_integer(bt_field_bool_get_value(field));
	else if (is(type, BT_FIELD_CLASS_TYPE_BIT_ARRAY))
		*vector_add(&v->list) =
		    logs_natural(bt_field_bit_array_get_value_as_integer(field));
	else if (is(type, BT_FIELD_CLASS_TYPE_STRUCTURE)) {
		const bt_field_class *class = bt_field_borrow_class_const(field);
		uint64_t n = bt_field_class_structure_get_member_count(class);

		for (uint64_t i = 0; i < n; i++)
			if (!member_is_length(class, i, n))
				ctf_values_add(
				    v, bt_field_structure_borrow_member_field_by_index_const(field,
											     i));
	} else {
		text_add(v, field);
	}
}

const struct logs_value *ctf_values_end(struct ctf_values *v)
{
	const char *at = v->text.at ? v->text.at : "";

	for (size_t i = 0; i < v->list.n; i++) {
		struct logs_value *value = &v->list.at[i];

		if (value->kind != LOGS_TEXT || value->text.bytes)
			continue;
		value->text.bytes = at;
		at += value->text.length;
	}
	return v->list.at;
}

void ctf_values_free(struct ctf_values *v)
{
	free(v->list.at);
	free(v->text.at);
}
#endif
