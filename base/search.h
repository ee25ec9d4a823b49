/* Binary search. */
#ifndef GLIMPSE_BASE_SEARCH_H
#define GLIMPSE_BASE_SEARCH_H

#include <stddef.h>

/*
 * Returns the first index i of from..to-1 at which the expression `before` does not hold, or `to`.
 * It holds at all indices below that one, and at none above. For example:
 *
 *	place = lower_bound(i, 0, n, list[i] < wanted);
 */
#define lower_bound(i, from, to, before) __extension__ ({ \
	size_t lower_bound_low = (from), lower_bound_high = (to); \
	while (lower_bound_low < lower_bound_high) { \
		size_t i = lower_bound_low + (lower_bound_high - lower_bound_low) / 2; \
		if (before) \
			lower_bound_low = i + 1; \
		else \
			lower_bound_high = i; \
	} \
	lower_bound_low; })

#endif
