/* Puts the recorder's logs into the directories of the processes that they describe. */
#ifndef GLIMPSE_RECORDER_MERGE_ADOPT_H
#define GLIMPSE_RECORDER_MERGE_ADOPT_H

#include "grammar/diag.h"
#include <stdbool.h>
#include <stdint.h>

/*
 * Adopts the logs in directory/recorder, as recorder.h says; root: the process whose logs are right
 * in the directory. *unsure (NULL: not asked) becomes how many waits may have a less exact end than
 * the program's events could give them, as too many events were open at the same time. Returns
 * false after a report to diag.
 */
bool logs_adopt(const char *directory, uint32_t root, uint64_t *unsure, struct diag *diag);

#endif
