/*
 * Stores time windows as bytes: an html document contains them instead of symbols, calls and waits.
 * Numbers are of variable length (trace/format/bytes.h); columns of alike numbers compress well.
 */
#ifndef GLIMPSE_ANALYSIS_FLAME_TIME_WINDOW_STORE_H
#define GLIMPSE_ANALYSIS_FLAME_TIME_WINDOW_STORE_H

#include "analysis/flame/time_window.h"
#include <stdio.h>

/*
 * Writes what a window has in a part, with the frames that this needs. NULL: all of it, and nodes
 * keep their numbers.
 */
void time_window_write(const struct time_window *l, const struct flame_part *part, FILE *out);
/*
 * Reads a written time window for a trace with the same threads, which outlives the window, and
 * moves *at to its end. Returns NULL if the bytes are damaged. Frees: time_window_free().
 */
struct time_window *time_window_read(struct trace *t, const unsigned char **at,
				     const unsigned char *end);

#endif
