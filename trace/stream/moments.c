#include "trace/stream/moments.h"

size_t moments_from(const struct moments *m, event_rank rank)
{
	size_t low = 0, high = m->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (moments_rank(m, middle) < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
