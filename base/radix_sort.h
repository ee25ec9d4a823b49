/* Things by their keys. */
#ifndef GLIMPSE_BASE_RADIX_SORT_H
#define GLIMPSE_BASE_RADIX_SORT_H

#include <stddef.h>
#include <stdint.h>

struct keyed {
	uint64_t key;
	size_t i;
};

/* Descending by key; equal keys stay in their order. */
void keyed_sort(struct keyed *list, size_t n);

#endif
