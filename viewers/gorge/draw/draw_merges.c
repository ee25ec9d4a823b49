/*
 * Draws the states of a folded lane's threads: how many there are of each, one above the other.
 * Those that are blocked are left out, since they would hide how many run.
 */
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/scene/merges.h"
#include <math.h>
#include <stdlib.h>

enum { SCALE_LETTERS = 8 };

/*
 * Draws an area below as many threads as each column has. What is narrower than a pixel counts
 * where it begins, which may be too much for that pixel.
 */
static void draw_area(struct drawing *d, const struct scene *s, const struct layout *l,
		      const struct merged_state *m, const double *sums)
{
	const struct lane_place *p = &l->places[m->lane];
	double most = s->lanes[m->lane].most, base = p->rows + p->merge;
	double unit = (p->merge - 2) / most;
	bool open = false;

	drawing_brush(d, (struct brush){.colour = s->intervals[m->key].colour});
	for (unsigned c = 0; c < s->columns; c++) {
		bool shown = m->threads[c] > 0;
		double x = l->x + c, y = base - fmin(sums[c], most) * unit;
		if (open && !shown) {
			/* its top may not have changed for a while */
			drawing_line(d, x, base - fmin(sums[c - 1], most) * unit);
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

/* Draws the merges [first, first + n), which are a lane's: the highest area first. */
static void draw_lane(struct drawing *d, const struct scene *s, const struct layout *l,
		      const struct merged_state *merges, size_t n)
{
	double *sums = array_zero(s->columns, sizeof *sums);

	for (size_t i = 0; i < n; i++)
		for (unsigned c = 0; merge_is_shown(s, &merges[i]) && c < s->columns; c++)
			sums[c] += (double)merges[i].threads[c];
	for (size_t i = n; i-- > 0;) {
		if (!merge_is_shown(s, &merges[i]))
			continue;
		draw_area(d, s, l, &merges[i], sums);
		for (unsigned c = 0; c < s->columns; c++)
			sums[c] -= (double)merges[i].threads[c];
	}
	free(sums);
}

/* Draws the line up to which there are processors. */
static void draw_limit(struct drawing *d, const struct scene *s, const struct layout *l, unsigned i)
{
	const struct lane_place *p = &l->places[i];
	double y = p->rows + p->merge - (p->merge - 2) * s->processors / s->lanes[i].most;

	drawing_brush(d, (struct brush){.colour = s->theme->ink, .width = 1, .dashed = true});
	drawing_move(d, l->x, round(y) + 0.5);
	drawing_line(d, l->x + s->columns, round(y) + 0.5);
}

void merges_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (size_t i = 0, end; i < s->merges.n; i = end) {
		for (end = i; end < s->merges.n && s->merges.at[end].lane == s->merges.at[i].lane;)
			end++;
		draw_lane(d, s, l, &s->merges.at[i], end - i);
	}
	for (unsigned i = 0; s->processors && i < s->nlanes; i++)
		if (s->lanes[i].processors && s->lanes[i].most)
			draw_limit(d, s, l, i);
}

void merges_draw_scales(struct drawing *d, const struct scene *s, const struct layout *l)
{
	struct typeface face = {
	    .size = SCALE_LETTERS, .align = ALIGN_RIGHT, .colour = s->theme->muted};
	double x = l->x - PLOT_INDENT - 2;

	for (unsigned i = 0; i < s->nlanes; i++) {
		const struct lane_place *p = &l->places[i];
		char text[16];
		if (!s->lanes[i].merged || !s->lanes[i].most || p->merge < SCALE_LETTERS)
			continue;
		bool limit = s->lanes[i].processors && s->processors;
		unsigned n = limit ? s->processors : s->lanes[i].most;
		double y = p->rows + p->merge - (p->merge - 2) * n / s->lanes[i].most;
		snprintf(text, sizeof text, "%u", n);
		drawing_text(d, &face, x, y + SCALE_LETTERS * 0.36, 0, text);
		drawing_brush(d, (struct brush){.colour = s->theme->muted, .width = 0.6});
		drawing_move(d, x + 2, y);
		drawing_line(d, x + 5, y);
	}
}
