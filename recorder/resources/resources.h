/* Samples what each thread and process uses: the probe of resources. */
#ifndef GLIMPSE_RECORDER_RESOURCES_RESOURCES_H
#define GLIMPSE_RECORDER_RESOURCES_RESOURCES_H

#include "recorder/recorder.h"

extern const struct recorder_probe resources_probe;

/* How many samples it took; adds to what is there. */
void resources_summary(struct recorder_summary *s);

#endif
