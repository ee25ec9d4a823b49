/*
 * Converts records to columns and back: splits the records of a block by the meaning of their
 * numbers. doc/log-format.md defines the order of the columns.
 */
#ifndef GLIMPSE_TRACE_PACK_RECORDS_H
#define GLIMPSE_TRACE_PACK_RECORDS_H

#include "trace/format/schema.h"
#include "trace/pack/column.h"

/* An attribute of fixed size. */
struct layout_field {
	bool wide;     /* 8 bytes; otherwise 4 */
	unsigned kind; /* the same for attributes of one name and type, in all events */
};

/* Where the attributes of an event are. */
struct record_layout {
	unsigned nfields, nstrings;
	struct layout_field *fields; /* in the order of the record */
};

struct record_layouts {
	struct record_layout of_id[RECORD_IDS]; /* without fields: there is no such event */
	unsigned nkinds;
};

/* Returns the layouts of the events of a log. */
struct record_layouts *record_layouts_new(const struct id_table *ids);
void record_layouts_free(struct record_layouts *l);

/* Memory that a thread reuses for all blocks. All zeros at first. */
struct records_scratch {
	struct number_column *columns;
	size_t ncolumns;
	struct number_column values;
	struct byte_buffer symbols, text;
};

void records_scratch_free(struct records_scratch *s);

/* Appends the columns of the records in [start, end). upper: bits of the time before, in place. */
void records_split(struct byte_buffer *to, const struct record_layouts *layouts,
		   const unsigned char *start, const unsigned char *end, uint64_t upper,
		   struct records_scratch *scratch);
/*
 * Writes exactly size bytes of records, in the other byte order if swapped; returns false if the
 * columns are of more or fewer.
 */
bool records_join(struct byte_view *from, uint64_t upper, bool swapped, unsigned char *to,
		  size_t size, struct records_scratch *scratch);

#endif
