#include "analysis/replay/span_list.h"
#include <stdlib.h>

static int span_order(const void *a, const void *b)
{
	const struct listed_span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/* the longer one is the outer one */
	return (x->end < y->end) - (x->end > y->end);
}

/* Most instances come in the order of their starts: there is nothing to sort then. */
static void thread_sort(struct listed_span *spans, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (span_order(&spans[i - 1], &spans[i]) > 0) {
			qsort(spans, n, sizeof *spans, span_order);
			return;
		}
}

void span_list_sort(struct span_list *s, uint32_t nthreads)
{
	struct listed_span *sorted = array_new(s->all.n, sizeof *sorted);
	size_t *next = array_new(nthreads, sizeof *next);

	s->first = array_zero((size_t)nthreads + 1, sizeof *s->first);
	for (size_t i = 0; i < s->all.n; i++)
		s->first[s->all.at[i].thread + 1]++;
	for (uint32_t i = 0; i < nthreads; i++) {
		next[i] = s->first[i];
		s->first[i + 1] += s->first[i];
	}
	for (size_t i = 0; i < s->all.n; i++)
		sorted[next[s->all.at[i].thread]++] = s->all.at[i];
	free(s->all.at);
	free(next);
	s->all.at = sorted;
	s->all.room = s->all.n;
	for (uint32_t i = 0; i < nthreads; i++)
		thread_sort(sorted + s->first[i], s->first[i + 1] - s->first[i]);
}

void span_list_free(struct span_list *s)
{
	free(s->all.at);
	free(s->first);
}
