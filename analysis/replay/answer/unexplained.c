#include "analysis/replay/answer/unexplained.h"
#include "analysis/activity/span_text.h"
#include "analysis/replay/program/operations.h"
#include <stdlib.h>
#include <string.h>

static const char *where_of(const struct model *m, const struct unexplained_wait *w)
{
	const struct stretch *s = &m->graph->threads[w->thread].stretches[w->stretch];
	const struct instance_span *wait =
	    span_at(instance_spans(m->set, SPANS_WAIT, w->thread), s->from);

	if (s->activity == ACTIVITY_READY)
		return "ready";
	if (s->activity == ACTIVITY_BLOCKED || !wait)
		return "blocked";
	return span_class_text(m->trace, &m->set->classes.at[wait->class]);
}

static int by_where(const void *a, const void *b)
{
	const struct unexplained_waits *x = a, *y = b;

	return strcmp(x->where, y->where);
}

static int by_time(const void *a, const void *b)
{
	const struct unexplained_waits *x = a, *y = b;

	return x->time != y->time ? (x->time < y->time ? 1 : -1) : strcmp(x->where, y->where);
}

/* Joins neighbours of one place. Returns how many rows are left. */
static size_t rows_join(struct unexplained_waits *rows, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct unexplained_waits *last = kept ? &rows[kept - 1] : NULL;

		if (!last || by_where(last, &rows[i]) != 0) {
			rows[kept++] = rows[i];
			continue;
		}
		last->waits++;
		last->time += rows[i].time;
		last->unknown += rows[i].unknown;
		if (rows[i].longest > last->longest) {
			last->longest = rows[i].longest;
			last->thread = rows[i].thread;
		}
	}
	return kept;
}

struct unexplained_waits *unexplained_of(struct model *m, size_t *n)
{
	struct operations *o = operations_of(m, &(struct operation_rules){.listed = true});
	struct unexplained_waits *rows = array_new(o->waits.n, sizeof *rows);

	for (size_t i = 0; i < o->waits.n; i++) {
		const struct unexplained_wait *w = &o->waits.at[i];

		rows[i] = (struct unexplained_waits){
		    .where = where_of(m, w),
		    .waits = 1,
		    .time = w->time,
		    .unknown = unknown_in(m->unknown, w->thread, w->stretch),
		    .longest = w->time,
		    .thread = w->thread};
	}
	*n = o->waits.n;
	if (*n)
		qsort(rows, *n, sizeof *rows, by_where);
	*n = rows_join(rows, *n);
	if (*n)
		qsort(rows, *n, sizeof *rows, by_time);
	operations_free(o);
	return rows;
}
