/*
 * Varies what threads do as chance might have: replayed so, a run shows how much its time depends
 * on chance.
 *
 * Computing, and waiting that no thread ends, becomes longer or shorter by a factor from the
 * spread of its class: the threads of one name between two operations of the same kinds and locks.
 * Where the wake-up latency is not known, it becomes one of the latencies of the trace.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_RESAMPLING_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_RESAMPLING_H

#include "analysis/replay/program/operations.h"
#include "analysis/replay/recorded/model.h"

struct resampling;

/*
 * Keeps the lengths of the operations, which are needed as long as the result. Never returns NULL.
 */
struct resampling *resampling_of(const struct model *m, struct operations *o);
/* Gives the operations varied lengths: the same ones for the same seed. */
void resampling_draw(struct resampling *r, uint64_t seed);
/* Gives the operations their own lengths again, and frees the resampling. */
void resampling_end(struct resampling *r);

#endif
