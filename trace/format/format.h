/* Defines the constants of doc/log-format.md that readers need. */
#ifndef GLIMPSE_TRACE_FORMAT_FORMAT_H
#define GLIMPSE_TRACE_FORMAT_FORMAT_H

#define LOG_MAGIC UINT64_C(0x474c494d50534531)
#define LOG_HEADER 128
#define LOG_LEVELS 9 /* the last: what a recorder wrote of the thread */
#define TAIL_MAGIC UINT64_C(0x474c494d50534554)
#define TAIL_HEADER 128
#define TAIL_HEADER_1 76 /* of version 1 */
#define TAIL_VERSION 3
#define TAIL_VERSION_STAGING 2 /* the first that has strides and staging buffers */
#define TAIL_FREE UINT32_MAX
#define CONTAINER_MAGIC UINT64_C(0x474c494d5053454c)
#define CONTAINER_HEAD 24 /* before each log in it */
#define CONTAINER_LOG_MOST 65536
#define PROCESS_MAGIC UINT64_C(0x474c494d50534550)
#define PROCESS_HEADER 256
#define PROCESS_SPECS 30
#define PROCESS_SPEC_SIZE 128
#define PROCESS_PAIRS 341 /* at most */
#define PROCESS_PAIR_SIZE 24
#define PROCESS_PLACE 28640 /* keep, rank, name space, boot id: 32 bytes */
#define FORMAT_VERSION 1

#define GRAZE_MAGIC_32 UINT32_C(0x12345670)
#define GRAZE_MAGIC_64 UINT64_C(0x123456789abcdef0)
#define GRAZE_HEADER 12

/* A record's first word. */
#define RECORD_ID(word) ((word)&0xfff)
#define RECORD_LOW_TIME(word) ((word) >> 12)
#define TIME_LOW_BITS 20

enum record_id {
	RECORD_NONE,
	RECORD_TIME,
	RECORD_NOTE,
	RECORD_FIRST_EVENT = 16,
	RECORD_IDS = 4096
};

#define TIME_SIZE 8
#define NOTE_HEADER 8
#define NOTE_KIND(word) ((word) >> 24)
#define NOTE_SIZE(word) ((word)&0xffffff)

enum note_kind {
	NOTE_SCHEMA = 1,
	NOTE_NAME,
	NOTE_CLOCK,
	NOTE_LOST,
	NOTE_SWITCH,
	NOTE_END,
	NOTE_PAD
};

/* The length word of a string. */
#define STRING_LENGTH(word) ((word)&0x7fffffff)
#define STRING_CUT(word) ((word) >> 31)
#define STRING_MAX 4095

enum log_clock { CLOCK_COUNTER = 1, CLOCK_NANOSECONDS };

#endif
