/* Hands out the pieces of pools to the threads that ask for them. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_PIECE_POOLS_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_PIECE_POOLS_H

#include "analysis/replay/machine/simulation.h"

/* The thread that was handed a piece makes the posts of the piece. */
void piece_posters_find(struct simulation *s, size_t piece);
/* Returns where the next piece of a pool begins, which a thread runs from now on. */
size_t piece_begin(struct simulation *s, struct thread *t, uint32_t pool);

#endif
