/*
 * GLIMPSE_KEEP: how much of a run is kept.
 *
 *	all                     everything; the default
 *	oldest:SIZE             the first SIZE bytes of each log
 *	newest:SIZE             the last SIZE bytes of each thread, in a ring
 *
 * followed by ",all:SIZE": what all threads of the process may have together.
 */
#ifndef GLIMPSE_RUNTIME_KEEP_H
#define GLIMPSE_RUNTIME_KEEP_H

#include <stdint.h>

struct keep {
	uint64_t most;          /* bytes of a log; UINT64_MAX: no limit */
	uint32_t ring;          /* bytes of a thread's ring, a multiple of block; 0: no ring */
	uint32_t block;
};

/*
 * Takes the setting (NULL: all) when a run begins. One that makes no sense keeps everything,
 * after a message.
 */
void gl_keep_choose(const char *setting);
const struct keep *gl_keep(void);

/* Takes up to `bytes` of what the process may have together; returns how many it got. */
uint32_t gl_keep_take(uint32_t bytes);
void gl_keep_return(uint32_t bytes);

#endif
