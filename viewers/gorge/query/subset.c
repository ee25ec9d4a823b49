#include "viewers/gorge/query/subset.h"
#include "base/array.h"
#include "viewers/gorge/index/shifts.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/lookup.h"
#include <stdlib.h>

/* So many of a thread's are visited. */
enum { VISITED = 4000 };

struct subset {
	struct model *model;
	struct anchors *units;  /* NULL: it is of matches, and has what follows */
	const struct matches *matches;
	uint8_t *bits;          /* by anchor */
	uint32_t *anchors;      /* thread by thread in the order of time */
	size_t *first;          /* of each thread in them; and the end */
	uint64_t *told;         /* as scenes tell them, in order */
};

struct subset *subset_of(struct model *model, struct anchors *anchors)
{
	struct subset *s = array_zero(1, sizeof *s);

	*s = (struct subset){.model = model, .units = anchors};
	return s;
}

struct subset *subset_new(struct model *model, const struct matches *m)
{
	struct subset *s = array_zero(1, sizeof *s);

	*s = (struct subset){.model = model, .matches = m, .bits = array_zero(m->count / 8 + 1, 1)};
	return s;
}

void subset_free(struct subset *s)
{
	if (!s)
		return;
	anchors_free(s->units);
	free(s->bits);
	free(s->anchors);
	free(s->first);
	free(s->told);
	free(s);
}

void subset_add(struct subset *s, size_t anchor)
{
	s->bits[anchor / 8] |= (uint8_t)(1 << anchor % 8);
}

static bool has(const struct subset *s, size_t anchor)
{
	return s->bits[anchor / 8] >> anchor % 8 & 1;
}

static int compare_told(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

bool subset_has(const struct subset *s, uint64_t told)
{
	if (s->units)
		return anchors_has(s->units, told);
	return bsearch(&told, s->told, s->first[s->model->trace->nthreads], sizeof told, compare_told);
}

static unsigned thread_of(const struct subset *s, size_t anchor)
{
	struct event e;

	moments_event(&s->matches->anchors, anchor, &e);
	return thread_index(s->model->trace, e.thread);
}

/* Anchors come in the order of time: so do those of each thread. */
void subset_end(struct subset *s)
{
	unsigned nthreads = s->model->trace->nthreads;
	size_t *next = array_zero(nthreads + 1, sizeof *next);

	s->first = array_zero(nthreads + 1, sizeof *s->first);
	for (size_t a = 0; a < s->matches->count; a++)
		if (has(s, a))
			s->first[thread_of(s, a) + 1]++;
	for (unsigned t = 0; t < nthreads; t++)
		next[t + 1] = s->first[t + 1] += s->first[t];
	s->anchors = array_zero(s->first[nthreads], sizeof *s->anchors);
	for (size_t a = 0; a < s->matches->count; a++)
		if (has(s, a))
			s->anchors[next[thread_of(s, a)]++] = (uint32_t)a;
	free(next);
	s->told = array_zero(s->first[nthreads], sizeof *s->told);
	for (size_t i = 0; i < s->first[nthreads]; i++)
		s->told[i] = lookup_told(s->model, s->matches, s->anchors[i]);
	qsort(s->told, s->first[nthreads], sizeof *s->told, compare_told);
}

static int64_t time_at(const struct subset *s, size_t i)
{
	return moments_time(&s->matches->anchors, s->anchors[i]);
}

/* The first of [i, end) that is not before the time. */
static size_t seek(const struct subset *s, size_t i, size_t end, int64_t time)
{
	while (i < end) {
		size_t middle = i + (end - i) / 2;
		if (time_at(s, middle) < time)
			i = middle + 1;
		else
			end = middle;
	}
	return i;
}

/* Column by column: only those that have any are looked at. */
static void put_units(const struct subset *s, unsigned thread, const struct scene *scene,
			struct marks *marks, uint32_t lane)
{
	const struct census *c = pyramid_census(s->model->pyramid);
	struct census_walk w;
	uint32_t unit;

	walk_begin(&w, c, thread, NULL);
	walk_to_time(&w, scene->window.from);
	while ((unit = anchors_next(s->units, thread, w.at.unit)) != UINT32_MAX) {
		int32_t column;
		walk_to_unit(&w, unit);
		if (w.at.time > scene->window.to)
			return;
		column = scene_column(scene, w.at.time);
		walk_to_time(&w, scene_column_end(scene, column));
		marks_count(marks, lane, column, 0, id_make(thread, unit),
			    anchors_count(s->units, thread, unit, w.at.unit));
	}
}

static void put_places(const struct subset *s, unsigned thread, const struct scene *scene,
		       struct marks *marks, uint32_t lane)
{
	size_t end = s->first[thread + 1];

	for (size_t next, i = seek(s, s->first[thread], end, scene->window.from); i < end; i = next) {
		int64_t time = time_at(s, i);
		int32_t column = scene_column(scene, time);
		if (time > scene->window.to)
			return;
		next = seek(s, i, end, scene_column_end(scene, column));
		marks_count(marks, lane, column, 0,
			    lookup_told(s->model, s->matches, s->anchors[i]), next - i);
	}
}

void subset_put(const struct subset *s, unsigned thread, const struct scene *scene,
		struct marks *marks, uint32_t lane)
{
	(s->units ? put_units : put_places)(s, thread, scene, marks, lane);
}

void subset_visit(const struct subset *s, unsigned thread, const struct window *w,
		  void (*take)(void *context, size_t anchor, uint64_t count), void *context)
{
	size_t i = seek(s, s->first[thread], s->first[thread + 1], w->from),
	       end = seek(s, i, s->first[thread + 1], w->to + 1), each = (end - i) / VISITED + 1;

	for (; i < end; i += each)
		take(context, s->anchors[i], end - i < each ? end - i : each);
}
