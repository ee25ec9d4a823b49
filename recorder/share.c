#include "recorder/share.h"
#include <stdlib.h>

static int span_compare(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

int64_t share_equally(int64_t *spans, size_t n, int64_t sum)
{
	int64_t share = INT64_MAX;

	if (n)
		qsort(spans, n, sizeof *spans, span_compare);
	for (size_t i = 0; i < n; i++) {
		if (spans[i] * (int64_t)(n - i) >= sum) {
			share = sum / (int64_t)(n - i);
			break;
		}
		sum -= spans[i];
	}
	return share > 0 ? share : 0;
}
