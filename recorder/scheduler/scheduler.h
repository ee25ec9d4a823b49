/*
 * Logs when threads run, on which processor, and when and why they do not: the scheduler's probe.
 */
#ifndef GLIMPSE_RECORDER_SCHEDULER_SCHEDULER_H
#define GLIMPSE_RECORDER_SCHEDULER_SCHEDULER_H

#include "recorder/recorder.h"

extern const struct recorder_probe scheduler_probe;

/* Returns how often threads left their processors so far. */
uint64_t scheduler_switches(void);
/* What it found; adds to what is there. */
void scheduler_summary(struct recorder_summary *s);

#endif
