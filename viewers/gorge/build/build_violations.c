/* What breaks an assertion: marks at the anchors; and what is drawn of one instance alone. */
#include "viewers/gorge/build/grid.h"
#include "viewers/gorge/scene/marks.h"
#include "viewers/gorge/query/violations.h"

/* Column by column: only those that have any are looked at. */
static void put_thread(struct gather *g, const struct event_set *offenders, unsigned thread,
		       struct marks *marks)
{
	const struct scene *s = g->scene;
	struct event_walk w;
	uint32_t unit;

	event_walk_begin(&w, g->grid->event_index, thread, NULL);
	event_walk_to_time(&w, s->window.from);
	while ((unit = event_set_next(offenders, thread, w.at.unit)) != UINT32_MAX) {
		int32_t column;
		event_walk_to_unit(&w, unit);
		if (w.at.time > s->window.to)
			return;
		column = scene_column(s, w.at.time);
		event_walk_to_time(&w, scene_column_end(s, column));
		marks_count(marks, g->lane_of[thread], column, 0, event_id_make(thread, unit),
			    event_set_count(offenders, thread, unit, w.at.unit));
	}
}

static void put_offenders(struct gather *g, const struct event_set *offenders, uint32_t key)
{
	struct marks *marks = marks_begin(g->scene, key);

	for (unsigned t = 0; t < g->trace->nthreads; t++)
		if (g->lane_of[t] != NO_KEY)
			put_thread(g, offenders, t, marks);
	marks_end(marks, &g->scene->violations);
}

static void sign_pieces(struct scene *s, const struct event_set *offenders, uint32_t key)
{
	for (size_t i = 0; i < s->bars.n; i++) {
		struct bar *b = &s->bars.at[i];
		if (b->key == key)
			b->violates = b->count == 1 && event_set_has(offenders, b->anchor);
	}
	for (size_t i = 0; i < s->links.n; i++) {
		struct link *l = &s->links.at[i];
		if (l->key == key)
			l->violates = l->count == 1 && event_set_has(offenders, l->anchor);
	}
}

void gather_violations(struct gather *g)
{
	const struct spec *spec = g->trace->spec;

	for (unsigned i = 0, key = 0; i < spec->nintervals; i++) {
		const struct event_set *offenders = violations_of(g->view->violations, spec->intervals[i]);
		if (!g->intervals[i])
			continue;
		if (offenders) {
			put_offenders(g, offenders, key);
			sign_pieces(g->scene, offenders, key);
		}
		key++;
	}
}
