#include "analysis/replay/answer/outcome.h"
#include "base/array.h"
#include <stdlib.h>

static int by_change(const void *a, const void *b)
{
	const struct lock_outcome *x = a, *y = b;
	int64_t p = llabs(x->after - x->before), q = llabs(y->after - y->before);

	return (p < q) - (p > q);
}

struct lock_outcome *outcome_locks(const struct prediction *p, size_t *n)
{
	const struct lock_register *r = p->model->locks;
	struct lock_outcome *rows = array_new(r->locks.n, sizeof *rows);

	*n = 0;
	for (size_t i = 0; i < r->locks.n; i++)
		if (p->base->lock_waits[i] || p->changed->lock_waits[i])
			rows[(*n)++] =
			    (struct lock_outcome){r->locks.at[i].label, p->base->lock_waits[i],
						  p->changed->lock_waits[i]};
	if (*n)
		qsort(rows, *n, sizeof *rows, by_change);
	return rows;
}

char *outcome_limit(const struct prediction *p, const struct limit *l)
{
	double percent = 100 * l->share;

	switch (l->kind) {
	case LIMIT_THREAD:
		return text_format("%s (%.0f %%)", p->model->trace->threads[l->number].name,
				   percent);
	case LIMIT_LOCK:
		return text_format("%s (%.0f %%)", p->model->locks->locks.at[l->number].label,
				   percent);
	case LIMIT_PROCESSORS:
		return text_format("the processors (%.0f %%)", percent);
	case LIMIT_WAITING:
		return text_format("waits of %s (%.0f %%)",
				   p->model->trace->threads[l->number].name, percent);
	case LIMIT_NOTHING:
		break;
	}
	return NULL;
}
