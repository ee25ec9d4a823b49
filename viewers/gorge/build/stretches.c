#include "viewers/gorge/build/stretches.h"
#include <stdlib.h>

static int compare_stretches(const void *pa, const void *pb)
{
	const struct stretch *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (a->lane > b->lane) - (a->lane < b->lane);
}

/* Forward intervals come in the order of their starts already, most others nearly so. */
void stretches_sort(struct stretches *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (compare_stretches(&s->at[i - 1], &s->at[i]) > 0) {
			qsort(s->at, s->n, sizeof *s->at, compare_stretches);
			return;
		}
}

const struct stretch *stretches_next(struct stretches *all, unsigned n, unsigned *key)
{
	struct stretches *best = NULL;

	for (struct stretches *s = all; s < all + n; s++)
		if (s->next < s->n &&
		    (!best || compare_stretches(&s->at[s->next], &best->at[best->next]) < 0))
			best = s;
	if (!best)
		return NULL;
	*key = (unsigned)(best - all);
	return &best->at[best->next++];
}
