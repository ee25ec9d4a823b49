/* Puts the recorder's logs into the directories of the processes that they are of. */
#ifndef GLIMPSE_PROBES_ADOPT_ADOPT_H
#define GLIMPSE_PROBES_ADOPT_ADOPT_H

#include "grammar/diag.h"
#include <stdbool.h>
#include <stdint.h>

/*
 * Adopts the logs in directory/recorder, as recorder.h says; root: the process whose logs are right
 * in the directory. Returns false after a report to diag.
 */
bool logs_adopt(const char *directory, uint32_t root, struct diag *diag);

#endif
