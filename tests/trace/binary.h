/* A growing piece of binary data in a chosen byte order. Running out of memory ends the program. */
#ifndef GLIMPSE_TESTS_TRACE_BINARY_H
#define GLIMPSE_TESTS_TRACE_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct binary {
	unsigned char *bytes;
	size_t size, room;
	bool swap; /* numbers are written in the other byte order than this machine's */
};

void binary_bytes(struct binary *b, const void *bytes, size_t size);
void binary_zeros(struct binary *b, size_t size);
void binary_32(struct binary *b, uint32_t value);
void binary_64(struct binary *b, uint64_t value);
/* Zeros up to a multiple of 4. */
void binary_pad(struct binary *b);
/* Writes a number over the bytes at offset; what is not there yet becomes zeros first. */
void binary_set_64(struct binary *b, size_t offset, uint64_t value);
/* Removes the last size bytes. */
void binary_cut(struct binary *b, size_t size);

#endif
