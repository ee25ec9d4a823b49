/*
 * Maps the ids in a log to events. A schema is the events of one specification, known by its
 * identity; a note in the log says from which id on these events are numbered (a claim). An id
 * table has one row for each id; logs with the same claims share one.
 */
#ifndef GLIMPSE_TRACE_FORMAT_SCHEMA_H
#define GLIMPSE_TRACE_FORMAT_SCHEMA_H

#include "spec/spec.h"
#include "trace/format/format.h"

#define NO_TYPE UINT16_MAX

struct schema {
	const struct spec *spec; /* as compiled into the program */
	uint16_t *types;         /* of its events in the trace's specification; or NO_TYPE */
};

/* The size and the type of an event. */
struct id_row {
	uint32_t size; /* of its first word and fixed attributes; 0: no such event */
	uint16_t strings;
	uint16_t type; /* index in the trace's specification, or NO_TYPE */
};

struct claim {
	const struct schema *schema;
	uint32_t base;
};

struct id_table {
	struct id_table *next;
	struct claim *claims; /* in the order of the notes */
	unsigned nclaims;
	struct id_row rows[RECORD_IDS];
};

struct schemas {
	struct schema **list;
	size_t count;
	struct id_table *tables;
};

/* Adds the events of a specification, once; returns false when there is no memory. */
bool schemas_add(struct schemas *s, const struct spec *spec);
/* Returns the schema with that identity, or NULL. */
const struct schema *schemas_find(const struct schemas *s, uint64_t identity);
void schemas_clear(struct schemas *s);

/*
 * Returns the table of a log that had the table before (or NULL) and now makes a claim. Returns
 * NULL and sets *why if the claim is impossible: it overlaps an earlier one, or does not fit.
 */
const struct id_table *schemas_claim(struct schemas *s, const struct id_table *before,
				     struct claim claim, const char **why);

/*
 * Returns whether an event type has the same attributes in the specification that is wanted and in
 * the one that was logged; if not, reports the difference to diag.
 */
bool event_types_agree(const struct event_type *wanted, const struct event_type *logged,
		       struct diag *diag);

#endif
