/*
 * Retention: how much of a run is kept, as GLIMPSE_KEEP says.
 *
 *	all                     everything; the default
 *	oldest:SIZE             the first SIZE bytes of each log
 *	newest:SIZE             the last SIZE bytes of each thread, in a ring
 *
 * A following ",all:SIZE" is the budget that all threads of the process share.
 */
#ifndef GLIMPSE_RUNTIME_RETENTION_H
#define GLIMPSE_RUNTIME_RETENTION_H

#include <stdint.h>

enum retention_kind { RETENTION_ALL = 1, RETENTION_OLDEST, RETENTION_NEWEST };

struct retention {
	enum retention_kind kind;
	uint64_t most; /* bytes of a log; UINT64_MAX: no limit */
	uint32_t ring; /* bytes of a thread's ring, a multiple of block; 0: no ring */
	uint32_t block;
};

/*
 * Sets the retention from the value of GLIMPSE_KEEP (NULL: all) when a run begins. Warns if the
 * value is invalid, and keeps everything.
 */
void gl_retention_choose(const char *setting);
/* Returns the retention of the run. */
const struct retention *gl_retention(void);

/* Takes up to `bytes` of the shared budget, and returns how many bytes it took. */
uint32_t gl_budget_take(uint32_t bytes);
/* Gives bytes back to the shared budget. */
void gl_budget_return(uint32_t bytes);

#endif
