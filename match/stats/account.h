/*
 * Counts what happened to every anchor and every possible partner of an interval. An anchor without
 * a partner would have had to find one within the interval's reach: the time that the longest of
 * its instances took, from the anchor in the interval's direction. Its fate is the first of these
 * that applies:
 *
 *	switched off    the partner's event type was switched off at some time within the reach
 *	lost            some thread lost events within the reach
 *	cut off         the trace ends within the reach (backwards: begins)
 *	none            no partner exists
 *
 * Events that the condition does not select as anchors are none, and have no fate.
 *
 * Where no instance has a partner, the reach is all of the trace for the first two, and nothing is
 * cut off.
 */
#ifndef GLIMPSE_MATCH_STATS_ACCOUNT_H
#define GLIMPSE_MATCH_STATS_ACCOUNT_H

#include "match/stats/tally.h"
#include <stdio.h>

enum fate { FATE_MATCHED, FATE_NONE, FATE_CUT, FATE_LOST, FATE_OFF, NFATES };

/* Periods of time, in order and apart. */
struct periods {
	struct period {
		int64_t from, to;
	} * list;
	size_t n;
};

struct account {
	size_t anchors[NFATES]; /* how many had which fate */
	/* events that the condition selects as no anchors */
	size_t not_asked;
	size_t partners, unserved, shared; /* all; that serve none; that serve several */
	int64_t reach;
	int64_t end; /* time of the trace's last event */
	struct periods lost, off;
};

void account_of(const struct trace *t, const struct matches *m, struct account *a);
/* Does the same if the duration of the longest instance is known; 0: no instance. */
void account_within(const struct trace *t, const struct matches *m, int64_t reach,
		    struct account *a);
/* Does the same for a tally. */
void account_tally(const struct trace *t, const struct tally *tally, int64_t reach,
		   struct account *a);
void account_clear(struct account *a);

/* Returns the fate of one anchor. */
enum fate account_fate(const struct account *a, const struct matches *m, size_t anchor);
const char *fate_text(enum fate fate); /* "no partner exists" */
const char *fate_name(enum fate fate); /* "none": as csv and json call it */

/* Prints the counts that are not zero, each with a comma before it. */
void account_print(const struct account *a, FILE *out);

#endif
