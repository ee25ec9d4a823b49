/* Describes how threads share work in another way than in the recorded run: program/team.h. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_TEAM_CHANGES_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_TEAM_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

enum schedule_kind {
	SCHEDULE_STATIC,  /* each thread gets one block; with a chunk: such chunks in turn */
	SCHEDULE_DYNAMIC, /* each thread takes the next chunk; 1 iteration if none is given */
	SCHEDULE_GUIDED,  /* it takes the threads' share of what is left, a chunk at least */
};

struct schedule {
	enum schedule_kind kind;
	int64_t chunk; /* iterations; 0: not given */
};

struct crew_change {
	const char *what; /* a pattern of threads: label_matches() */
	uint32_t n;       /* so many there are, at least 1 */
};

struct loop_change {
	const char *what; /* a pattern of names of loops */
	struct schedule schedule;
};

struct team_changes {
	const struct crew_change *crews;
	unsigned ncrews;
	const struct loop_change *loops;
	unsigned nloops;
};

static inline bool team_is_changed(const struct team_changes *c)
{
	return c->ncrews || c->nloops;
}

#endif
