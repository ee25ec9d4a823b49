/*
 * What the ids in a log mean. A schema is the events of one specification, known by its identity; a note in the log
 * says from which id on they are numbered. An id table has one row for each id; logs with the same notes share one.
 */
#ifndef GLIMPSE_TRACE_FORMAT_SCHEMA_H
#define GLIMPSE_TRACE_FORMAT_SCHEMA_H

#include "spec/spec.h"
#include "trace/format/format.h"

#define NO_TYPE UINT16_MAX

struct schema {
	const struct spec *spec;        /* as compiled into the program */
	uint16_t *types;                /* for each of its events the index in the trace's specification, or NO_TYPE */
};

/* How to walk over an event, and what it is. */
struct id_row {
	uint32_t size;          /* word and fixed attributes; 0: no such event */
	uint16_t strings;
	uint16_t type;          /* index in the trace's specification, or NO_TYPE */
};

struct claim {
	const struct schema *schema;
	uint32_t base;
};

struct id_table {
	struct id_table *next;
	struct claim *claims;   /* in the order of the notes */
	unsigned nclaims;
	struct id_row rows[RECORD_IDS];
};

struct schemas {
	struct schema **list;
	size_t count;
	struct id_table *tables;
};

/* Takes note of a specification's events; nothing happens when the identity is known. False: no memory. */
bool schemas_add(struct schemas *s, const struct spec *spec);
const struct schema *schemas_find(const struct schemas *s, uint64_t identity);
void schemas_clear(struct schemas *s);

/*
 * The table of a log that had the table before (or NULL) and now has a note SCHEMA. NULL, with *why set, when the
 * note cannot be true: it overlaps an earlier one, or does not fit.
 */
const struct id_table *schemas_claim(struct schemas *s, const struct id_table *before, struct claim claim,
	const char **why);

#endif
