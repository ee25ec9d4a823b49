/* Tails: what threads had not yet appended to their logs. Copied at once, since a running program writes on. */
#ifndef GLIMPSE_TRACE_LOG_TAIL_H
#define GLIMPSE_TRACE_LOG_TAIL_H

#include "grammar/diag.h"
#include <stdbool.h>
#include <stdint.h>

struct tail {
	char *path;
	uint32_t thread;        /* the N of the log.N.L that it continues; TAIL_FREE: none */
	uint32_t level;         /* the L; 0: log.N */
	uint64_t base;          /* position in the log of its first byte */
	unsigned char *bytes;   /* as they are in the file; of a ring its records in the order of writing */
	size_t size;
	struct {
		unsigned char *bytes;
		size_t size;            /* 0: none */
		uint64_t base;
	} pending;              /* what the log's file may not have yet, though it reaches beyond */
	bool ends;              /* the log ends where it ends: what its file has beyond is room asked for ahead */
	uint64_t next;          /* where the next tail in the same file begins; 0: there is none */
	bool ring;              /* it stands behind all that the log has */
	bool lies;              /* what its header says cannot be; what was possible was read */
	uint64_t lost;          /* events that found no place behind what it holds */
	bool swapped;           /* of the other byte order */
};

/*
 * Reads the tail at an offset of the file fd (-1: fails with the errno there is). path becomes the tail's. False, and diag knows
 * why, when it is unreadable or no tail; diag says nothing of a place for a tail that was never used.
 */
bool tail_read(struct tail *t, char *path, int fd, uint64_t at, struct diag *diag);
/* Whether it holds a log from its header on, which may have no file yet. */
bool tail_has_log(const struct tail *t);
void tail_clear(struct tail *t);

#endif
