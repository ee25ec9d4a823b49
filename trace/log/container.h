/*
 * Finds logs in the container of a log directory: the file `logs`, which contains the logs of many
 * threads, each whole and in one record (GLIMPSE_LOGS=pooled).
 */
#ifndef GLIMPSE_TRACE_LOG_CONTAINER_H
#define GLIMPSE_TRACE_LOG_CONTAINER_H

#include "base/file.h"
#include "grammar/diag.h"
#include "trace/format/log_name.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTAINER_NAME "logs"

struct container {
	const char *path; /* for messages */
	const unsigned char *bytes;
	size_t size;
	const struct file_hole *holes; /* of the file */
	size_t nholes;
	size_t next; /* where the next record is looked for */
	/* Bytes that are no records. */
	uint64_t skipped, skipped_at;
	unsigned places;
	size_t torn; /* bytes at the end, of a record that is cut off */
};

/* A record. */
struct contained_log {
	struct log_name name;
	const unsigned char *bytes; /* of the log, from its header on */
	size_t size;
	bool cut;     /* the container ends before the log does */
	bool swapped; /* the log is of the other byte order */
};

/*
 * Finds the next record that is intact, or the last one if that is cut off. Returns false if there
 * is none. The container's path, bytes, size and holes are given, the rest is 0 at first.
 */
bool container_next(struct container *c, struct contained_log *log);

/*
 * Reports bytes that are not records to diag. ended: the program ended normally, so that a
 * truncated end does not mean that the program died while it wrote.
 */
void container_report(const struct container *c, bool ended, struct diag *diag);

#endif
