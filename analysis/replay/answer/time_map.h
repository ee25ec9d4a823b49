/* Maps recorded times of a thread to their times in the replay. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_TIME_MAP_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_TIME_MAP_H

#include "analysis/replay/machine/replay.h"

struct time_map_point {
	int64_t recorded, predicted;
};

/* Zeroed: empty. */
struct time_map {
	VECTOR(struct time_map_point) all; /* ascending in both */
	size_t at; /* the last that is not after the time that was asked for */
};

/*
 * Makes the map of a thread, in place of another one. The operations have their recorded times, and
 * are not handed out; the replay kept single operations.
 */
void time_map_make(struct time_map *m, const struct operations *o, const struct replay *r,
		   uint32_t thread);
/* Between two moments times are stretched. Those asked for do not decrease. */
int64_t time_map_get(struct time_map *m, int64_t time);
void time_map_free(struct time_map *m);

#endif
