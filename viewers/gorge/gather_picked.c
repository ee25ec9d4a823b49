/* Where instances begin that are picked, from the pyramid. */
#include "trace/parallel.h"
#include "viewers/gorge/gather_grid.h"

struct beginning {
	const struct grid *grid;
	const struct instances *instances;
	uint64_t *counts;       /* by lane and column */
};

/* So few of one column are counted one by one: then nothing has to be counted ahead. */
enum { LOOKED_AT = 64 };

static uint64_t count_column(const struct scene *scene, struct sheaf *s, size_t i, size_t end)
{
	if (end - i <= LOOKED_AT)
		return sheaf_lasting(s, i, end, scene->pick.least, scene->pick.most);
	sheaf_pick(s, scene->pick.least, scene->pick.most);
	return sheaf_picked(s, i, end);
}

static void count_row(const struct grid *grid, struct sheaf *s, uint64_t *counts)
{
	struct begun begun = gather_grid_begun(grid, s);
	unsigned column = 0;
	size_t end, before = 0; /* columns are alike */

	for (size_t i = begun.i; i < begun.end; i = end) {
		column = gather_grid_column(grid, s->from, column, s->start[i]);
		end = units_near(s->start, i, begun.end, i + before, grid->units[s->from][column + 1]);
		before = end - i;
		counts[column] += count_column(grid->g->scene, s, i, end);
	}
}

static void count_lane(void *context, size_t lane, unsigned worker)
{
	const struct beginning *b = context;
	const struct gather *g = b->grid->g;
	const struct lane_plan *plan = &g->plan.at[lane];

	(void)worker;
	for (unsigned i = plan->first; i < plan->first + plan->n; i++) {
		struct within *w = &b->instances->within[g->order[i]];
		for (size_t row = 0; row < w->rows.n; row++)
			count_row(b->grid, &w->rows.at[row], &b->counts[lane * b->grid->columns]);
	}
}

uint64_t *gather_grid_begins(const struct grid *grid, const struct instances *n)
{
	unsigned nlanes = grid->g->scene->nlanes;
	struct beginning b = {grid, n, zeroed((size_t)nlanes * grid->columns, sizeof *b.counts)};

	parallel_for(nlanes, count_lane, &b);
	return b.counts;
}
