/* Lays out records: the positions of attributes, their values, the identity of the schema. */
#ifndef GLIMPSE_SPEC_LAYOUT_H
#define GLIMPSE_SPEC_LAYOUT_H

#include "spec/spec.h"

/*
 * Sets offsets, string indices, the number of strings and the fixed size of an event whose
 * attributes are known.
 */
void event_layout(struct event_type *e);

/* Returns the schema identity that spec.h describes, over all events. */
uint64_t schema_hash(const struct spec *s);

/* Returns a hash of the types and names of an event's attributes, which its callers rely on. */
uint64_t attributes_hash(const struct event_type *e);

/* Returns the value of one attribute of a record. */
struct value record_value(const struct event_type *event, unsigned attribute,
			  const unsigned char *record);
/* Returns the size of a record with its strings; 0 if it does not fit into `size` bytes. */
uint32_t record_size(const struct event_type *event, const unsigned char *record, uint64_t size);

#endif
