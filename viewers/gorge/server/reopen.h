/* Another specification for a trace that is open, from a text that the user is writing. */
#ifndef GLIMPSE_GORGE_SERVER_REOPEN_H
#define GLIMPSE_GORGE_SERVER_REOPEN_H

#include "viewers/gorge/options.h"
#include "viewers/gorge/index/trace_index.h"

/* The logs that are looked at: of what will go on when they are followed. spec: as for trace_open(). */
struct trace *reopen_trace(const struct options *o, const char *spec, struct diag *diag);

/*
 * The same logs under the specification in the text; NULL, and diag is told, when it is wrong. It
 * cannot import files: the text comes from a browser. before: what is known of them, or NULL, when they are to be read anew.
 */
struct trace_index *reopen_model(const struct options *o, struct trace_index *before, const char *text, struct diag *diag);

#endif
