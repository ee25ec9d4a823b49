/* Puts the critical path into a scene. */
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/query/path_pieces.h"
#include <stdlib.h>

struct path_building {
	struct scene *scene;
	uint32_t *lanes; /* by thread */
	uint32_t before;
};

static uint32_t *lanes_of_threads(const struct scene *s, const struct trace *t)
{
	uint32_t *lanes = array_new(t->nthreads, sizeof *lanes);

	for (unsigned i = 0; i < t->nthreads; i++)
		lanes[i] = NO_LANE;
	for (unsigned i = 0; i < s->nlanes; i++)
		for (size_t r = 0; r < s->lanes[i].threads.n; r++) {
			const struct thread_run *run = &s->lanes[i].threads.at[r];

			for (uint64_t number = run->first; number <= run->last; number++)
				lanes[trace_thread_index(t, (uint32_t)number)] = i;
		}
	return lanes;
}

static void part_add(void *context, const struct path_piece *p, int64_t from, int64_t to,
		     uint64_t count)
{
	struct path_building *b = context;
	uint32_t lane = p->thread == NO_THREAD ? NO_LANE : b->lanes[p->thread];
	uint32_t other = p->other == NO_THREAD ? NO_LANE : b->lanes[p->other];
	double x0 = scene_x(b->scene, from), x1 = scene_x(b->scene, to);

	(void)count;
	if (lane != NO_LANE)
		*vector_add(&b->scene->path) = (struct path_part){
		    .x0 = x0 < 0 ? 0 : x0,
		    .x1 = x1 > b->scene->columns ? b->scene->columns : x1,
		    .lane = lane,
		    .before = b->before == NO_LANE ? other : b->before,
		    .runs = p->kind == PATH_STRETCH && p->activity == ACTIVITY_RUNNING,
		};
	b->before = lane;
}

void scene_put_path(struct scene *s, const struct trace *t, const struct critical_path *c)
{
	struct path_building b = {s, lanes_of_threads(s, t), NO_LANE};

	path_pieces(c, s->window.from, s->window.to, (s->window.to - s->window.from) / s->columns,
		    part_add, &b);
	free(b.lanes);
	if (s->path.n)
		scene_note(
		    s,
		    text_format(
			"The red line is the critical path: the work that the end of the run waited for. "
			"Where it is dashed, no thread on it runs."));
}
