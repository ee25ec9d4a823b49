/* Counts the steps of a replay, stops it after too many, and shows its progress. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_REPLAY_STEPS_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_REPLAY_STEPS_H

#include "analysis/replay/machine/simulation.h"

/* Called each 10 ms or more often, and at the last step. */
void steps_look(struct simulation *s);

static inline void steps_add(struct simulation *s, uint64_t n)
{
	s->steps += n;
	if (s->steps >= s->next_look)
		steps_look(s);
}

void steps_begin(struct simulation *s);
void steps_end(struct simulation *s);

#endif
