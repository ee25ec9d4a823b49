/* Reads a log once: checks every record, counts, takes up the notes, finds what can be read behind damaged places. */
#ifndef GLIMPSE_TRACE_LOG_SCAN_H
#define GLIMPSE_TRACE_LOG_SCAN_H

#include "trace/log/log.h"
#include <pthread.h>

/* Clock pairs of one process. */
struct clock_samples {
	struct clock_sample *list;
	size_t count, room;
};

bool pairs_add(struct clock_samples *p, const struct clock_sample *pair);

struct scanner {
	struct schemas *schemas;
	const struct spec *spec;        /* the trace's */
	uint64_t *counts;               /* of each of its event types: added to */
	struct clock_samples *pairs;            /* of the log's process: added to */
	struct diag *diag;              /* NULL: what would be told is in *told instead */
	bool *told;
	pthread_mutex_t *lock;          /* of the schemas; NULL: nobody else uses them */
};

/* False when there is no memory. */
bool log_scan(struct log *log, const struct scanner *scanner);

/* The same of what came to a log since it was scanned, whose ground has it. False, too, when that are no intact records. */
bool log_scan_on(struct log *log, const struct scanner *scanner);

/*
 * Scans logs of one process on all processors, as if each in its turn, when what one of them says
 * has no bearing on the others. False: it has, or there is no memory; nothing was done. ids: the
 * table of the logs before. The scanner's lock is not needed.
 */
bool logs_scan(struct log *logs, size_t n, const struct id_table *ids, const struct scanner *scanner);

/* Lists and sorts the events of a log whose times step back. False when there is no memory. */
bool log_sort(struct log *log);

#endif
