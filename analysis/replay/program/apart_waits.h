/*
 * Finds waits that stay one after the other although the lock that kept them apart is removed:
 * something outside of the program ended them, and may serve one thread at a time.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_APART_WAITS_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_APART_WAITS_H

#include "analysis/replay/program/operation_making.h"

/*
 * Returns the server of a wait that no thread ends, which serves one thread at a time; NO_NUMBER:
 * none, the wait takes as long as recorded. Counts waits under a removed lock in the operations.
 */
uint32_t apart_wait_server(struct operation_making *k, uint32_t thread,
			   const struct wait_reason *w);
/* Returns how many servers a model's operations have at most, beside devices. */
uint32_t apart_wait_servers(const struct model *m);

#endif
