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
 * Notes what the recorder did not see of a run that has ended, if there is anything. used: the
 * processor time of the program and what it waited for, ns; 0: not known.
 */
void refusal_note_unseen(const struct recorder_summary *found, int64_t used);
/* Writes what was noted to a directory, if anything. Returns false with errno set on failure. */
bool refusals_write(const char *directory);

#endif
