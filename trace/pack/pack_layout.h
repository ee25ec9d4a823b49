/* What the packer knows of events: where their attributes stand, and which attributes of several events mean the same. */
#ifndef GLIMPSE_TRACE_PACK_PACK_LAYOUT_H
#define GLIMPSE_TRACE_PACK_PACK_LAYOUT_H

#include "trace/format/schema.h"

/* An attribute of fixed size. */
struct field {
	bool wide;              /* 8 bytes; otherwise 4 */
	unsigned kind;          /* attributes of one name and type have one kind, whatever their event */
};

/* An event with the id id. */
struct layout {
	unsigned nfields, nstrings;
	struct field *fields;   /* in the order of the record */
};

struct layouts {
	struct layout of_id[RECORD_IDS];
	unsigned nkinds;
};

/* Of the events of a log; every id that has no event there has no fields. */
struct layouts *layouts_make(const struct id_table *ids);
void layouts_free(struct layouts *l);

#endif
