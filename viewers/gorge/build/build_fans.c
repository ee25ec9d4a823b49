/* Lines from one thread to any others, some of which are not shown: each instance is looked at. */
#include "viewers/gorge/build/build_links.h"

/* One of [i, end) that is shown, by lot, for all of them. */
static void put_some(struct bunch *b, struct event_walk *walk, size_t i, size_t end)
{
	const struct spans *s = b->spans;
	size_t chosen = lines_lot(s, i, end - i), one = end, count = 0;

	for (; i < end; i++) {
		if (!lines_count(b, i))
			continue;
		if (one == end || i <= chosen)
			one = i;
		count++;
	}
	if (count == 0)
		return;
	lines_put(b, one, lines_start(b, walk, one), count);
}

void lines_fan(struct bunch *b, struct begun begun)
{
	const struct grid *grid = b->lining->grid;
	size_t each = lines_each(b, begun), end;
	struct event_walk walk;

	gather_grid_reaching(grid, b->spans, begun.i, lines_reaching, b);
	event_walk_begin(&walk, grid->event_index, b->spans->from, NULL);
	for (size_t i = begun.i; i < begun.end; i = end) {
		end = begun.end - i < each ? begun.end : i + each;
		put_some(b, &walk, i, end);
	}
}
