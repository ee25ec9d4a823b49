#include "block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* compressBound() does not count the empty stored block by which a sync flush ends. */
enum { FLUSH_BYTES = 16 };

struct block *block_new(size_t capacity)
{
	struct block *b = calloc(1, sizeof *b);

	if (!b)
		return NULL;
	b->capacity = capacity;
	b->packed_capacity = compressBound(capacity) + FLUSH_BYTES;
	b->bytes = malloc(b->capacity);
	b->packed = malloc(b->packed_capacity);
	if (!b->bytes || !b->packed) {
		block_free(b);
		return NULL;
	}
	return b;
}

void block_free(struct block *b)
{
	if (!b)
		return;
	free(b->bytes);
	free(b->packed);
	free(b);
}

bool block_read(struct block *b, int fd)
{
	b->size = 0;
	while (b->size < b->capacity) {
		ssize_t n = read(fd, b->bytes + b->size, b->capacity - b->size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		if (n == 0)
			break;
		b->size += n;
	}
	b->last = b->size < b->capacity;
	return true;
}

void block_window(const struct block *b, struct window *w)
{
	w->size = b->size < sizeof w->bytes ? b->size : sizeof w->bytes;
	memcpy(w->bytes, b->bytes + b->size - w->size, w->size);
}
