/* Samples which code runs: the probe samples. */
#ifndef GLIMPSE_RECORDER_SAMPLES_SAMPLES_H
#define GLIMPSE_RECORDER_SAMPLES_SAMPLES_H

#include "recorder/recorder.h"

extern const struct recorder_probe samples_probe;

/*
 * Returns whether the kernel refuses samples of processes that the caller starts: tries with the
 * caller itself.
 */
bool samples_refused(const struct recording *r);
/* Says so in one line on stderr, and that timers in the program take the samples. */
void samples_by_timers_tell(void);

/* Returns whether the probe logs events of threads.spec, too: waits by futex(). */
bool samples_have_futexes(void);

/* Adds what the probe found. */
void samples_summary(struct recorder_summary *s);

#endif
