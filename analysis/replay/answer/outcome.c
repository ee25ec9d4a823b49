#include "analysis/replay/answer/outcome.h"
#include "base/array.h"
#include "base/units.h"
#include <stdlib.h>
#include <string.h>

static int by_change(const void *a, const void *b)
{
	const struct lock_outcome *x = a, *y = b;
	int64_t p = llabs(x->after - x->before), q = llabs(y->after - y->before);

	return (p < q) - (p > q);
}

/*
 * Returns how long threads waited for an object in the recorded run. A replay without changes
 * copies the waits for a semaphore, and has none.
 */
static int64_t waits_before(const struct prediction *p, size_t object)
{
	int64_t sum = 0;

	if (!p->changed_operations->rooms || !p->changed_operations->rooms[object])
		return p->base->lock_waits[object];
	for (uint32_t t = 0; t < p->model->trace->nthreads; t++) {
		const span_vector *waits = instance_spans(p->model->set, SPANS_WAIT, t);

		for (size_t i = 0; i < waits->n; i++)
			if (model_wait_lock(p->model, &waits->at[i]) == object &&
			    waits->at[i].end != INT64_MAX)
				sum += waits->at[i].end - waits->at[i].start;
	}
	return sum;
}

struct lock_outcome *outcome_locks(const struct prediction *p, size_t *n)
{
	const struct lock_register *r = p->model->locks;
	struct lock_outcome *rows = array_new(r->locks.n, sizeof *rows);

	*n = 0;
	for (size_t i = 0; i < r->locks.n; i++) {
		int64_t before = waits_before(p, i);

		if (before || p->changed->lock_waits[i])
			rows[(*n)++] = (struct lock_outcome){r->locks.at[i].label, before,
							     p->changed->lock_waits[i]};
	}
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

/* Says why the longest of these waits waited, and how long all did: "output (pipe 1, 1.2 s)". */
static char *apart_text(const struct prediction *p, enum apart_kind kind)
{
	const struct apart_waits *a = &p->changed_operations->apart[kind];
	const struct interval *wait =
	    kind == APART_UNKNOWN ? NULL : p->model->graph->waits[a->role].interval;
	char time[UNITS_TEXT];

	return text_format("%s (%s%s%s)",
			   wait ? style_label(&wait->style, wait->name) : "an unknown reason",
			   kind == APART_OBJECT ? p->model->locks->locks.at[a->object].label : "",
			   kind == APART_OBJECT ? ", " : "", units_time(time, (double)a->time));
}

char *outcome_apart(const struct prediction *p)
{
	static const int64_t much = 10; /* a tenth of these waits */
	const struct apart_waits *a = p->changed_operations->apart;
	int64_t all = 0;
	char *text = NULL;

	for (int i = 0; i < NAPART_KINDS; i++)
		all += a[i].time;
	for (int i = 0; p->overlapping >= 0 && i < NAPART_KINDS; i++) {
		char *one, *longer;

		if (!a[i].time || a[i].time * much < all)
			continue;
		one = apart_text(p, (enum apart_kind)i);
		longer = text_format("%s%s%s", text ? text : "", text ? ", " : "", one);
		free(one);
		free(text);
		text = longer;
	}
	return text;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool belongs(const struct hand_out_row *r, const struct hand_out_pool *pool)
{
	return is_same(r->pool.name, pool->name) && is_same(r->pool.site, pool->site) &&
	       is_same(r->pool.doubt, pool->doubt);
}

struct hand_out_row *outcome_hand_out(const struct prediction *p, size_t *n)
{
	const struct hand_out *h = p->hand_out;
	struct hand_out_row *rows = array_new(h ? h->pools.n : 0, sizeof *rows);

	*n = 0;
	for (size_t i = 0; h && i < h->pools.n; i++) {
		const struct hand_out_pool *pool = &h->pools.at[i];
		size_t k = 0;

		while (k < *n && !belongs(&rows[k], pool))
			k++;
		if (k == *n) {
			rows[(*n)++] = (struct hand_out_row){*pool, 1};
			continue;
		}
		rows[k].npools++;
		rows[k].pool.nitems += pool->nitems;
		if (pool->nthreads > rows[k].pool.nthreads)
			rows[k].pool.nthreads = pool->nthreads;
	}
	return rows;
}

const char *hand_out_doubt(const struct prediction *p, const struct hand_out_row *r)
{
	return r->pool.doubt ? r->pool.doubt : p->copied;
}
