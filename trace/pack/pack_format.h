/*
 * The packed format, as doc/log-format.md has it: a header; blocks, each with a header; the index; a trailer. Numbers are
 * little endian.
 */
#ifndef GLIMPSE_TRACE_PACK_PACK_FORMAT_H
#define GLIMPSE_TRACE_PACK_PACK_FORMAT_H

#include "trace/format/bytes.h"

#define PACK_MAGIC "GLIMPSEZ"
#define PACK_END_MAGIC "GLIMPSEX"
#define PACK_VERSION 1
#define PACK_HEADER 16          /* magic, 4 bytes version, 4 bytes 0 */
#define PACK_TRAILER 16         /* 8 bytes place of the index, magic */
#define BLOCK_MAGIC UINT32_C(0x4b424c47) /* "GLBK" */
#define BLOCK_HEADER 52
#define BLOCK_SIZE (1u << 18)   /* that we write: bytes of a file in a block */
#define BLOCK_MOST (1u << 22)   /* that we read */

/* What a block holds that is no part of a file. */
#define MEMBER_LIST UINT32_MAX
#define MEMBER_INDEX (UINT32_MAX - 1)

/* PACK_RAW: deflated. PACK_COLUMNS: records put into columns, then deflated. */
enum pack_codec { PACK_RAW, PACK_COLUMNS };

/* A block of a file. */
struct pack_block {
	uint64_t at;            /* of its header in the packed file */
	uint32_t member;        /* which file */
	uint32_t codec;         /* enum pack_codec; above it PACK_ flags */
	uint32_t size;          /* bytes of the file */
	uint32_t plain;         /* bytes before deflate: PACK_RAW: size */
	uint32_t stored;        /* bytes in the packed file, behind the block's header */
	uint64_t offset;        /* in the file */
	uint64_t upper;         /* of a log: upper bits of the time before its first record, in place */
	uint64_t seq;           /* of a log: events before it */
};

#define PACK_CODEC(codec) ((codec) & 0xff)
#define PACK_TIMED 0x100        /* upper is known */
#define PACK_NOTES 0x200        /* there are notes in it: to be read even if its events are not asked for */

#endif
