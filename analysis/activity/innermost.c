#include "analysis/activity/innermost.h"
#include <stdlib.h>

static void innermost_add(innermost_vector *list, int64_t from, uint32_t class)
{
	struct innermost_span *last = list->n ? &list->at[list->n - 1] : NULL;

	if (last && last->from == from)
		last->class = class;
	else if (!last || last->class != class)
		*vector_add(list) = (struct innermost_span){from, class};
}

/* Drops the spans that end by `until`, and returns when the first of the others ends. */
static int64_t spans_end(span_vector *open, int64_t until)
{
	int64_t first = INT64_MAX;
	size_t n = 0;

	for (size_t i = 0; i < open->n; i++)
		if (open->at[i].end > until) {
			open->at[n++] = open->at[i];
			first = open->at[i].end < first ? open->at[i].end : first;
		}
	open->n = n;
	return first;
}

innermost_vector innermost_spans(const span_vector *spans)
{
	innermost_vector list = {0};
	span_vector open = {0};
	int64_t end = INT64_MAX;

	innermost_add(&list, INT64_MIN, NO_SPAN);
	for (size_t i = 0; i <= spans->n; i++) {
		int64_t next = i < spans->n ? spans->at[i].start : INT64_MAX;

		while (end <= next && end != INT64_MAX) {
			int64_t at = end;

			end = spans_end(&open, at);
			innermost_add(&list, at, open.n ? open.at[open.n - 1].class : NO_SPAN);
		}
		if (i == spans->n)
			break;
		*vector_add(&open) = spans->at[i];
		end = spans->at[i].end < end ? spans->at[i].end : end;
		innermost_add(&list, next, spans->at[i].class);
	}
	free(open.at);
	return list;
}
