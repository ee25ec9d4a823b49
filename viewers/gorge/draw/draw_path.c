/*
 * Draws the critical path: at the top of each lane, and between lanes where it goes on in another
 * thread.
 */
#include "viewers/gorge/draw/compose.h"
#include <math.h>

/* Of the lines in lanes and between them; each has a background that is wider. */
static const double WITHIN = 3, BETWEEN = 1.2, BACKGROUND = 2.6;

/* Where neither bars nor states are. */
static double path_y(const struct layout *l, uint32_t lane)
{
	const struct lane_place *p = &l->places[lane];

	return p->top + fmin(4, p->height / 2);
}

static void path_lines(struct drawing *d, const struct scene *s, const struct layout *l,
		       bool between, bool runs)
{
	for (size_t i = 0; i < s->path.n; i++) {
		const struct path_part *p = &s->path.at[i];
		double y = path_y(l, p->lane);

		if (between && p->before != NO_LANE && p->before != p->lane) {
			drawing_move(d, l->x + p->x0, path_y(l, p->before));
			drawing_line(d, l->x + p->x0, y);
		}
		if (!between && p->runs == runs) {
			drawing_move(d, l->x + p->x0, y);
			drawing_line(d, l->x + fmax(p->x1, p->x0 + 1), y);
		}
	}
}

void path_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	const struct theme *t = s->theme;

	if (!s->path.n)
		return;
	drawing_brush(d, (struct brush){.colour = t->page, .width = BETWEEN + BACKGROUND});
	path_lines(d, s, l, true, false);
	drawing_brush(d, (struct brush){.colour = t->alarm, .width = BETWEEN});
	path_lines(d, s, l, true, false);
	drawing_brush(d, (struct brush){.colour = t->page, .width = WITHIN + BACKGROUND});
	path_lines(d, s, l, false, false);
	path_lines(d, s, l, false, true);
	drawing_brush(d, (struct brush){.colour = t->alarm, .width = WITHIN, .dashed = true});
	path_lines(d, s, l, false, false);
	drawing_brush(d, (struct brush){.colour = t->alarm, .width = WITHIN});
	path_lines(d, s, l, false, true);
}
