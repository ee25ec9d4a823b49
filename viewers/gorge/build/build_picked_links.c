/* Lines of what is picked. */
#include "viewers/gorge/build/build_links.h"

static void put_each(struct bunch *b, struct begun begun)
{
	const struct spans *s = b->spans;
	struct event_walk walk;

	event_walk_begin(&walk, b->lining->grid->event_index, s->from, NULL);
	for (size_t i = begun.i; i < begun.end; i++)
		if (lines_picked(b, s, i))
			lines_put(b, i, lines_start(b, &walk, i), 1);
}

/* Of a group that has any the first, for those that are. */
static void put_groups(struct bunch *b, struct begun begun)
{
	const struct grid *grid = b->lining->grid;
	const struct spans *s = b->spans;
	struct selection_walk tally = gather_grid_tally(grid, s, begun.i);
	unsigned column = 0;
	size_t end, before = 0; /* groups are alike */

	for (size_t i = begun.i; i < begun.end; i = end) {
		uint64_t count;
		size_t first;
		end = lines_group(b, i, begun.end, &column, before);
		before = end - i;
		count = selection_walk_to(&tally, end);
		if (!count)
			continue;
		first = selection_walk_first(&tally, i, end);
		lines_put(b, first, lines_middle(grid, gather_grid_column(grid, s->from, column, s->start[first])), count);
	}
}

void lines_put_picked(struct bunch *b, struct begun begun)
{
	gather_grid_reaching(b->lining->grid, b->spans, begun.i, lines_reaching, b);
	if (b->lining->group)
		put_groups(b, begun);
	else
		put_each(b, begun);
}
