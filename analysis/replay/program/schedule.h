/*
 * Shares the iterations of loops out among threads in another way than in the recorded run: the
 * schedules of OpenMP.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_SCHEDULE_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_SCHEDULE_H

#include "analysis/replay/changes/team_changes.h"
#include "analysis/replay/program/operations.h"

/* Returns static, dynamic or guided. */
const char *schedule_name(enum schedule_kind kind);
/*
 * Parses static, dynamic or guided, with ,CHUNK after it or not. Returns false for any other text.
 */
bool schedule_parse(const char *text, struct schedule *s);

/*
 * Schedules the loops that some pools hand out. A chunk's time is spread evenly over its
 * iterations; what is done under a lock stays together. The recorded pieces have the time that it
 * took to get the next one, ns, at their end; so have the new ones, and blocks of static ones have
 * none. Returns NULL, or the reason why that is not possible, which the caller frees; the
 * operations are as before then.
 */
char *schedule_change(struct operations *o, const bool *pools, const struct schedule *s,
		      int64_t handing);

#endif
