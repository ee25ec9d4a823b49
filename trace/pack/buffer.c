#include "trace/pack/buffer.h"
#include "base/array.h"
#include "trace/format/bytes.h"
#include <string.h>

unsigned char *buffer_reserve(struct byte_buffer *b, size_t n)
{
	b->bytes = vector_reserve(b->bytes, b->size + n, &b->room, 1);
	return b->bytes + b->size;
}

void buffer_put(struct byte_buffer *b, const void *from, size_t n)
{
	if (n)
		memcpy(buffer_reserve(b, n), from, n);
	b->size += n;
}

void buffer_put_varint(struct byte_buffer *b, uint64_t value)
{
	unsigned char *to = buffer_reserve(b, VARINT_MOST);

	b->size += (size_t)(varint_write(to, value) - to);
}

struct byte_view byte_view_of(const struct byte_buffer *b)
{
	return (struct byte_view){b->bytes, b->bytes ? b->bytes + b->size : NULL, false};
}

uint64_t byte_view_varint(struct byte_view *v)
{
	uint64_t value;

	if (varint_read(&v->at, v->end, &value))
		return value;
	v->bad = true;
	return 0;
}

const unsigned char *byte_view_take(struct byte_view *v, uint64_t n)
{
	const unsigned char *at = v->at;

	if (n > byte_view_left(v)) {
		v->bad = true;
		return NULL;
	}
	v->at += n;
	return at;
}
