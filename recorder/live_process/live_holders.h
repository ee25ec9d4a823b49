/*
 * Guesses which threads hold a lock whose memory has no owner. A thread that will release it has
 * the address of the lock: on its stack, or in the code of its functions if the lock is a variable.
 * Threads that wait for the lock do not count.
 */
#ifndef GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_HOLDERS_H
#define GLIMPSE_RECORDER_LIVE_PROCESS_LIVE_HOLDERS_H

#include "recorder/live_process/live_waits.h"

/* Sets w->guesses, and `guess` of each wait for such a lock. */
void live_holders_guess(struct live_waits *w);
void live_holders_free(struct live_waits *w);

/*
 * Numbers the deadlocks that are likely, behind those that are certain. Each of their threads waits
 * for a lock that, as far as is known, only the others can hold, and none runs for a while.
 */
void live_knots_find(struct live_waits *w);

#endif
