/*
 * Writes and reads columns of numbers. Their order lets deflate find what they have in common:
 * first how many bytes each number has, then the lowest byte of all that have one, then the second,
 * and so on.
 */
#ifndef GLIMPSE_TRACE_PACK_COLUMN_H
#define GLIMPSE_TRACE_PACK_COLUMN_H

#include "trace/pack/buffer.h"

/* All zeros at first; free(list) at the end. */
struct number_column {
	uint64_t *list;
	size_t count, room;
};

void column_grow(struct number_column *c);

static inline void column_add(struct number_column *c, uint64_t value)
{
	if (__builtin_expect(c->count == c->room, 0))
		column_grow(c);
	c->list[c->count++] = value;
}

/* Writes n numbers, negative ones in two's complement; changes the list. */
void column_write(struct byte_buffer *to, uint64_t *list, size_t n);
/* Reads n numbers; returns false if they are not there. */
bool column_read(struct byte_view *from, uint64_t *list, size_t n);

/* Estimates from a sample how many bits the numbers take when deflated. */
double column_cost(const uint64_t *list, size_t n);

#endif
