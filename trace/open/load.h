/* Loads the logs of all directories: opens and scans them, and sets their clocks. */
#ifndef GLIMPSE_TRACE_OPEN_LOAD_H
#define GLIMPSE_TRACE_OPEN_LOAD_H

#include "trace/log/scan.h"
#include "trace/open/opened.h"

/*
 * Finds the files of all directories, and of those within them. Returns false after a report to
 * diag.
 */
bool directories_open(struct opened *o, const char *const *paths, unsigned n, struct diag *diag);
/* Returns how many logs they have together. */
size_t logs_found(const struct opened *o);
/*
 * Loads the logs, once the trace has its specification. Returns false after a report to diag.
 */
bool logs_open(struct opened *o, struct diag *diag);
/* Brings the events of logs whose times step back into order. */
void logs_order(struct opened *o);

/* Returns what scans the logs of a directory. This and what follows are for trace_grow(), too. */
struct scanner scanner_for(struct opened *o, struct directory *d, struct diag *diag);
/* Loads the next log of d, from its file number *i on; returns NULL if its files have no log. */
struct log *next_log_load(struct opened *o, struct directory *d, size_t *i, struct diag *diag);
bool loaded_log_scan(struct opened *o, struct directory *d, struct log *log, struct diag *diag);
/* Makes the ids of a scanned log those of the logs that follow. */
void directory_note_ids(struct directory *d, const struct log *log);
/*
 * Returns the process of a run whose counter was compared with time the longest; NULL if the run
 * has none.
 */
const struct process_info *longest_of_run(const struct opened *o, const char *given);
bool clocks_build(struct opened *o, struct directory *d, struct trace_process *p,
		  const struct process_info *longest, struct diag *diag);

/* Logs of together so many bytes are scanned on all processors; tests make it small. */
extern uint64_t logs_parallel_size;

#endif
