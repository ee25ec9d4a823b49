/* What the header of a tail says, checked against its file. */
#ifndef GLIMPSE_TRACE_LOG_TAIL_HEADER_H
#define GLIMPSE_TRACE_LOG_TAIL_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a log and where they stand in the tail's file. */
struct tail_stretch {
	uint64_t base;
	uint64_t offset;
	size_t size;
};

struct tail_header {
	uint64_t magic, base, head, lost;
	uint32_t version, thread, start, size, level, block;
	uint32_t stride;                /* 0: no further tail in the file */
	uint32_t staging;               /* 0: it has none */
	struct tail_stretch newest;     /* what it holds; of a ring, all its blocks */
	struct tail_stretch pending;    /* what may be on its way to the log's file */
	bool swapped;
	bool lies;                      /* what it says of sizes cannot be; cut to what can */
};

/* Of the tail that begins at an offset of a file of that size. False when there is none. */
bool tail_header_read(struct tail_header *h, int fd, uint64_t at, uint64_t file_size);
/* Whether what was read between the two is what the first says. */
bool tail_header_same(const struct tail_header *before, const struct tail_header *after);

#endif
