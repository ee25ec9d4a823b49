/* Numbers at any alignment in native byte order. */
#ifndef GLIMPSE_TRACE_FORMAT_BYTES_H
#define GLIMPSE_TRACE_FORMAT_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint32_t read_32(const unsigned char *from)
{
	uint32_t value;

	memcpy(&value, from, sizeof value);
	return value;
}

static inline uint64_t read_64(const unsigned char *from)
{
	uint64_t value;

	memcpy(&value, from, sizeof value);
	return value;
}

static inline void write_32(unsigned char *to, uint32_t value)
{
	memcpy(to, &value, sizeof value);
}

static inline void write_64(unsigned char *to, uint64_t value)
{
	memcpy(to, &value, sizeof value);
}

#endif
