/* Brings the logs of all directories into memory: opened, scanned, with clocks. */
#ifndef GLIMPSE_TRACE_OPEN_LOAD_H
#define GLIMPSE_TRACE_OPEN_LOAD_H

#include "trace/open/opened.h"

/* Each gives false after diag was told why. */
bool directories_open(struct opened *o, const char *const *paths, unsigned n, struct diag *diag);
/* Needs the specification to be settled. */
bool logs_open(struct opened *o, struct diag *diag);

/* Parts of it, for trace_grow(). */
struct scanner scanner_of(struct opened *o, struct directory *d, struct diag *diag);
/* Loads the next log of the directory, of which i is the first file; NULL: there was none in its files. */
struct log *log_next(struct opened *o, struct directory *d, size_t *i, struct diag *diag);
bool log_read(struct opened *o, struct directory *d, struct log *log, struct diag *diag);
/* What its notes say of the ids holds for the logs that follow. */
void log_note_ids(struct directory *d, const struct log *log);
/* Of the counts by event type. */
bool counts_make(struct opened *o, struct diag *diag);
bool clocks_build(struct opened *o, struct directory *d, struct trace_process *p, struct diag *diag);

/* Logs of together so many bytes are read on all processors; tests make it small. */
extern uint64_t logs_parallel_size;

/* For whoever gets no memory: tells diag, and gives false. */
bool no_memory(struct diag *diag);

#endif
