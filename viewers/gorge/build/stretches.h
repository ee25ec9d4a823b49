/* Instances within lanes, in the order in which a document stacks them. */
#ifndef GLIMPSE_GORGE_BUILD_STRETCHES_H
#define GLIMPSE_GORGE_BUILD_STRETCHES_H

#include <stddef.h>
#include <stdint.h>

/* An instance within one lane. */
struct stretch {
	int64_t start, end;
	uint32_t lane;
	uint64_t anchor;
};

/* Those of one interval, in the order of their starts, the longest first. */
struct stretches {
	struct stretch *at;
	size_t n, room;
	size_t next;            /* while several are merged */
};

void stretches_sort(struct stretches *s);
/* The stretch that starts next among all intervals, whose next is passed; NULL: none is left. */
const struct stretch *stretches_next(struct stretches *all, unsigned n, unsigned *key);

#endif
