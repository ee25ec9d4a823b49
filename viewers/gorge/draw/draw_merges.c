/*
 * Draws the states of a folded lane's threads: how many there are of each, one above the other.
 * Those that are blocked are left out, since they would hide how many run.
 */
#include "viewers/gorge/draw/compose.h"
#include <math.h>
#include <stdlib.h>

enum { SCALE_LETTERS = 8 };

/*
 * Draws an area below as many threads as each column has. What is narrower than a pixel counts where
 * it begins, which may be too much for that pixel.
 */
static void draw_area(struct drawing *d, const struct scene *s, const struct layout *l,
		      const struct merge *m, const double *sums)
{
	const struct place *p = &l->places[m->lane];
	double most = s->lanes[m->lane].most, base = p->rows + p->merge;
	double unit = (p->merge - 2) / most;
	bool open = false;

	drawing_brush(d, (struct brush){.colour = s->intervals[m->key].colour});
	for (unsigned c = 0; c < s->columns; c++) {
		bool shown = m->threads[c] > 0;
		double x = l->x + c, y = base - fmin(sums[c], most) * unit;
		if (open && !shown) {
			drawing_line(d, x, base);
			drawing_close(d);
		} else if (!open && shown) {
			drawing_move(d, x, base);
			drawing_line(d, x, y);
		} else if (shown && sums[c] != sums[c - 1]) {
			drawing_line(d, x, base - fmin(sums[c - 1], most) * unit);
			drawing_line(d, x, y);
		}
		open = shown;
	}
	if (!open)
		return;
	drawing_line(d, l->x + s->columns, base - fmin(sums[s->columns - 1], most) * unit);
	drawing_line(d, l->x + s->columns, base);
	drawing_close(d);
}

static bool is_drawn(const struct scene *s, const struct merge *m)
{
	return s->intervals[m->key].state != STATE_BLOCKED;
}

/* Draws the merges [first, first + n), which are a lane's: the highest area first. */
static void draw_lane(struct drawing *d, const struct scene *s, const struct layout *l,
		      const struct merge *merges, size_t n)
{
	double *sums = array_zero(s->columns, sizeof *sums);

	for (size_t i = 0; i < n; i++)
		for (unsigned c = 0; is_drawn(s, &merges[i]) && c < s->columns; c++)
			sums[c] += (double)merges[i].threads[c];
	for (size_t i = n; i-- > 0;) {
		if (!is_drawn(s, &merges[i]))
			continue;
		draw_area(d, s, l, &merges[i], sums);
		for (unsigned c = 0; c < s->columns; c++)
			sums[c] -= (double)merges[i].threads[c];
	}
	free(sums);
}

void merges_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (size_t i = 0, end; i < s->merges.n; i = end) {
		for (end = i; end < s->merges.n && s->merges.at[end].lane == s->merges.at[i].lane;)
			end++;
		draw_lane(d, s, l, &s->merges.at[i], end - i);
	}
}

void merges_draw_scales(struct drawing *d, const struct scene *s, const struct layout *l)
{
	struct typeface face = {.size = SCALE_LETTERS, .align = ALIGN_RIGHT,
				.colour = s->theme->muted};
	double x = l->x - PLOT_INDENT - 2;

	for (unsigned i = 0; i < s->nlanes; i++) {
		const struct place *p = &l->places[i];
		char text[16];
		if (!s->lanes[i].merged || !s->lanes[i].most || p->merge < SCALE_LETTERS)
			continue;
		snprintf(text, sizeof text, "%u", s->lanes[i].most);
		drawing_text(d, &face, x, p->rows + SCALE_LETTERS - 1, 0, text);
		drawing_brush(d, (struct brush){.colour = s->theme->muted, .width = 0.6});
		drawing_move(d, x + 2, p->rows + 2);
		drawing_line(d, x + 5, p->rows + 2);
	}
}
