/*
 * Logs how long the program's control group kept processors from it, as it had used its share
 * (cpu.max, or cpu.cfs_quota_us). It is the group of the recorded process, or one that this is in.
 */
#ifndef GLIMPSE_RECORDER_SCHEDULER_THROTTLE_H
#define GLIMPSE_RECORDER_SCHEDULER_THROTTLE_H

#include "recorder/observed.h"

/* Begins with the process of the recording: what was before does not count. */
void throttle_open(const struct recording *r);
/* Reads the group's numbers if it is time to, and logs what was added. */
void throttle_step(int64_t now);
/* The same, for the last time, if it is the first thread of the process that ends. */
void throttle_end(struct observed *o);
void throttle_close(void);

#endif
