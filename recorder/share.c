#include "recorder/share.h"
#include "base/sort.h"

int64_t share_equally(int64_t *spans, size_t n, int64_t sum)
{
	int64_t share = INT64_MAX;

	sort_words(spans, n);
	for (size_t i = 0; i < n; i++) {
		if (spans[i] * (int64_t)(n - i) >= sum) {
			share = sum / (int64_t)(n - i);
			break;
		}
		sum -= spans[i];
	}
	return share > 0 ? share : 0;
}
