/*
 * Reads numbers from bytes that may be damaged. An error moves `at` to the end; what is not there
 * reads as 0.
 */
#ifndef GLIMPSE_PROBES_UNWIND_BYTES_H
#define GLIMPSE_PROBES_UNWIND_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const uint8_t *at, *end;
};

static inline void bytes_end(struct bytes *b)
{
	b->at = b->end;
}

static inline bool bytes_have(struct bytes *b, size_t size)
{
	if ((size_t)(b->end - b->at) >= size)
		return true;
	bytes_end(b);
	return false;
}

static inline void bytes_skip(struct bytes *b, uint64_t size)
{
	if (bytes_have(b, size))
		b->at += size;
}

static inline uint64_t bytes_fixed(struct bytes *b, size_t size)
{
	uint64_t value = 0;

	if (!bytes_have(b, size))
		return 0;
	memcpy(&value, b->at, size);
	b->at += size;
	return value;
}

static inline uint64_t bytes_uleb(struct bytes *b)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; bytes_have(b, 1); shift += 7) {
		uint8_t byte = *b->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static inline int64_t bytes_sleb(struct bytes *b)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; bytes_have(b, 1);) {
		uint8_t byte = *b->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte & 0x80)
			continue;
		if (shift < 64 && byte & 0x40)
			value |= ~UINT64_C(0) << shift;
		break;
	}
	return (int64_t)value;
}

#endif
