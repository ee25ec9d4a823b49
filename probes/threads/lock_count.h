/*
 * Locks that are taken so often that logging them would cost the program too much: each taking of a
 * lock for which nobody has waited is then counted, and no longer logged. From the first time that
 * a thread waits for the lock, or finds it taken, all its takings are logged.
 *
 * lock_way.h says when counting begins. Then each lock that is held for a short time, 5 us in the
 * mean of 8 takings, is counted by each thread in a table of its own. The thread logs the sum every
 * 1,024 takings, when the place in the table is needed for another lock, and when it or the process
 * ends.
 */
#ifndef GLIMPSE_PROBES_THREADS_LOCK_COUNT_H
#define GLIMPSE_PROBES_THREADS_LOCK_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* The calling thread has the lock now. Returns true if that is counted, and not to be logged. */
bool lock_count_take(const void *lock, const void *site);
/*
 * The same as lock_count_release() where the release is not to be logged, and the lock is the last
 * one that the thread took; else returns false, and has done nothing.
 */
bool lock_count_releases(const void *lock);
/*
 * The calling thread is about to release the lock. Returns true if the release is not to be logged.
 * Else *late is where the thread took the lock, if that is to be logged only now, or NULL.
 */
bool lock_count_release(const void *lock, const void **late);
/* A thread waits for the lock, or found it taken: it is logged from now on. */
void lock_count_contend(const void *lock);
/* The thread waits since `now`: logs that it has the locks whose takings it only counted. */
void lock_count_waits(uint64_t now);
/* The calling thread ends; the process ends: logs what was counted. */
void lock_count_thread_end(void);
void lock_count_process_end(void);
/* The process was forked: what was counted is logged by the parent. */
void lock_count_forked(void);

#endif
