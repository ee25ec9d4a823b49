#include "viewers/gorge/query/hits.h"
#include "viewers/gorge/query/lookup.h"
#include <stdlib.h>

static int compare(const void *pa, const void *pb)
{
	const struct result *a = pa, *b = pb;

	if (a->excess != b->excess)
		return a->excess > b->excess ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->anchor > b->anchor) - (a->anchor < b->anchor);
}

void results_sort(struct results *h)
{
	if (h->list.n)
		qsort(h->list.at, h->list.n, sizeof *h->list.at, compare);
	h->list.n = h->list.n < RESULTS_LISTED ? h->list.n : RESULTS_LISTED;
}

void results_clear(struct results *h)
{
	free(h->list.at);
}

void results_write(const struct results *h, struct trace_index *m, struct json *j)
{
	json_array(j, "hits");
	for (size_t i = 0; i < h->list.n; i++) {
		json_array(j, NULL);
		json_uint(j, NULL, lookup_anchor(m, h->list.at[i].anchor));
		json_int(j, NULL, h->list.at[i].start);
		json_int(j, NULL, h->list.at[i].end);
		json_close(j);
	}
	json_close(j);
	json_uint(j, "count", h->count);
}
