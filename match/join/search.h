/* From buckets of rows to partners. */
#ifndef GLIMPSE_MATCH_JOIN_SEARCH_H
#define GLIMPSE_MATCH_JOIN_SEARCH_H

#include "base/hash.h"
#include "base/progress.h"
#include "base/spill.h"
#include "match/comparisons/max_tree.h"
#include "match/join/partition.h"
#include <stdatomic.h>

/* What one worker needs for one bucket at a time, kept for the next. */
struct scratch {
	uint64_t *rows;         /* of the bucket */
	size_t room_rows;
	struct hash_table table;
	uint32_t *group;        /* of each row */
	uint32_t *order;        /* rows, group by group */
	uint32_t *begin;        /* where each group begins in it */
	uint32_t *candidates;   /* of the group at hand: which moments they are */
	size_t room_group, room_order, room_begin, room_candidates;
	struct index index;
	uint64_t tested, faults;
};

struct search {
	const struct plan *plan;
	const struct rows *rows;
	const struct moments *moments[2];
	uint32_t *partner_of;
	struct scratch *scratch;        /* one for each worker */
	atomic_size_t *searched;        /* rows so far */
	size_t all;
};

/* Groups of so many rows, or more, say now and then how far they are. */
enum { SEARCH_STEP = 1 << 12 };

/* Tells the user that n more rows have been searched. */
static inline void search_step(const struct search *s, size_t n)
{
	progress_step(atomic_fetch_add(s->searched, n) + n, s->all);
}

static inline void search_pair(const struct search *s, size_t candidate, size_t query)
{
	if (s->plan->candidates == SIDE_PARTNER)
		s->partner_of[query] = (uint32_t)candidate;
	else
		s->partner_of[candidate] = (uint32_t)query;
}

void group_bucket(const struct search *s, const uint64_t *rows, size_t n, struct scratch *scratch);
/* Without keys: rows as they are stored. */
void group_all(const struct search *s, const uint32_t *stored, size_t n, struct scratch *scratch);

void scratch_clear(struct scratch *s);

#endif
