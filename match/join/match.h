/*
 * Finds the instances of intervals. match.c is the engine; oracle.c is the quadratic search that
 * defines what is right.
 */
#ifndef GLIMPSE_MATCH_JOIN_MATCH_H
#define GLIMPSE_MATCH_JOIN_MATCH_H

#include "trace/stream/moments.h"

#define UNMATCHED UINT32_MAX

struct matches {
	const struct interval *interval;
	struct moments anchors, partners;
	uint32_t *partner_of; /* for each anchor the place of its partner, or UNMATCHED */
	size_t count;         /* anchors */
	size_t matched;
	size_t not_asked; /* events of the anchor's type that the condition does not select */
	struct event_list *sieved; /* owned: the partners that an anchor can have; or NULL */
	uint64_t faults;           /* conditions made false by overflow or division by zero */
	uint64_t tested;           /* candidates on which the rest of the condition was tested */
	uint64_t visited;          /* tree entries visited to find them */
};

/* An instance as the tools show it. */
struct instance {
	struct event anchor, partner; /* partner.record == NULL: unmatched */
	int64_t start, end;           /* times of the earlier and the later event */
};

/* Finds the instances of an interval; never returns NULL. The trace makes event lists for it, which
 * is safe for one caller at a time. */
struct matches *match_interval(struct trace *t, const struct interval *interval);
void matches_get(const struct matches *m, size_t anchor, struct instance *i);
/* Does the same but for the events' seq, which takes the most time. */
void matches_look(const struct matches *m, size_t anchor, struct instance *i);
/* Returns the nanoseconds from an anchor to its partner, which it must have. */
int64_t matches_duration(const struct matches *m, size_t anchor);
/* Fills in what an expression of the interval can ask for; names: the names of threads, too. The
 * anchor must have a partner. */
void matches_bind(const struct matches *m, size_t anchor, bool names, struct binding *b);
/* Warns of conditions that overflowed or divided by zero, if there are any. */
void matches_warn(const struct matches *m, struct diag *diag);
void matches_free(struct matches *m);

/* Finds the instances of an interval between two sequences of moments, whose picks the matches then
 * own. */
struct matches *match_moments(const struct interval *interval, struct moments anchors,
			      struct moments partners);
/*
 * The same if the partners of some anchors are known: for each anchor the position of its partner,
 * UNMATCHED, or one of these. The engine finds the partners of the anchors that are
 * KNOWN_OPEN among `some`. The function then owns the picks of `some`.
 */
#define KNOWN_OPEN (UINT32_MAX - 1)
#define KNOWN_UNASKED (UINT32_MAX - 2) /* the condition does not select it */
struct matches *match_known(const struct interval *interval, struct moments anchors,
			    struct moments partners, const uint32_t *known, struct moments some);
static inline bool known_is_place(uint32_t known)
{
	return known < KNOWN_UNASKED;
}
struct matches *oracle_moments(const struct interval *interval, struct moments anchors,
			       struct moments partners);

/* Makes matches with no anchor matched, for the two engines. */
struct matches *matches_new(const struct interval *interval, struct moments anchors,
			    struct moments partners);
/* Counts the matched anchors when partner_of is filled in. */
void matches_count(struct matches *m);
/* Lists the moments of an end. If it names an interval, find() finds the instances of that. */
struct moments moments_of_end(struct trace *t, const struct interval_end *end,
			      struct matches *(*find)(struct trace *, const struct interval *));

#endif
