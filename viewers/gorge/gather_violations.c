/* What breaks an assertion: marks at the anchors, and signs at what is drawn of one instance alone. */
#include "viewers/gorge/gather.h"
#include "viewers/gorge/marks.h"
#include "viewers/gorge/violations.h"
#include <stdlib.h>

static void put_interval(struct gather *g, const struct interval *interval, uint32_t key)
{
	struct marks *marks = marks_begin(g->scene, key);

	for (unsigned t = 0; t < g->trace->nthreads; t++)
		if (g->lane_of[t] != NO_KEY)
			violations_put(g->model->violations, interval, t, g->scene, marks,
				       g->lane_of[t]);
	marks_end(marks, &g->scene->violations);
}

/* chosen: the intervals by their keys. */
static void sign_pieces(struct gather *g, const struct interval *const *chosen)
{
	const struct violations *v = g->model->violations;
	struct scene *s = g->scene;

	for (size_t i = 0; i < s->bars.n; i++) {
		struct bar *b = &s->bars.at[i];
		b->violates = b->count == 1 && violations_have(v, chosen[b->key], b->anchor);
	}
	for (size_t i = 0; i < s->links.n; i++) {
		struct link *l = &s->links.at[i];
		l->violates = l->count == 1 && violations_have(v, chosen[l->key], l->anchor);
	}
}

void gather_violations(struct gather *g)
{
	const struct spec *spec = g->trace->spec;
	const struct interval **chosen = zeroed(spec->nintervals, sizeof *chosen);
	unsigned n = 0;

	for (unsigned i = 0; i < spec->nintervals; i++)
		if (g->intervals[i]) {
			put_interval(g, spec->intervals[i], n);
			chosen[n++] = spec->intervals[i];
		}
	sign_pieces(g, chosen);
	free(chosen);
}
