/* Finds the kernel's trace events for perf_event, and the fields of their records, in tracefs. */
#ifndef GLIMPSE_RECORDER_TRACE_EVENTS_H
#define GLIMPSE_RECORDER_TRACE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* Where tracefs is to be mounted. */
#define TRACEFS "/sys/kernel/tracing"

/*
 * Returns the number of an event, such as "sched/sched_waking"; 0 if tracefs is not there or not
 * readable.
 */
uint64_t trace_event_id(const char *event);
/* Sets where a field of that name begins in the event's records; false: it has none. */
bool trace_event_field(const char *event, const char *field, unsigned *offset);
/* Returns what the user can do to let the recorder read the events. */
const char *trace_events_remedy(void);

#endif
