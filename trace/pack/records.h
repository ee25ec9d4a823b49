/*
 * Records and their columns: what stands in a block of intact records is put apart by what it means, and put together again.
 * doc/log-format.md has the order of the columns.
 */
#ifndef GLIMPSE_TRACE_PACK_RECORDS_H
#define GLIMPSE_TRACE_PACK_RECORDS_H

#include "trace/pack/column.h"
#include "trace/pack/pack_layout.h"

/* How a record is told in the column of symbols. From SYMBOL_EVENT on: the event of that layout in the block. */
enum symbol_of { SYMBOL_TIME, SYMBOL_NOTE, SYMBOL_EVENT };

/* How the numbers of an attribute are told. */
enum telling {
	AS_VALUE,
	AS_STEP,        /* from the same attribute of the event of that type before */
	AS_KIND,        /* from the attribute of that kind before, of whatever event */
};

/* What a thread that packs or unpacks needs again and again. All zeros at first. */
struct records_scratch {
	struct numbers *columns;
	size_t ncolumns;
	struct numbers values;
	struct blob symbols, text;
};

void records_scratch_free(struct records_scratch *s);

/* Appends the columns of the records in [start, end); upper: the upper bits of the time before them, in place. */
void records_split(struct blob *to, const struct layouts *layouts, const unsigned char *start,
		   const unsigned char *end, uint64_t upper, struct records_scratch *scratch);
/* The records again, into exactly size bytes; false when the columns are not those of that many. */
bool records_join(struct view *from, uint64_t upper, unsigned char *to, size_t size,
		  struct records_scratch *scratch);

/* In steps of an attribute's width; the result is signed. */
static inline uint64_t step_between(uint64_t before, uint64_t value, bool wide)
{
	uint64_t step = value - before;

	return wide ? step : (uint64_t)(int64_t)(int32_t)step;
}

#endif
