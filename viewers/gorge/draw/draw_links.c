#include "viewers/gorge/draw/compose.h"
#include <math.h>

double bundle_width(double share)
{
	return share < 0.5 ? 0.7 : share < 2 ? 1 : share < 8 ? 1.5 : 2.2;
}

/* Returns the width of a link among the others. */
static double link_width(const struct scene *s, const struct link *link)
{
	double mean = (double)s->linked / (double)s->links.n;

	return bundle_width(s->bundle > 1 ? (double)link->count / mean : (double)link->count);
}

/*
 * Few lines are opaque; many are faint, so that dense places can be seen. Lines of one figure do
 * not add up: many are painted in LAYERS layers.
 */
enum { LAYERS = 10, FEW = 100 };

/* Lines that neither begin nor end in the window are so much fainter. */
#define FAINT 0.2

static double opacity(size_t lines)
{
	return fmin(0.9, fmax(0.22, 9 / sqrt((double)lines + 1)));
}

/* Counts the lines that begin or end in the window. */
static size_t count_ending(const struct scene *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->links.n; i++)
		n += !s->links.at[i].passing;
	return n;
}

struct segment {
	double x0, y0, x1, y1;
};

/* Clips a segment to [0, width]; returns false if nothing is left. */
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

/*
 * Returns by how many pixels the lines of an interval are moved, so that those of several intervals
 * between the same events are beside each other.
 */
static double draw_links_shift_of(const struct scene *s, unsigned key)
{
	double place = 0, lines = 0;

	for (unsigned i = 0; i < s->nintervals; i++) {
		if (i == key)
			place = lines;
		lines += s->intervals[i].across;
	}
	return lines > 1 ? (place - (lines - 1) / 2) * 1.6 : 0;
}

void link_draw(struct drawing *d, const struct scene *s, const struct layout *l,
	       const struct link *link)
{
	const struct link_end *from = &link->start, *to = &link->end;
	struct segment g = {
	    from->x,
	    layout_mark_y(s, l, from->lane, from->event, from->shift),
	    to->x,
	    layout_mark_y(s, l, to->lane, to->event, to->shift),
	};
	double left = l->x + 0.5 + draw_links_shift_of(s, link->key);

	if (!clip(&g, s->columns))
		return;
	drawing_move(d, left + g.x0, g.y0);
	drawing_line(d, left + g.x1, g.y1);
}

/* Tests whether two links in sequence are drawn with one brush. */
static bool same_brush(const struct scene *s, const struct link *a, const struct link *b)
{
	return a->key == b->key && a->passing == b->passing && link_width(s, a) == link_width(s, b);
}

/*
 * Links come key by key, those that only pass first, each from the smallest bundle to the largest.
 */
void links_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	double alpha = opacity(count_ending(s)), faint = opacity(s->links.n) * FAINT;
	size_t layer = s->links.n > FEW ? s->links.n / LAYERS : FEW;

	for (size_t i = 0; i < s->links.n; i++) {
		const struct link *link = &s->links.at[i];
		if (i % layer == 0 || !same_brush(s, link, link - 1))
			drawing_brush(
			    d, (struct brush){.colour = colour_fade(line_colour(s, link->key),
								    link->passing ? faint : alpha),
					      .width = link_width(s, link)});
		link_draw(d, s, l, link);
	}
}
