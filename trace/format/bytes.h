/*
 * Reads numbers in bytes at any alignment: in native byte order, in the other one, little endian,
 * and of variable length.
 */
#ifndef GLIMPSE_TRACE_FORMAT_BYTES_H
#define GLIMPSE_TRACE_FORMAT_BYTES_H

#include <endian.h>
#include <stdbool.h>
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

/* Read and write a number in native byte order, or in the other one if swapped. */
static inline uint32_t read_swapped_32(const unsigned char *from, bool swapped)
{
	return swapped ? __builtin_bswap32(read_32(from)) : read_32(from);
}

static inline uint64_t read_swapped_64(const unsigned char *from, bool swapped)
{
	return swapped ? __builtin_bswap64(read_64(from)) : read_64(from);
}

static inline void write_swapped_32(unsigned char *to, uint32_t value, bool swapped)
{
	write_32(to, swapped ? __builtin_bswap32(value) : value);
}

static inline void write_swapped_64(unsigned char *to, uint64_t value, bool swapped)
{
	write_64(to, swapped ? __builtin_bswap64(value) : value);
}

static inline uint32_t read_little_32(const unsigned char *from)
{
	return le32toh(read_32(from));
}

static inline uint64_t read_little_64(const unsigned char *from)
{
	return le64toh(read_64(from));
}

static inline void write_little_32(unsigned char *to, uint32_t value)
{
	write_32(to, htole32(value));
}

static inline void write_little_64(unsigned char *to, uint64_t value)
{
	write_64(to, htole64(value));
}

/* Bytes of the longest number of variable length. */
#define VARINT_MOST 10

/*
 * Writes a number in groups of 7 bits, the lowest first; the top bit of a byte says that another
 * byte follows. Returns the end of the number.
 */
static inline unsigned char *varint_write(unsigned char *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*to++ = (unsigned char)(value | 0x80);
	*to++ = (unsigned char)value;
	return to;
}

/*
 * Reads a number of variable length and moves *at to its end. Returns false if that is not before
 * the end of the bytes.
 */
static inline bool varint_read(const unsigned char **at, const unsigned char *end, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
		unsigned char byte = *(*at)++;

		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

/* Maps a signed number to an unsigned one that is small where its absolute value is small. */
static inline uint64_t zigzag_encode(uint64_t value)
{
	return value << 1 ^ (uint64_t)((int64_t)value >> 63);
}

static inline uint64_t zigzag_decode(uint64_t value)
{
	return value >> 1 ^ -(value & 1);
}

#endif
