#include "viewers/gorge/compose.h"
#include <math.h>

double bundle_width(uint64_t count)
{
	return count < 2 ? 1 : count < 8 ? 1.6 : count < 64 ? 2.4 : 3.4;
}

/*
 * Few lines are opaque; of many each is faint, so that one sees where they are dense. Lines of one figure do not add up:
 * many are painted in so many layers.
 */
enum { LAYERS = 10, FEW = 100 };

static double opacity(size_t lines)
{
	return fmin(0.9, fmax(0.22, 9 / sqrt((double)lines + 1)));
}

struct segment {
	double x0, y0, x1, y1;
};

/* What of the line lies within [0, width]; false: nothing. */
static bool clip(struct segment *g, double width)
{
	double length = g->x1 - g->x0, slope = length != 0 ? (g->y1 - g->y0) / length : 0;

	if (fmax(g->x0, g->x1) < 0 || fmin(g->x0, g->x1) > width)
		return false;
	if (g->x0 < 0) {
		g->y0 -= g->x0 * slope;
		g->x0 = 0;
	}
	if (g->x1 > width) {
		g->y1 -= (g->x1 - width) * slope;
		g->x1 = width;
	}
	return true;
}

static void draw_link(struct drawing *d, const struct scene *s, const struct layout *l, const struct link *link)
{
	struct segment g = {
		link->start.x, layout_mark_y(s, l, link->start.lane, link->start.event, link->start.shift),
		link->end.x, layout_mark_y(s, l, link->end.lane, link->end.event, link->end.shift),
	};

	if (!clip(&g, s->columns))
		return;
	drawing_move(d, l->x + g.x0, g.y0);
	drawing_line(d, l->x + g.x1, g.y1);
}

/* Links come key by key, each from the smallest bundle to the largest: a brush for each width and layer. */
void compose_links(struct drawing *d, const struct scene *s, const struct layout *l)
{
	double alpha = opacity(s->links.n);
	size_t layer = s->links.n > FEW ? s->links.n / LAYERS : FEW;

	for (size_t i = 0; i < s->links.n; i++) {
		const struct link *link = &s->links.at[i], *before = link - 1;
		double width = bundle_width(link->count);
		if (i % layer == 0 || before->key != link->key || bundle_width(before->count) != width)
			drawing_brush(d, (struct brush){
				.colour = colour_fade(s->intervals[link->key].colour, alpha), .width = width});
		draw_link(d, s, l, link);
	}
}
