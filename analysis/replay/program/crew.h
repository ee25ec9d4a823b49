/*
 * Gives a crew, like threads that take the pieces of pools, another number of members. The others
 * take the pieces that a removed one took; a new one does beside the pieces what a typical member
 * does.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_CREW_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_CREW_H

#include "analysis/replay/program/operations.h"

/* Threads, ascending. */
struct crew {
	const uint32_t *threads;
	uint32_t n;
};

/*
 * Makes a crew have n members, at least 1. New threads come after all others, and begin after those
 * that the creator of a typical member begins for the crew. Returns NULL, or the reason why that is
 * not possible, which the caller frees; the operations are as before then.
 */
char *crew_resize(struct operations *o, const struct crew *crew, uint32_t n);

#endif
