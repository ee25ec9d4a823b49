/* A tally that is being made: what its two ways share. */
#ifndef GLIMPSE_MATCH_STATS_TALLYING_H
#define GLIMPSE_MATCH_STATS_TALLYING_H

#include "match/plan/plan.h"
#include "match/stats/tally.h"
#include "trace/stream/ordered.h"
#include <stdatomic.h>

struct tallying {
	struct trace *trace;
	const struct sections *sections;
	const struct plan *plan;
	const struct event_type *type[2]; /* by side */
	bool *wanted;			  /* by type */
	const struct id_row **ids;	  /* by log */
	struct tally *tally;
	atomic_size_t matched, unmatched, unserved, shared;
};

/* The rows of a section, used again for the next. */
struct tally_rows {
	struct ordered ordered;
	uint64_t *words; /* of two: the time less the base, shifted left, and whether it is a query; the key */
	size_t n, room;
};

/* Through rows that are kept, parted by key: for whatever too much waits in the other way. */
void tally_in_buckets(struct tallying *y);

void tally_rows_begin(struct tally_rows *r, const struct tallying *y);
void tally_rows_read(struct tally_rows *r, const struct tallying *y, size_t section, uint64_t base);
void tally_rows_end(struct tally_rows *r);

/* An anchor without a partner, of that time. */
static inline void tally_unmatched(struct tallying *y, int64_t time)
{
	y->tally->words[y->tally->anchors - 1 - atomic_fetch_add(&y->unmatched, 1)] = time;
}

#endif
