/* Tails: what threads had not yet appended to their logs. Copied at once, since a running program writes on. */
#ifndef GLIMPSE_TRACE_TAIL_H
#define GLIMPSE_TRACE_TAIL_H

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
	bool ring;              /* it stands behind all that the log has */
	bool lies;              /* what its header says cannot be; what was possible was read */
	uint64_t lost;          /* events that found no place behind what it holds */
	bool swapped;           /* of the other byte order */
};

/* path becomes the tail's, and fd, which is closed, is the file (-1: fails with the errno there is). False, and diag knows why, when it is unreadable or no tail. */
bool tail_read(struct tail *t, char *path, int fd, struct diag *diag);
void tail_clear(struct tail *t);

#endif
