/*
 * Names of tables, columns and keys that no other has. Capitals do not count: databases and file
 * systems take "Read" and "read" for one. A name that is taken gets an underscore at its end.
 */
#ifndef GLIMPSE_FORMATS_FIELD_NAMES_H
#define GLIMPSE_FORMATS_FIELD_NAMES_H

#include "spec/spec.h"

struct field_names {
	char **names; /* in the order in which they were added */
	size_t n;
};

/* Adds a name; returns the one it has, which belongs to the list. */
const char *field_name_add(struct field_names *f, const char *name);
void field_names_free(struct field_names *f);

/* Names the attributes of an event, after the fixed fields, a list that ends with NULL. */
struct field_names attribute_names(const struct event_type *e, const char *const *fixed);
/*
 * What tables of intervals have: start, end, duration, and the event and thread of each end.
 */
enum { INTERVAL_FIELDS = 7 };
extern const char *const interval_fields[INTERVAL_FIELDS + 1];

/* Names the fields of an interval, and after them its metrics. */
struct field_names metric_names(const struct interval *i);

#endif
