#include "gzip.h"

#include <assert.h>

enum { DEFLATE = 8, UNIX = 3, SMALLEST = 2, FASTEST = 4, RAW_WINDOW_BITS = -15, MEMORY_LEVEL = 8 };

void gzip_header(unsigned char header[GZIP_HEADER], int level)
{
	unsigned char effort = level == 9 ? SMALLEST : level == 1 ? FASTEST : 0;
	/* No flags, no time: the same input gives the same output. */
	unsigned char bytes[GZIP_HEADER] = {0x1f, 0x8b, DEFLATE, 0, 0, 0, 0, 0, effort, UNIX};

	for (int i = 0; i < GZIP_HEADER; i++)
		header[i] = bytes[i];
}

static void put32(unsigned char *to, unsigned long value)
{
	for (int i = 0; i < 4; i++)
		to[i] = value >> (8 * i);
}

void gzip_trailer(unsigned char trailer[GZIP_TRAILER], unsigned long crc, unsigned long long size)
{
	put32(trailer, crc);
	put32(trailer + 4, size);       /* modulo 2^32, as the format has it */
}

bool gzip_start(z_stream *z, int level)
{
	*z = (z_stream){0};
	return deflateInit2(z, level, Z_DEFLATED, RAW_WINDOW_BITS, MEMORY_LEVEL,
			    Z_DEFAULT_STRATEGY) == Z_OK;
}

void gzip_block(z_stream *z, struct block *b)
{
	deflateReset(z);
	if (b->before.size)
		deflateSetDictionary(z, b->before.bytes, b->before.size);
	z->next_in = b->bytes;
	z->avail_in = b->size;
	z->next_out = b->packed;
	z->avail_out = b->packed_capacity;
	deflate(z, b->last ? Z_FINISH : Z_SYNC_FLUSH);
	assert(z->avail_in == 0 && z->avail_out > 0);   /* packed_capacity is a bound */
	b->packed_size = b->packed_capacity - z->avail_out;
	b->crc = crc32(0, b->bytes, b->size);
}
