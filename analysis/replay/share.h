/*
 * Keeps the share of a processor that a thread gets beside other programs. In the recorded run they
 * had its processor for a time between two turns of its computing. If it computes half as much
 * there, they have it for half of that time.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_SHARE_H
#define GLIMPSE_ANALYSIS_REPLAY_SHARE_H

#include "analysis/replay/operations.h"

#define NOTHING_LOST SIZE_MAX

/*
 * Computing near a loss, ns. Computing before a loss counts down to this length, and as much after
 * it.
 */
enum { SHARE_NEAR = 20000000 };

/* Some computing of a thread: as recorded, and as it is now. */
struct computing {
	double recorded, kept; /* ns */
};

struct share_search {
	struct computing before, after; /* the last loss */
	size_t lost;                    /* its operation; NOTHING_LOST: it is done, or none was */
};

/* The thread computes. */
void share_computed(struct share_search *s, struct operations *o, double recorded, double kept);
/*
 * Other programs take the processor for the time and the latency of the last operation, which will
 * change. At the thread's end the caller calls share_end.
 */
void share_lost(struct share_search *s, struct operations *o);
void share_end(struct share_search *s, struct operations *o);

#endif
