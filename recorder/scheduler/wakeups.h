/* Reads the kernel's trace event of one thread that wakes another, as tracefs describes it. */
#ifndef GLIMPSE_RECORDER_SCHEDULER_WAKEUPS_H
#define GLIMPSE_RECORDER_SCHEDULER_WAKEUPS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the number of the event for perf_event; 0 if tracefs is not there or not readable. */
uint64_t wakeup_event_id(void);

/*
 * Reads the fields of a record: which thread is woken, and whether a thread does that (or an
 * interrupt, such as that of a timer). Returns false if the record is too short.
 */
bool wakeup_read(const unsigned char *fields, uint32_t size, uint32_t *woken, uint32_t *by_thread);

#endif
