/*
 * What the readers use of zlib, for a processor that Debian has no zlib of in a cross compiler's
 * packages. Nothing is compressed; what zlib compressed is read.
 */
#ifndef GLIMPSE_TESTS_TRACE_ZLIB_H
#define GLIMPSE_TESTS_TRACE_ZLIB_H

typedef unsigned char Bytef;
typedef unsigned int uInt;
typedef unsigned long uLong, uLongf;

enum { Z_OK = 0, Z_DATA_ERROR = -3 };

/* Continues the CRC-32 of the bytes before. */
uLong crc32(uLong crc, const Bytef *bytes, uInt size);
/* Returns the size of a stream of so many bytes that compress2() writes. */
uLong compressBound(uLong size);
/* Writes a zlib stream of blocks that are not compressed. */
int compress2(Bytef *to, uLongf *room, const Bytef *from, uLong size, int level);
/* Reads a zlib stream, without a look at its checksum: blocks have their own. */
int uncompress(Bytef *to, uLongf *room, const Bytef *from, uLong size);

#endif
