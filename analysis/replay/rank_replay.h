/* What the first rows of a rank bring if they are twice as fast. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_RANK_REPLAY_H
#define GLIMPSE_ANALYSIS_REPLAY_RANK_REPLAY_H

#include "analysis/rank/rank.h"

/* So many rows are looked at, of a trace with so few events if nobody asked. */
enum { RANK_REPLAYED_ROWS = 20, RANK_REPLAYED_EVENTS = 1000000 };

/* Says nothing of threads, nor where the replay misses the run by too much. */
void rank_replay(struct rank *r, const struct instance_set *set);

#endif
