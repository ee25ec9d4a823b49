/*
 * Writes the results that need the whole trace, its symbols and its waits into a document: the
 * findings of `glimpse why`, the critical path, and the data of flame graphs.
 */
#ifndef GLIMPSE_GORGE_DOCUMENT_ANALYSES_H
#define GLIMPSE_GORGE_DOCUMENT_ANALYSES_H

#include "viewers/gorge/document/slice.h"
#include <stdio.h>

/*
 * Analyses a slice of a trace, with a progress bar, and writes the result as viewers/gorge/wasm
 * reads it. These are the findings and the headline as JSON, the critical path as columns, the
 * depths of each thread's stacks, and a time window (time_window_store.h). directory: what commands
 * name.
 */
void analyses_write(const struct trace_slice *x, struct trace *t, const char *directory, FILE *out);

#endif
