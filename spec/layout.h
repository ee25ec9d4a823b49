/* Where each attribute stands in a record, and the identity of the schema. */
#ifndef GLIMPSE_SPEC_LAYOUT_H
#define GLIMPSE_SPEC_LAYOUT_H

#include "spec/spec.h"

/*
 * Sets offsets, string indices, the number of strings and the fixed size of an event whose
 * attributes are known.
 */
void event_layout(struct event_type *e);

/* The hash that spec.h describes, over all events. */
uint64_t schema_hash(const struct spec *s);

/* Hashes the types and names of an event's attributes: what its callers have to agree with. */
uint64_t attributes_hash(const struct event_type *e);

#endif
