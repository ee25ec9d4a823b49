/* Puts the recorder's logs into the directories of the processes that they describe. */
#ifndef GLIMPSE_RECORDER_MERGE_ADOPT_H
#define GLIMPSE_RECORDER_MERGE_ADOPT_H

#include "grammar/diag.h"
#include "recorder/obstacles.h"
#include <stdbool.h>
#include <stdint.h>

/* What was found meanwhile. */
struct adopted {
	/*
	 * waits that may have a less exact end than the program's events could give them, as too
	 * many events were open at the same time
	 */
	uint64_t unsure;
	size_t programs; /* that were run; one more for each that a process executed */
	struct unprobed *unprobed;
	size_t nunprobed;
};

/*
 * Adopts the logs in directory/recorder, as recorder.h says; root: the process whose logs are right
 * in the directory. Sets *found (NULL: not asked), whose list the caller frees. Returns false after
 * a report to diag.
 */
bool logs_adopt(const char *directory, uint32_t root, struct adopted *found, struct diag *diag);

#endif
