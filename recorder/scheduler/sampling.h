/* Samples how long each thread ran and was ready from schedstat, without the kernel's records. */
#ifndef GLIMPSE_RECORDER_SCHEDULER_SAMPLING_H
#define GLIMPSE_RECORDER_SCHEDULER_SAMPLING_H

#include "recorder/recorder.h"

/* Returns false if this kernel has no schedstat. */
bool sampling_open(const struct recording *r, int64_t now);
/* Samples all threads if a sample is due; returns when the next one is. */
int64_t sampling_step(int64_t now);
/* Returns how long threads ran, as far as it was logged, ns. */
int64_t sampling_ran(void);

#endif
