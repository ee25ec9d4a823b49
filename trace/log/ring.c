#include "trace/log/ring.h"
#include "base/file.h"
#include "trace/format/bytes.h"
#include <stdlib.h>

#define BLOCK_HEADER 16

struct block {
	uint64_t sequence;
	size_t offset; /* of the block in the ring */
	size_t used;
};

static int block_compare(const void *left, const void *right)
{
	const struct block *a = left, *b = right;

	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

static uint64_t sequence_get(const struct tail *t, const unsigned char *from)
{
	return t->swapped ? __builtin_bswap64(read_64(from)) : read_64(from);
}

/* Whether the block was complete when it was read and is still the same. */
static bool block_stands(const struct tail *t, const struct block *b, int fd, uint64_t start)
{
	unsigned char now[8];

	return b->sequence && file_read_at(fd, now, sizeof now, start + b->offset) &&
	       sequence_get(t, now) == b->sequence;
}

static size_t blocks_list(const struct tail *t, struct block *list, size_t block, int fd,
			  uint64_t start)
{
	size_t n = 0;

	for (size_t at = 0; at + block <= t->size; at += block) {
		uint32_t used = read_32(t->bytes + at + 8);

		list[n] = (struct block){sequence_get(t, t->bytes + at), at,
					 t->swapped ? __builtin_bswap32(used) : used};
		if (block_stands(t, &list[n], fd, start))
			n++;
	}
	if (n)
		qsort(list, n, sizeof *list, block_compare);
	return n;
}

bool ring_unroll(struct tail *t, size_t block, uint64_t head, int fd, uint64_t start)
{
	struct block *list = malloc((t->size / BLOCK_HEADER + 1) * sizeof *list);
	unsigned char *bytes = malloc(t->size + 1), *to = bytes;
	size_t n = 0;

	if (!list || !bytes) {
		free(list);
		free(bytes);
		return false;
	}
	if (block > BLOCK_HEADER)
		n = blocks_list(t, list, block, fd, start);
	else
		t->lies = true;
	for (size_t i = 0; i < n; i++) {
		const struct block *b = &list[i];
		size_t used = b->used;

		/* The current block's end is where the tail says. */
		if (i + 1 == n && head >= b->offset + BLOCK_HEADER && head <= b->offset + block)
			used = head - b->offset;
		if (used < BLOCK_HEADER || used > block) {
			t->lies = true;
			continue;
		}
		memcpy(to, t->bytes + b->offset + BLOCK_HEADER, used - BLOCK_HEADER);
		to += used - BLOCK_HEADER;
	}
	free(list);
	free(t->bytes);
	t->bytes = bytes;
	t->size = (size_t)(to - bytes);
	return true;
}
