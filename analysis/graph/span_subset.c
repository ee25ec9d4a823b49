#include "analysis/graph/span_subset.h"
#include "base/search.h"
#include <stdlib.h>

struct span_subset *span_subset_new(uint32_t nthreads)
{
	struct span_subset *p = array_zero(1, sizeof *p);

	p->nthreads = nthreads;
	p->first = array_zero((size_t)nthreads + 1, sizeof *p->first);
	return p;
}

/* While spans are added, first[i + 1] is behind the newest one of thread i. */
void span_subset_add(struct span_subset *p, uint32_t thread, int64_t from, int64_t to)
{
	struct subset_span *last = p->first[thread + 1] ? &p->spans.at[p->spans.n - 1] : NULL;
	int64_t before = last ? last->before + (last->to - last->from) : 0;

	if (last && from <= last->to) {
		if (to > last->to)
			last->to = to;
	} else if (from < to) {
		*vector_add(&p->spans) = (struct subset_span){from, to, before};
	}
	p->first[thread + 1] = p->spans.n;
}

void span_subset_close(struct span_subset *p)
{
	for (uint32_t i = 0; i < p->nthreads; i++)
		if (p->first[i + 1] < p->first[i])
			p->first[i + 1] = p->first[i];
}

/* next: the first span of the thread that begins at a time or later. */
static int64_t until_next(const struct span_subset *p, uint32_t thread, int64_t time, size_t next)
{
	const struct subset_span *s;

	if (next == p->first[thread])
		return 0;
	s = &p->spans.at[next - 1];
	return s->before + (time < s->to ? time : s->to) - s->from;
}

static size_t span_next(const struct span_subset *p, uint32_t thread, int64_t time)
{
	return lower_bound(i, p->first[thread], p->first[thread + 1], p->spans.at[i].from < time);
}

int64_t span_subset_until(const struct span_subset *p, uint32_t thread, int64_t time)
{
	return until_next(p, thread, time, span_next(p, thread, time));
}

void span_subset_free(struct span_subset *p)
{
	free(p->spans.at);
	free(p->first);
	free(p);
}
