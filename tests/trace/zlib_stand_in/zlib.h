/*
 * What the readers use of zlib, for a processor that Debian has no zlib of in a cross compiler's
 * packages. Nothing is compressed; what zlib compressed is read.
 */
#ifndef GLIMPSE_TESTS_TRACE_ZLIB_H
#define GLIMPSE_TESTS_TRACE_ZLIB_H

typedef unsigned char Bytef;
typedef unsigned int uInt;
typedef unsigned long uLong, uLongf;

enum { Z_OK = 0, Z_STREAM_END = 1, Z_DATA_ERROR = -3, Z_BUF_ERROR = -5 };
enum { Z_DEFAULT_STRATEGY, Z_FILTERED };
enum { Z_FINISH = 4, Z_DEFLATED = 8, MAX_WBITS = 15 };

typedef struct {
	Bytef *next_in, *next_out;
	uInt avail_in, avail_out;
	uLong total_out;
} z_stream;

/* Continues the CRC-32 of the bytes before. */
uLong crc32(uLong crc, const Bytef *bytes, uInt size);
int deflateInit2(z_stream *z, int level, int method, int bits, int memory, int strategy);
/* Returns that the room is too small: callers give no more room than the bytes have. */
int deflate(z_stream *z, int flush);
int deflateEnd(z_stream *z);
/* Reads a zlib stream, without a look at its checksum: blocks have their own. */
int uncompress(Bytef *to, uLongf *room, const Bytef *from, uLong size);

#endif
