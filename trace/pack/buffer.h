/* Holds growing bytes to write a packed file with, and views of bytes to read it with. */
#ifndef GLIMPSE_TRACE_PACK_BUFFER_H
#define GLIMPSE_TRACE_PACK_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros at first; free(bytes) at the end. Without memory the program ends with a message. */
struct byte_buffer {
	unsigned char *bytes;
	size_t size, room;
};

/* Makes room for n more bytes and returns where they go; the caller adds to the size. */
unsigned char *buffer_reserve(struct byte_buffer *b, size_t n);
void buffer_put(struct byte_buffer *b, const void *from, size_t n);
void buffer_put_varint(struct byte_buffer *b, uint64_t value);

/* Reading beyond the end gives 0 or NULL, and sets bad. */
struct byte_view {
	const unsigned char *at, *end;
	bool bad;
};

struct byte_view byte_view_of(const struct byte_buffer *b);
uint64_t byte_view_varint(struct byte_view *v);
/* Returns the next n bytes, which stay where they are. */
const unsigned char *byte_view_take(struct byte_view *v, uint64_t n);

static inline size_t byte_view_left(const struct byte_view *v)
{
	return (size_t)(v->end - v->at);
}

#endif
