/* Another specification for a trace that is open, from a text that the user is writing. */
#ifndef GLIMPSE_GORGE_SERVER_REOPEN_H
#define GLIMPSE_GORGE_SERVER_REOPEN_H

#include "viewers/gorge/options.h"
#include "viewers/gorge/query/model.h"

/* The logs that are looked at: of what will go on when they are followed. spec: as for trace_open(). */
struct trace *revise_open(const struct options *o, const char *spec, struct diag *diag);

/*
 * The same logs under the specification in the text; NULL, and diag is told, when it is wrong. It
 * cannot import files: the text comes from a browser. before: what is known of them, or NULL, when they are to be read anew.
 */
struct model *revise(const struct options *o, struct model *before, const char *text, struct diag *diag);

#endif
