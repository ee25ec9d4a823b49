/*
 * Keeps the cost of samples below 2 % of the machine: where they take more of the recorder's
 * processor time, one of 2, 4 ... 64 samples of each thread is taken. A sample stands for what its
 * thread ran since its sample before, so sums stay as they are; shares become less exact, as there
 * are fewer samples.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_THINNING_H
#define GLIMPSE_RECORDER_SAMPLES_THINNING_H

#include <stdbool.h>
#include <stdint.h>

enum { THINNING_MOST = 64 };

/* Begins at that time. processors: of the machine; 0: all samples are taken. */
void thinning_open(int64_t now, unsigned processors);
/* Returns whether the next sample of a thread is to be taken. */
bool thinning_takes(uint32_t tid);
/* Looks whether samples cost too much: up to `now`, they took `used` ns of processor time. */
void thinning_look(int64_t now, int64_t used);
/* Returns out of how many samples one was taken when these were fewest: 1: all were. */
unsigned thinning_fewest(void);

#endif
