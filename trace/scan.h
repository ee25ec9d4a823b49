/* Reads a log once: checks every record, counts, takes up the notes, finds what can be read behind damaged places. */
#ifndef GLIMPSE_TRACE_SCAN_H
#define GLIMPSE_TRACE_SCAN_H

#include "trace/log.h"

/* Clock pairs of one process. */
struct pairs {
	struct clock_pair *list;
	size_t count, room;
};

bool pairs_add(struct pairs *p, const struct clock_pair *pair);

struct scanner {
	struct schemas *schemas;
	const struct spec *spec;        /* the trace's */
	uint64_t *counts;               /* of each of its event types: added to */
	struct pairs *pairs;            /* of the log's process: added to */
	struct diag *diag;
};

/* False when there is no memory. */
bool log_scan(struct log *log, const struct scanner *scanner);

/* Lists and sorts the events of a log whose times step back. False when there is no memory. */
bool log_sort(struct log *log);

#endif
