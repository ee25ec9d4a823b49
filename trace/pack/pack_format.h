/*
 * Defines the packed format of doc/log-format.md: a header; blocks, each with a header; the index;
 * a trailer. Numbers are little endian.
 */
#ifndef GLIMPSE_TRACE_PACK_PACK_FORMAT_H
#define GLIMPSE_TRACE_PACK_PACK_FORMAT_H

#include "trace/format/bytes.h"

#define PACK_MAGIC "GLIMPSEZ"
#define PACK_END_MAGIC "GLIMPSEX"
#define PACK_VERSION 1
#define PACK_VERSION_WITHIN 2            /* there are files of directories within the directory */
#define PACK_HEADER 16                   /* magic, 4 bytes version, 4 bytes 0 */
#define PACK_TRAILER 16                  /* 8 bytes place of the index, magic */
#define BLOCK_MAGIC UINT32_C(0x4b424c47) /* "GLBK" */
#define BLOCK_HEADER 52
#define BLOCK_SIZE (1u << 18) /* bytes of a file in a block, when writing */
#define BLOCK_MOST (1u << 22) /* the same, when reading */

/* Members of blocks that are no part of a file. */
#define MEMBER_LIST UINT32_MAX
#define MEMBER_INDEX (UINT32_MAX - 1)

/*
 * PACK_RAW: deflated. PACK_COLUMNS and PACK_COLUMNS_BIG: records, little endian or big endian,
 * split into columns, then deflated.
 */
enum pack_codec { PACK_RAW, PACK_COLUMNS, PACK_COLUMNS_BIG };

/* Records are split into columns by machines of their byte order. */
#define PACK_COLUMNS_NATIVE (BYTE_ORDER == BIG_ENDIAN ? PACK_COLUMNS_BIG : PACK_COLUMNS)

/* A block of a file. */
struct pack_block {
	uint64_t at;     /* of its header in the packed file */
	uint32_t member; /* which file */
	uint32_t codec;  /* enum pack_codec, and the flags below */
	uint32_t size;   /* bytes of the file */
	uint32_t plain;  /* bytes before deflate; PACK_RAW: size */
	uint32_t stored; /* bytes in the packed file, after the block's header */
	uint64_t offset; /* in the file */
	uint64_t upper;  /* of a log: bits of the time before its first record, in place */
	uint64_t seq;    /* of a log: events before it */
};

#define PACK_CODEC(codec) ((codec)&0xff)
#define PACK_TIMED 0x100 /* upper is known */
#define PACK_NOTES 0x200 /* it has notes: it is read even if its events are not wanted */

/* The column of symbols has one of each record; from SYMBOL_EVENT on: the layout of an event. */
enum record_symbol { SYMBOL_TIME, SYMBOL_NOTE, SYMBOL_EVENT };

/* How the numbers of an attribute are written. */
enum number_coding {
	AS_VALUE,
	AS_STEP, /* difference to the same attribute in the event of that type before */
	AS_KIND, /* difference to the attribute of that kind before, in any event */
};

#endif
