/*
 * Reads tails: what threads had not yet appended to their logs. They are copied, because a running
 * program continues to write. From a ring, the newest blocks are kept, in the order of writing.
 */
#ifndef GLIMPSE_TRACE_LOG_TAIL_H
#define GLIMPSE_TRACE_LOG_TAIL_H

#include "grammar/diag.h"
#include "trace/log/container.h"
#include <stdbool.h>
#include <stdint.h>

struct log_tail {
	char *path;
	uint32_t thread;      /* the N of the log.N.L that it continues; TAIL_FREE: none */
	uint32_t level;       /* the L; 0: log.N */
	uint64_t base;        /* position of its first byte in the log */
	unsigned char *bytes; /* as in the file; of a ring: its records */
	size_t size;
	struct {
		unsigned char *bytes;
		size_t size; /* 0: none */
		uint64_t base;
	} pending;        /* bytes that the log's file may lack, though it reaches further */
	bool ends;        /* the log ends with the tail: the rest of its file is unused */
	uint64_t next;    /* offset of the next tail in the same file; 0: none */
	bool ring;        /* it follows all that the log has */
	bool implausible; /* its header is impossible; read as far as possible */
	uint64_t lost;    /* events after those in the tail that were not written */
	bool swapped;     /* of the other byte order */
	bool pooled;      /* no tail, but a whole log of the container; it has no path */
};

/*
 * Reads the tail at an offset of the file fd (-1: not opened, with the reason in errno). The path
 * becomes the tail's. Returns false, after a report to diag, if there is no tail or it is
 * unreadable. It reports nothing if the room for a tail was never used.
 */
bool log_tail_read(struct log_tail *t, char *path, int fd, uint64_t at, struct diag *diag);
/* Returns whether the tail holds a log from its header on, which may have no file yet. */
bool log_tail_has_log(const struct log_tail *t);
/*
 * Makes a tail of a log that is in a container, since either is a log without a file of its own.
 * Returns false when there is no memory.
 */
bool log_tail_pooled(struct log_tail *t, const struct contained_log *log);
void log_tail_clear(struct log_tail *t);

#endif
