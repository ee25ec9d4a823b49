/* The gzip format (RFC 1952) around blocks of deflate (RFC 1951) that were made apart. */
#ifndef PGZ_GZIP_H
#define PGZ_GZIP_H

#include "block.h"
#include <zlib.h>

/*
 * All blocks make one member: each but the last ends with a sync flush, on a byte's boundary, so
 * that they can be joined, and each is compressed with the end of the block before it as
 * dictionary, so that little is lost against gzip. A member for each block would be simpler, but
 * larger, and some readers stop after the first member.
 */
enum { GZIP_HEADER = 10, GZIP_TRAILER = 8 };

void gzip_header(unsigned char header[GZIP_HEADER], int level);
void gzip_trailer(unsigned char trailer[GZIP_TRAILER], unsigned long crc, unsigned long long size);

/* Makes a stream ready for gzip_block(), to be ended with deflateEnd(). False: no memory. */
bool gzip_start(z_stream *z, int level);

/* Fills in packed, packed_size and crc. */
void gzip_block(z_stream *z, struct block *b);

#endif
