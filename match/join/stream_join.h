/*
 * Where equal keys alone decide, rows can meet in the order of the stream: one side waits, in
 * tables by key, for the other, which takes all that wait or one of them. That is small, and stays in the
 * processor's cache, as long as mates are near each other; where too many wait, it is given up.
 *
 * Pieces of the stream come from all processors. Their rows are parted by the upper bits of their keys into
 * lanes, in each of which one piece follows the other.
 */
#ifndef GLIMPSE_MATCH_JOIN_STREAM_JOIN_H
#define GLIMPSE_MATCH_JOIN_STREAM_JOIN_H

#include "match/join/partition.h"
#include <stdatomic.h>

#define MEET_NOBODY UINT64_MAX

/* What a row's first word says but for its lowest bit: of one that waited, or MEET_NOBODY; of who took it. */
struct couple {
	uint64_t waited, came;
};

struct lane;

struct meet {
	const struct plan *plan;
	unsigned width, keys;           /* as in struct rows */
	enum side waits;                /* which of an interval's ends it is that waits */
	bool reversed;                  /* the stream is read from its end */
	unsigned nlanes, shift;
	struct lane *lanes;
	void (*take)(void *context, const struct couple *couples, size_t n);
	void *context;                  /* take is called for several lanes at a time */
	atomic_bool refused;
};

/* What one worker needs. */
struct parting {
	uint64_t *words;
	size_t room;
};

/* Of more that wait it is given up, if that is more than one in MEET_SHARE of all that came; tests make it small. */
#define MEET_SHARE 32
extern size_t meet_most;
/* How many moments are read in one piece; tests make it small. */
extern size_t meet_piece;
/* Lanes there are at least; tests change it. */
extern unsigned meet_lanes;

/* Whether equal keys alone decide. */
bool meet_can(const struct plan *plan);
/* take and context are the caller's to set. nlanes: 0 for pieces of the stream; else that many for buckets. */
void meet_begin(struct meet *m, const struct plan *plan, unsigned nlanes);
/* The number-th piece, which waits until those before it were put. Rows are in the order of the stream. */
void meet_put(struct meet *m, size_t number, const uint64_t *rows, size_t n, struct parting *p);
/* All rows of some keys, in one of the lanes. Tells who still waits, if it is to. */
void meet_bucket(struct meet *m, unsigned lane, const uint64_t *rows, size_t n,
		 void (*tell)(void *context, uint64_t value));
/* Tells who still waits; and how many took more than one. */
void meet_rest(const struct meet *m, void (*tell)(void *context, uint64_t value));
size_t meet_shared(const struct meet *m);
void meet_end(struct meet *m);

/* All moments of both sides as rows; false: it was given up. */
bool rows_meet(struct meet *m, const struct moments *anchors, const struct moments *partners,
	       uint64_t *faults);

#endif
