/* Bytes that grow, and a view of bytes that somebody else wrote: what packed files are written and read with. */
#ifndef GLIMPSE_TRACE_PACK_BUFFER_H
#define GLIMPSE_TRACE_PACK_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros at first; free(bytes) at the end. The program ends with a message when there is no memory. */
struct blob {
	unsigned char *bytes;
	size_t size, room;
};

/* Room for n more bytes; where they go. The size is the caller's to raise. */
unsigned char *blob_reserve(struct blob *b, size_t n);
void blob_put(struct blob *b, const void *from, size_t n);
/* In groups of 7 bits, the lowest first; the top bit of a byte says that another follows. */
void blob_put_number(struct blob *b, uint64_t value);

/* What is taken beyond the end is 0 or NULL, and sets bad. */
struct view {
	const unsigned char *at, *end;
	bool bad;
};

struct view blob_view(const struct blob *b);
uint64_t view_number(struct view *v);
/* The next n bytes, which stay where they are. */
const unsigned char *view_take(struct view *v, uint64_t n);

static inline size_t view_left(const struct view *v)
{
	return (size_t)(v->end - v->at);
}

#endif
