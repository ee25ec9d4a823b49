/*
 * The intervals within threads, stacked in rows over the whole trace, so that a row does not change when the window does.
 * A thread's sheaves of those that are stacked together are parted and joined as the rows want it.
 */
#ifndef GLIMPSE_GORGE_INDEX_STACKING_H
#define GLIMPSE_GORGE_INDEX_STACKING_H

#include "viewers/gorge/index/instances.h"

/* In a thread at most so many rows. */
unsigned stacks_rows(const struct trace *t);
/* Stacks the instances of n intervals together, in their order, where they are not. For several callers at once, while others hold the sheaves. */
void stacks_make(const struct census *c, struct instances *const *set, unsigned n);
/* Whether they are stacked so; in one thread, of sheaves that are held: */
bool stacks_made(const struct census *c, struct instances *const *set, unsigned n);
bool stacks_agree(struct instances *const *set, unsigned n, unsigned thread, unsigned rows);

/* Until the same thread lets them go, no sheaves within threads are parted or joined. */
void stacks_hold(void);
void stacks_release(void);
/* Until the end nothing is stacked: instances may be renewed. */
void stacks_pause(void);
void stacks_resume(void);

#endif
