#include "trace/pack/buffer.h"
#include "base/array.h"
#include <string.h>

unsigned char *blob_reserve(struct blob *b, size_t n)
{
	b->bytes = vector_reserve(b->bytes, b->size + n, &b->room, 1);
	return b->bytes + b->size;
}

void blob_put(struct blob *b, const void *from, size_t n)
{
	if (n)
		memcpy(blob_reserve(b, n), from, n);
	b->size += n;
}

void blob_put_number(struct blob *b, uint64_t value)
{
	unsigned char *to = blob_reserve(b, 10);

	for (; value >= 0x80; value >>= 7)
		*to++ = (unsigned char)(value | 0x80);
	*to++ = (unsigned char)value;
	b->size = (size_t)(to - b->bytes);
}

struct view blob_view(const struct blob *b)
{
	return (struct view){b->bytes, b->bytes ? b->bytes + b->size : NULL, false};
}

uint64_t view_number(struct view *v)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64 && v->at < v->end; shift += 7) {
		unsigned char byte = *v->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	v->bad = true;
	return 0;
}

const unsigned char *view_take(struct view *v, uint64_t n)
{
	const unsigned char *at = v->at;

	if (n > view_left(v)) {
		v->bad = true;
		return NULL;
	}
	v->at += n;
	return at;
}
