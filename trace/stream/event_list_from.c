#include "trace/trace.h"

size_t event_list_from(const struct event_list *l, int64_t time)
{
	size_t low = 0, high = event_list_size(l);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (event_list_time(l, middle) < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
