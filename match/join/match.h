/*
 * Finds the instances of intervals (DESIGN section 3). match.c is the engine; oracle.c the
 * quadratic search of the thesis, thirty lines that define what is right.
 */
#ifndef GLIMPSE_MATCH_JOIN_MATCH_H
#define GLIMPSE_MATCH_JOIN_MATCH_H

#include "trace/stream/moments.h"

#define UNMATCHED UINT32_MAX

struct matches {
	const struct interval *interval;
	struct moments anchors, partners;
	uint32_t *partner_of;   /* for each anchor the place of its partner, or UNMATCHED */
	size_t count;           /* anchors */
	size_t matched;
	uint64_t faults;        /* conditions made false by overflow or division by zero */
	uint64_t tested;        /* candidates that the index gave, or pairs that were looked at */
	uint64_t visited;       /* places of the index looked at to find them */
};

/* One instance as the tools show it. */
struct instance {
	struct event anchor, partner;   /* partner.record == NULL: unmatched */
	int64_t start, end;             /* times of the earlier and the later event */
};

/* Never NULL. Takes what it needs of the trace's event lists; safe for one caller at a time. */
struct matches *match_interval(struct trace *t, const struct interval *interval);
struct matches *oracle_interval(struct trace *t, const struct interval *interval);
void matches_get(const struct matches *m, size_t anchor, struct instance *i);
/* The same but for the events' seq, which take the most time. */
void matches_look(const struct matches *m, size_t anchor, struct instance *i);
/* Of an anchor that has a partner: nanoseconds; and all that an expression of the interval can ask
 * for; names: those of threads, too. */
int64_t matches_duration(const struct matches *m, size_t anchor);
void matches_bind(const struct matches *m, size_t anchor, bool names, struct binding *b);
/* Warns of conditions that overflowed or divided by zero, if there were any. */
void matches_warn(const struct matches *m, struct diag *diag);
void matches_free(struct matches *m);

/* The same for any two sequences of moments; the matches own their picks from then on. */
struct matches *match_moments(const struct interval *interval, struct moments anchors,
			      struct moments partners);
struct matches *oracle_moments(const struct interval *interval, struct moments anchors,
			       struct moments partners);

/*
 * For the two engines. All anchors are unmatched at first; when partner_of is filled in they are
 * counted. moments_of_end() finds the instances of the interval that an end names, if it names one,
 * with the engine given.
 */
struct matches *matches_new(const struct interval *interval, struct moments anchors,
			    struct moments partners);
void matches_count(struct matches *m);
struct moments moments_of_end(struct trace *t, const struct interval_end *end,
			      struct matches *(*find)(struct trace *, const struct interval *));

#endif
