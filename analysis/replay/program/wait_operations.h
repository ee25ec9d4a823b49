/* Translates the reasons of a thread's waits to operations. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_WAIT_OPERATIONS_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_WAIT_OPERATIONS_H

#include "analysis/replay/program/operation_making.h"

/* Adds the operations of a wait, before which the thread runs for `work`. */
void wait_operations_add(struct operation_making *k, uint32_t thread, const struct wait_reason *w,
			 double work);
/* The thread does something else than to sleep: a series of sleeps ends. */
void wait_operations_slept(struct operation_making *k, uint32_t thread);
/* The thread has released a lock: the loop ends that looked under it. */
void wait_operations_released(struct operation_making *k, size_t hold, int64_t time);
/* The thread ends. */
void wait_operations_end(struct operation_making *k, uint32_t thread);
/* Returns the wait in which a thread waits last for a push; NO_STRETCH: in none. */
size_t wait_operations_supplied(const struct operation_making *k, uint32_t thread, int64_t until);

#endif
