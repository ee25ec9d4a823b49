/* Brings the logs of all directories into memory: opened, scanned, with clocks. */
#ifndef GLIMPSE_TRACE_LOAD_H
#define GLIMPSE_TRACE_LOAD_H

#include "trace/opened.h"

/* Each gives false after diag was told why. */
bool directories_open(struct opened *o, const char *const *paths, unsigned n, struct diag *diag);
/* Needs the specification to be settled. */
bool logs_open(struct opened *o, struct diag *diag);

/* Logs of together so many bytes are read on all processors; tests make it small. */
extern uint64_t logs_large;

/* For whoever gets no memory: tells diag, and gives false. */
bool no_memory(struct diag *diag);

#endif
