#include "tests/trace/binary.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void binary_reserve(struct binary *b, size_t size)
{
	if (b->room - b->size >= size)
		return;
	b->room = 2 * b->room + size + 4096;
	b->bytes = realloc(b->bytes, b->room);
	if (!b->bytes) {
		fputs("mklog: no memory\n", stderr);
		exit(2);
	}
}

void binary_bytes(struct binary *b, const void *bytes, size_t size)
{
	if (size == 0)
		return;
	binary_reserve(b, size);
	memcpy(b->bytes + b->size, bytes, size);
	b->size += size;
}

void binary_zeros(struct binary *b, size_t size)
{
	binary_reserve(b, size);
	memset(b->bytes + b->size, 0, size);
	b->size += size;
}

void binary_32(struct binary *b, uint32_t value)
{
	if (b->swap)
		value = __builtin_bswap32(value);
	binary_bytes(b, &value, sizeof value);
}

void binary_64(struct binary *b, uint64_t value)
{
	if (b->swap)
		value = __builtin_bswap64(value);
	binary_bytes(b, &value, sizeof value);
}

void binary_pad(struct binary *b)
{
	binary_zeros(b, -b->size & 3);
}

void binary_set_64(struct binary *b, size_t offset, uint64_t value)
{
	if (b->swap)
		value = __builtin_bswap64(value);
	if (b->size < offset + sizeof value)
		binary_zeros(b, offset + sizeof value - b->size);
	memcpy(b->bytes + offset, &value, sizeof value);
}

void binary_cut(struct binary *b, size_t size)
{
	b->size -= size < b->size ? size : b->size;
}
