/*
 * Makes threads wait for a post, a meeting, a time, or the post that a loop polls for. Functions
 * that return bool return whether the thread goes on at once.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_POSTS_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_POSTS_H

#include "analysis/replay/machine/simulation.h"

bool meeting_join(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now);
bool post_await(struct simulation *s, uint32_t thread, const struct operation *o);
void post_make(struct simulation *s, const struct operation *o, int64_t now);
/*
 * A wait ends at its limit. If it is in a loop the thread waits again, else nobody knows what the
 * program does.
 */
void wait_expire(struct simulation *s, uint32_t thread, int64_t now);
bool delay_begin(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now);
bool sleep_begin(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now);
/*
 * A thread that polls for what no thread is going to do waits for it instead, and so does one that
 * would poll without end at one time.
 */
bool loop_poll(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now);

#endif
