/*
 * Notes what the machine does not give the recorder, and writes it to the file `refused` of the
 * run, so that answers can say it (doc/log-format.md).
 */
#ifndef GLIMPSE_RECORDER_REFUSALS_H
#define GLIMPSE_RECORDER_REFUSALS_H

#include "recorder/recorder.h"
#include <stdbool.h>

/* Notes something, once. what: a word of trace_refused(); remedy: what the user can do. */
void refusal_note(const char *what, const char *remedy);
/*
 * Notes what the recorder did not see of a run that has ended, if there is anything. The processor
 * time used is that of the program and what it waited for, ns (0: not known). The probes inside are
 * those with libraries in the program, between commas; NULL: none.
 */
void refusal_note_unseen(const struct recorder_summary *found, int64_t used, const char *inside);
/*
 * Returns which programs have no events of these probes, as the line `unprobed` of the file; NULL:
 * all have some, as far as is known. The caller frees it.
 */
char *refusal_unprobed(const struct recorder_summary *found, const char *inside);
/* Writes what was noted to a directory, if anything. Returns false with errno set on failure. */
bool refusals_write(const char *directory);

#endif
