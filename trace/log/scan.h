/*
 * Reads a log once: checks every record, counts events, keeps the contents of its notes, and finds
 * where records continue after damage.
 */
#ifndef GLIMPSE_TRACE_LOG_SCAN_H
#define GLIMPSE_TRACE_LOG_SCAN_H

#include "trace/log/log.h"
#include <pthread.h>

struct scanner {
	struct schemas *schemas;
	const struct spec *spec;       /* the trace's */
	uint64_t *counts;              /* of each of its event types: added to */
	struct clock_samples *samples; /* of the log's process: added to */
	struct diag *diag;             /* NULL: *warned is set instead of a warning */
	bool *warned;
	pthread_mutex_t *lock; /* of the schemas; NULL: no other thread uses them */
};

/* Returns false when there is no memory. */
bool log_scan(struct log *log, const struct scanner *scanner);

/*
 * Scans what a growing log got since it was scanned. Returns false when there is no memory, or the
 * new bytes are not intact records.
 */
bool log_scan_on(struct log *log, const struct scanner *scanner);

/*
 * Scans n logs of one process on all processors, with the result of scanning one after another.
 * Returns false, with nothing changed, if the notes of one log affect another, or there is no
 * memory. ids: the table that the logs before have; the scanner's lock is not used.
 */
bool logs_scan(struct log *logs, size_t n, const struct id_table *ids,
	       const struct scanner *scanner);

#endif
