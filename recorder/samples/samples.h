/* The probe samples: which code runs. */
#ifndef GLIMPSE_RECORDER_SAMPLES_SAMPLES_H
#define GLIMPSE_RECORDER_SAMPLES_SAMPLES_H

#include "recorder/recorder.h"

extern const struct recorder_probe samples_probe;

/* Adds what the probe found. */
void samples_summary(struct recorder_summary *s);

#endif
