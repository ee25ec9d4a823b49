/*
 * Fields of libbabeltrace2 as attributes: structures are flattened, texts and bytes are strings,
 * and what has no type of its own (arrays, variants) is printed. Two walks in the same order: over
 * the classes, for the types of attributes, and over the fields of an event, for their values.
 */
#ifndef GLIMPSE_FORMATS_CTF_FIELDS_H
#define GLIMPSE_FORMATS_CTF_FIELDS_H

#include "base/array.h"
#include "formats/logs.h"
#include <babeltrace2/babeltrace.h>

/* The attributes of an event class. */
typedef VECTOR(struct logs_field) ctf_field_vector;

/*
 * Adds the attributes of a class; name: of the field, "" for members of the outermost structure.
 * NULL: no class.
 */
void ctf_fields_add(ctf_field_vector *fields, const char *name, const bt_field_class *class);
/* Frees the list and the names in it. */
void ctf_fields_free(ctf_field_vector *fields);

/*
 * The values of an event. Texts that are made are in one buffer, which they are found in when all
 * are there.
 */
struct ctf_values {
	VECTOR(struct logs_value) list;
	VECTOR(char) text;
};

void ctf_values_begin(struct ctf_values *v);
/* Adds the values of a field; NULL: no field. */
void ctf_values_add(struct ctf_values *v, const bt_field *field);
/* Returns the values, which are valid until the next call. */
const struct logs_value *ctf_values_end(struct ctf_values *v);
void ctf_values_free(struct ctf_values *v);

/* Returns the number that an integer field has. */
int64_t ctf_integer(const bt_field *field);
/* Returns the member of a structure field if it is an integer, or a string; else NULL. */
const bt_field *ctf_integer_member(const bt_field *structure, const char *name);
const bt_field *ctf_string_member(const bt_field *structure, const char *name);

#endif
