/* Walking over the events of a log. */
#ifndef GLIMPSE_TRACE_FORMAT_RECORD_H
#define GLIMPSE_TRACE_FORMAT_RECORD_H

#include "trace/format/bytes.h"
#include "trace/format/schema.h"
#include <stdbool.h>

static inline size_t padded_size(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

/* Bytes of an event that is known to be intact. */
static inline size_t event_size(const struct id_row *row, const unsigned char *record)
{
	size_t size = row->size;

	for (unsigned i = 0; i < row->strings; i++)
		size += 4 + padded_size(STRING_LENGTH(read_32(record + size)));
	return size;
}

/* Whether the event is as large as the one before, which had no strings. */
static inline bool stride_fits(size_t stride, const struct id_row *row)
{
	return __builtin_expect(row->size == stride && row->strings == 0, 1);
}

/*
 * The stride, if it fits. The processor goes on there while it still reads the event's word and row;
 * without the barrier the compiler would take the row's size, as it is the same, and wait.
 */
static inline size_t stride_take(size_t stride)
{
	__asm__("" : "+r"(stride));
	return stride;
}

/* event_size() of an event of which only room bytes are there; 0 when it is cut off or its strings lie. */
static inline size_t event_size_within(const struct id_row *row, const unsigned char *record, size_t room)
{
	size_t size = row->size;

	if (size > room)
		return 0;
	for (unsigned i = 0; i < row->strings; i++) {
		size_t length;

		if (room - size < 4)
			return 0;
		length = STRING_LENGTH(read_32(record + size));
		if (length > STRING_MAX || room - size - 4 < padded_size(length))
			return 0;
		size += 4 + padded_size(length);
	}
	return size;
}

/* Bytes of a note. */
static inline size_t note_size(const unsigned char *record)
{
	return NOTE_HEADER + padded_size(NOTE_SIZE(read_32(record + 4)));
}

/* The upper bits of the time that a record TIME sets, in place. */
static inline uint64_t time_upper(const unsigned char *record)
{
	uint64_t high = RECORD_LOW_TIME(read_32(record));

	return (high << 32 | read_32(record + 4)) << TIME_LOW_BITS;
}

#endif
