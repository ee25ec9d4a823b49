/*
 * Reads records: their sizes, the time that a record TIME sets, and the other byte order. All words
 * of a log of the other byte order are swapped when it is loaded. Record by record,
 * only the halves of numbers of 8 bytes are exchanged, and texts are swapped back.
 */
#ifndef GLIMPSE_TRACE_FORMAT_RECORD_H
#define GLIMPSE_TRACE_FORMAT_RECORD_H

#include "trace/format/bytes.h"
#include "trace/format/schema.h"
#include <stdbool.h>

/* Returns size rounded up to whole words. */
static inline size_t padded_size(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

/* Returns whether the runtime cut a string, which is a value in a record. */
static inline bool string_is_cut(const struct value *v)
{
	return STRING_CUT(read_32((const unsigned char *)v->string.bytes - 4));
}

/* Returns the size of an event that is known to be intact. */
static inline size_t event_size(const struct id_row *row, const unsigned char *record)
{
	size_t size = row->size;

	for (unsigned i = 0; i < row->strings; i++)
		size += 4 + padded_size(STRING_LENGTH(read_32(record + size)));
	return size;
}

/* Returns the size of an event, or 0 if it does not fit into room or a length is impossible. */
static inline size_t event_size_within(const struct id_row *row, const unsigned char *record,
				       size_t room)
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

/* Returns whether an event has the size of the previous one (stride), which had no strings. */
static inline bool stride_fits(size_t stride, const struct id_row *row)
{
	return __builtin_expect(row->size == stride && row->strings == 0, 1);
}

/*
 * Returns the stride, if it fits. The processor continues there while it still reads the event's
 * word and row; without the barrier the compiler would use the row's size, and wait for it.
 */
static inline size_t stride_take(size_t stride)
{
	__asm__("" : "+r"(stride));
	return stride;
}

static inline size_t note_size(const unsigned char *record)
{
	return NOTE_HEADER + padded_size(NOTE_SIZE(read_32(record + 4)));
}

/* Returns the upper bits of the time that a record TIME sets, in place. */
static inline uint64_t time_upper(const unsigned char *record)
{
	uint64_t high = RECORD_LOW_TIME(read_32(record));

	return (high << 32 | read_32(record + 4)) << TIME_LOW_BITS;
}

/* Writes a record TIME that sets these upper bits, in place. */
static inline void time_write(unsigned char *to, uint64_t upper)
{
	upper >>= TIME_LOW_BITS;
	write_32(to, RECORD_TIME | (uint32_t)(upper >> 32) << 12);
	write_32(to + 4, (uint32_t)upper);
}

/* Finishes swapping an event whose words were swapped. */
void event_swap(const struct event_type *type, unsigned char *record);
/* Finishes swapping a note whose words were swapped; all of the note must be there. */
void note_swap(unsigned char *record);

#endif
