/*
 * Merges the states of all threads of a folded lane: how many threads are in each state, on average
 * of each column.
 */
#ifndef GLIMPSE_GORGE_SCENE_MERGES_H
#define GLIMPSE_GORGE_SCENE_MERGES_H

#include "viewers/gorge/scene/scene.h"

/* Collects the merges of one lane, in a thread of its own. */
struct lane_merge;
struct lane_merge *lane_merge_new(const struct scene *s, uint32_t lane);

/* Adds an instance that touches the window; adds some of one column, which cover nanoseconds. */
void lane_merge_put(struct lane_merge *m, uint32_t key, int64_t start, int64_t end);
void lane_merge_narrow(struct lane_merge *m, uint32_t key, int32_t column, double cover);

/* Adds what was collected to the scene; frees m. */
void lane_merge_end(struct lane_merge *m, struct scene *s);

/* Whether a lane shows these: what is active or held up; of the processors, what wants them. */
bool merge_is_shown(const struct scene *s, const struct merged_state *m);
/* Brings the merges of all lanes into order, from the bottom up, and sets the lanes' scales. */
void merges_end(struct scene *s);

#endif
