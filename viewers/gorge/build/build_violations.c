/* What breaks an assertion: marks at the anchors; and what is drawn of one instance alone. */
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/query/violations.h"
#include "viewers/gorge/scene/marks.h"

static void put_offenders(struct gather *g, const struct subset *offenders, uint32_t key)
{
	struct marks *marks = marks_begin(g->scene, key);

	for (unsigned t = 0; t < g->trace->nthreads; t++)
		if (g->lane_of[t] != NO_KEY)
			subset_put(offenders, t, g->scene, marks, g->lane_of[t]);
	marks_end(marks, &g->scene->violations);
}

static void sign_pieces(struct scene *s, const struct subset *offenders, uint32_t key)
{
	for (size_t i = 0; i < s->bars.n; i++) {
		struct bar *b = &s->bars.at[i];
		if (b->key == key)
			b->violates = b->count == 1 && subset_has(offenders, b->anchor);
	}
	for (size_t i = 0; i < s->links.n; i++) {
		struct link *l = &s->links.at[i];
		if (l->key == key)
			l->violates = l->count == 1 && subset_has(offenders, l->anchor);
	}
}

void gather_violations(struct gather *g)
{
	const struct spec *spec = g->trace->spec;

	for (unsigned i = 0, key = 0; i < spec->nintervals; i++) {
		const struct subset *offenders = violations_of(g->model->violations,
							       spec->intervals[i]);
		if (!g->intervals[i])
			continue;
		if (offenders) {
			put_offenders(g, offenders, key);
			sign_pieces(g->scene, offenders, key);
		}
		key++;
	}
}
