/*
 * Joins the logs of a recorder that still runs, or could not merge them, with the threads' own:
 * readers see a thread's states and its own events as one thread, as after the end.
 */
#ifndef GLIMPSE_TRACE_OPEN_RECORDER_JOIN_H
#define GLIMPSE_TRACE_OPEN_RECORDER_JOIN_H

#include "trace/open/opened.h"

/*
 * Moves the events of each of the recorder's logs into the own log of the thread that it describes,
 * if exactly one log can be meant. Logs have their clocks, and are not yet in order. apart: moves
 * nothing. Notes when the recorder logged its last event.
 */
void recorder_join(struct opened *o, bool apart);

#endif
