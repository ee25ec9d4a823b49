/*
 * Groups the instances of an interval by the values of some expressions. Anchors without a partner
 * are in the groups, too, if the expressions use only the anchor.
 */
#ifndef GLIMPSE_MATCH_STATS_GROUPED_H
#define GLIMPSE_MATCH_STATS_GROUPED_H

#include "match/stats/keys.h"
#include "match/stats/series.h"

enum { GROUPS_KEYS = 4 };

struct group {
	uint32_t key[GROUPS_KEYS]; /* numbers in the keys */
	size_t unmatched;
	struct series durations;
	int64_t total; /* their sum */
};

struct grouped {
	unsigned nkeys;
	struct keys keys[GROUPS_KEYS];
	struct group *at; /* in the order of the keys, the first before the next */
	size_t n;
	size_t undefined;   /* instances for which an expression has no value */
	bool anchors;       /* the expressions ask for the anchor alone */
	int64_t *durations; /* of all groups */
};

/* Groups by n expressions, 1 to GROUPS_KEYS, which must outlive the groups. */
struct grouped *grouped_new(const struct trace *t, const struct matches *m,
			    const struct expr *const *by, unsigned n);
void grouped_free(struct grouped *g);

/*
 * What the groups that differ in the last key alone have of their time: (max - mean) / max of their
 * totals. The mean is over all values that the last key has in any group: what is missing counts
 * as nothing.
 */
struct spread {
	size_t begin, end; /* of the groups */
	int64_t total, max;
	double mean, imbalance;
	size_t widest; /* the group that has the most */
};

/* Describes the groups from `begin` on that differ in the last key alone. */
struct spread grouped_spread(const struct grouped *g, size_t begin);

#endif
