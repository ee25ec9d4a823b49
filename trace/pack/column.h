/*
 * Columns of numbers, written so that deflate finds what they have in common: first how many bytes each number has,
 * then the lowest byte of all that have one, then the second, and so on.
 */
#ifndef GLIMPSE_TRACE_PACK_COLUMN_H
#define GLIMPSE_TRACE_PACK_COLUMN_H

#include "trace/pack/buffer.h"

/* All zeros at first; free(list) at the end. */
struct numbers {
	uint64_t *list;
	size_t count, room;
};

void numbers_grow(struct numbers *n);

static inline void numbers_add(struct numbers *n, uint64_t value)
{
	if (__builtin_expect(n->count == n->room, 0))
		numbers_grow(n);
	n->list[n->count++] = value;
}

/* Negative ones in two's complement; the list is changed. */
void numbers_write(struct blob *to, uint64_t *list, size_t n);
/* False when they are not there. */
bool numbers_read(struct view *from, uint64_t *list, size_t n);

/* About how many bits deflate will need for them; a sample says it. */
double numbers_cost(const uint64_t *list, size_t n);

#endif
