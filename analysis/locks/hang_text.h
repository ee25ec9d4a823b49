/* Writes which thread waits for which at the end of a trace, in words. */
#ifndef GLIMPSE_ANALYSIS_LOCKS_HANG_TEXT_H
#define GLIMPSE_ANALYSIS_LOCKS_HANG_TEXT_H

#include "analysis/locks/locks.h"
#include "analysis/locks/stuck.h"

/*
 * Room for any text of this module. Functions that write to text return it, or a text of the locks.
 */
enum { LOCK_TEXT = 256 };

/* Writes "queue.lock (lock)": the name and the kind of an object. */
const char *lock_name_text(char text[LOCK_TEXT], const struct locks *l, uint32_t lock);
/* Writes "main (file.c:41)": a site without its offset; "unknown" for NO_SITE. */
const char *lock_place_text(char text[LOCK_TEXT], const struct locks *l, uint32_t site);

/* Returns what a thread waits for, where and since when, as a new string, which is the caller's. */
char *waiter_wait_text(const struct locks *l, const struct lock_waiter *w);
/*
 * Returns who holds that and where it was acquired, in the same way; NULL: nobody is known, or it
 * is a thread.
 */
char *waiter_holder_text(const struct locks *l, const struct lock_waiter *w);
/*
 * Returns what a thread waits for that is stuck, or where it was last, in the same way. l: NULL if
 * the locks are not known.
 */
char *stuck_thread_text(const struct trace *t, const struct locks *l, const struct stuck_thread *s);

#endif
