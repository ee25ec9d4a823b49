/*
 * Keeps the share of a processor that a thread gets beside other programs. In the recorded run they
 * had its processor for a time between two turns of its computing. If it computes half as much
 * there, they have it for half of that time.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_SHARE_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_SHARE_H

#include "analysis/replay/program/operations.h"

#define NOTHING_LOST SIZE_MAX

/*
 * Computing near a loss, ns. Computing before a loss counts down to this length, and as much after
 * it.
 */
enum { SHARE_NEAR = 20000000 };

/*
 * So much of a woken thread's wait for a processor is in proportion to its computing. It may be any
 * part from 0 to 1. A recorded run does not say which: those of its wake-ups after which a thread
 * computes longer tell less than half of what a changed program shows.
 */
#define WOKEN_FOLLOWING 0.5

/* Some computing of a thread: as recorded, and as it is now. */
struct computing {
	double recorded, kept; /* ns */
};

struct share_search {
	struct computing before, after; /* the last loss */
	size_t lost;                    /* its operation; NOTHING_LOST: it is done, or none was */
	double follows;                 /* so much of the loss is in proportion to the computing */
};

/* The thread computes. */
void share_computed(struct share_search *s, struct operations *o, double recorded, double kept);
/*
 * Other programs have the processor for the time and the latency of an operation, or only for the
 * latency if the thread was woken: then a part of it follows the computing, from 0 to 1. It will
 * change until the next loss, or share_end, which the caller calls at the thread's end.
 */
void share_lost(struct share_search *s, struct operations *o, size_t operation);
void share_woken(struct share_search *s, struct operations *o, size_t operation, double follows);
void share_end(struct share_search *s, struct operations *o);

#endif
