/* Logs: begins and ends the logs of the calling thread, and writes notes to them. */
#ifndef GLIMPSE_RUNTIME_LOG_H
#define GLIMPSE_RUNTIME_LOG_H

#include "runtime/note_record.h"

/*
 * Begins the calling thread's log of a level, or that of the log that it has selected, and returns
 * its tail. Level 0 is the thread's own, log.N; level L, for signal handlers that interrupt an
 * event, is log.N.L beside it. If the thread's log has ended before, the next level beside it is
 * used, up to log.N.7, then a new number. `outer` is the thread's own tail if the level is not 0.
 * Returns NULL after a warning, or for a handler if no level is left. Inside a guard, under the
 * lock.
 */
struct tail *gl_log_begin(uint32_t level, const struct tail *outer);

/* Ends the logs of an array of GL_LEVELS tails, and clears that. Inside a guard, under the lock. */
void gl_log_end_all(struct tail **tails);

/*
 * Ends the logs of threads that are no more and did not end them. Inside a guard, under the lock.
 */
void gl_log_end_dead(void);

/*
 * Writes a note with `size` bytes of content (at most 128) to the log of a tail. Returns false if
 * there was no place for it. Inside a guard.
 */
bool gl_log_note(struct tail *t, enum log_note kind, const void *content, uint32_t size);
/* Writes a note SCHEMA. Inside a guard, under the lock. */
void gl_log_schema(struct tail *t, const struct spec_entry *entry);

#endif
