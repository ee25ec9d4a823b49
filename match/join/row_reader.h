/* Reads the moments of both ends of an interval as rows, in chunks on all processors. */
#ifndef GLIMPSE_MATCH_JOIN_ROW_READER_H
#define GLIMPSE_MATCH_JOIN_ROW_READER_H

#include "match/join/partition.h"
#include "match/join/stream_join.h"

/* How many moments are read in one chunk; tests make them small. */
extern size_t partition_chunk, join_chunk;

/* Makes a partition of all rows. Adds what faulted. */
void rows_partition(struct partition *p, const struct plan *plan, const struct moments *anchors,
		    const struct moments *partners, uint64_t *faults);
/* Joins all rows in the order of the stream. Returns false if that was given up. */
bool rows_stream_join(struct stream_join *j, const struct plan *plan, const struct moments *anchors,
		      const struct moments *partners, uint64_t *faults);

#endif
