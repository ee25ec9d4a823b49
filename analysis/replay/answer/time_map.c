#include "analysis/replay/answer/time_map.h"
#include <stdlib.h>

static void mapped_add(struct time_map *m, int64_t recorded, int64_t predicted)
{
	const struct time_map_point *last = m->all.n ? &m->all.at[m->all.n - 1] : NULL;

	if (!last || recorded >= last->recorded)
		*vector_add(&m->all) = (struct time_map_point){recorded, predicted};
}

void time_map_make(struct time_map *m, const struct operations *o, const struct replay *r,
		   uint32_t thread)
{
	m->all.n = m->at = 0;
	for (size_t i = o->first[thread]; i < o->first[thread + 1]; i++) {
		mapped_add(m, o->times.at[i].began, r->begun[i]);
		mapped_add(m, o->times.at[i].done, r->done[i]);
	}
}

int64_t time_map_get(struct time_map *m, int64_t time)
{
	const struct time_map_point *a, *b;

	while (m->at + 1 < m->all.n && m->all.at[m->at + 1].recorded <= time)
		m->at++;
	a = &m->all.at[m->at];
	b = m->at + 1 < m->all.n ? a + 1 : NULL;
	if (!b || time <= a->recorded)
		return a->predicted + (time > a->recorded ? time - a->recorded : 0);
	return a->predicted +
	       (int64_t)((double)(time - a->recorded) / (double)(b->recorded - a->recorded) *
			 (double)(b->predicted - a->predicted));
}

void time_map_free(struct time_map *m)
{
	free(m->all.at);
	*m = (struct time_map){0};
}
