/* Searches sorted arrays (binary search). */
#ifndef GLIMPSE_BASE_SEARCH_H
#define GLIMPSE_BASE_SEARCH_H

/*
 * Returns the first index i of from..to-1 at which the expression `before` does not hold, or `to`.
 * It holds at all indices below that one, and at none above. For example:
 *
 *	place = lower_bound(i, 0, n, list[i] < wanted);
 *
 * The index has the type of the sum of from and to.
 */
#define lower_bound(i, from, to, before) \
	__extension__({ \
		__typeof__((from) + (to)) lower_bound_low = (from), lower_bound_high = (to); \
		while (lower_bound_low < lower_bound_high) { \
			__typeof__(lower_bound_low) i = \
			    lower_bound_low + (lower_bound_high - lower_bound_low) / 2; \
			if (before) \
				lower_bound_low = i + 1; \
			else \
				lower_bound_high = i; \
		} \
		lower_bound_low; \
	})

#endif
