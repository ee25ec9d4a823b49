#include "viewers/gorge/draw/bar_strips.h"
#include "base/parallel.h"
#include "viewers/gorge/draw/compose.h"
#include <math.h>
#include <stdlib.h>

/* A bar that goes on outside of the window reaches beyond the last column. */
enum { BEYOND = PLOT_INDENT - 1 };

rgba run_colour(const struct scene *s, rgba colour, unsigned level)
{
	return colour_mix(colour, s->theme->page, 0.28 + 0.18 * level);
}

/* Between bars of neighbouring rows. */
static double row_gap(const struct layout *l, uint32_t lane)
{
	double row = l->places[lane].row;

	return row > 8 ? 2 : row > 4 ? 1 : 0.4;
}

/* Of a bar that shares its row with so many others. */
static double bar_height(const struct layout *l, uint32_t lane, unsigned slices)
{
	return (l->places[lane].row - row_gap(l, lane)) / slices;
}

struct box bar_box(const struct layout *l, const struct bar *b)
{
	double height = bar_height(l, b->lane, b->slices);
	struct box box = {
	    .x = l->x + b->x0,
	    .y = layout_row_y(l, b->lane, b->row) + row_gap(l, b->lane) / 2 + b->slice * height,
	    .width = b->x1 - b->x0,
	    .height = height,
	};

	if (b->level == 0 && box.width > 4)
		box.width -= 0.8;
	if (b->cut_left)
		box.x -= BEYOND;
	box.width += BEYOND * (b->cut_left + b->cut_right);
	return box;
}

/* ---- the strokes of a lane ---- */

enum { LEVELS = 5, SLICES = 9 };

/* What one brush paints: a part of an interval's bars, of one level and so many slices. */
static size_t brushes_of_part(const struct scene *s)
{
	return (size_t)s->nintervals * LEVELS * SLICES;
}

static size_t brush_of(const struct scene *s, enum bar_part part, const struct bar *b)
{
	/* a single interval that is narrower than a pixel has the full colour */
	unsigned level = part == PART_RUNS && b->count > 1 ? b->level : 0;
	unsigned slices = part == PART_OUTLINES ? 0 : b->slices;

	return part * brushes_of_part(s) + ((size_t)b->key * LEVELS + level) * SLICES + slices;
}

/* Its strokes, brush by brush: those of brush i begin at first[i]. */
struct lane_strokes {
	size_t *first;
	struct stroke *strokes;
};

struct bar_strips {
	const struct scene *scene;
	const struct layout *layout;
	struct lane_strokes *lanes;
};

/* Outlines let pale colours be seen on the page; of a narrow bar they would be all. */
static bool has_outline(struct box box)
{
	return box.width > 3;
}

static void count_bar(const struct bar_strips *strips, const struct bar *b, size_t *counts)
{
	const struct scene *s = strips->scene;

	if (b->level) {
		counts[brush_of(s, PART_RUNS, b)] += 2;
		return;
	}
	counts[brush_of(s, PART_SINGLES, b)] += 2;
	counts[brush_of(s, PART_OUTLINES, b)] += has_outline(bar_box(strips->layout, b));
}

static void put_strip(struct stroke *at, struct box box)
{
	float y = (float)(box.y + box.height / 2);

	at[0] = (struct stroke){.op = OP_MOVE, .x = (float)box.x, .y = y};
	at[1] = (struct stroke){.op = OP_LINE, .x = (float)(box.x + box.width), .y = y};
}

static void put_outline(struct stroke *at, struct box box)
{
	*at = (struct stroke){OP_RECT, (float)(box.x + 0.3), (float)(box.y + 0.3), (float)(box.width - 0.6),
			      (float)(box.height - 0.6)};
}

/* next: by brush, where its next stroke goes. */
static void put_bar(const struct bar_strips *strips, const struct bar *b, size_t *next, struct stroke *strokes)
{
	struct box box = bar_box(strips->layout, b);
	size_t *at = &next[brush_of(strips->scene, b->level ? PART_RUNS : PART_SINGLES, b)];

	put_strip(&strokes[*at], box);
	*at += 2;
	if (!b->level && has_outline(box))
		put_outline(&strokes[next[brush_of(strips->scene, PART_OUTLINES, b)]++], box);
}

static bool is_strip(const struct scene *s, const struct bar *b)
{
	return s->intervals[b->key].form == FORM_BAR;
}

static void stroke_lane(void *context, size_t lane, unsigned worker)
{
	const struct bar_strips *strips = context;
	const struct scene *s = strips->scene;
	size_t i, begin = scene_bars(s, (uint32_t)lane), end = scene_bars(s, (uint32_t)lane + 1);
	size_t n = BAR_PARTS * brushes_of_part(s), *counts, *first;
	struct lane_strokes *l = &strips->lanes[lane];

	(void)worker;
	if (begin == end)
		return;
	counts = array_zero(n, sizeof *counts);
	first = l->first = array_zero(n + 1, sizeof *first);
	for (i = begin; i < end; i++)
		if (is_strip(s, &s->bars.at[i]))
			count_bar(strips, &s->bars.at[i], counts);
	for (i = 0; i < n; i++) {
		first[i + 1] = first[i] + counts[i];
		counts[i] = first[i];
	}
	l->strokes = array_zero(first[n], sizeof *l->strokes);
	for (i = begin; i < end; i++)
		if (is_strip(s, &s->bars.at[i]))
			put_bar(strips, &s->bars.at[i], counts, l->strokes);
	free(counts);
}

/* So few bars are done sooner than threads are started. */
enum { FEW = 1000 };

struct bar_strips *bar_strips_new(const struct scene *s, const struct layout *l)
{
	struct bar_strips *strips = array_zero(1, sizeof *strips);

	*strips = (struct bar_strips){s, l, array_zero(s->nlanes, sizeof *strips->lanes)};
	for (unsigned lane = 0; s->bars.n <= FEW && lane < s->nlanes; lane++)
		stroke_lane(strips, lane, 0);
	if (s->bars.n > FEW)
		parallel_for(s->nlanes, stroke_lane, strips);
	return strips;
}

/* ---- the lanes' strokes as figures ---- */

static rgba brush_colour(const struct scene *s, enum bar_part part, size_t key, unsigned level)
{
	rgba colour = s->intervals[key].colour;

	if (part == PART_OUTLINES)
		return colour_mix(colour, s->theme->ink, 0.7);
	return level ? run_colour(s, colour, level) : colour;
}

/* A strip's brush is as broad as its row is high: where that changes another figure begins. */
static void draw_brush(const struct bar_strips *strips, struct drawing *d, enum bar_part part, size_t brush)
{
	const struct scene *s = strips->scene;
	size_t within = brush - part * brushes_of_part(s), level = within / SLICES % LEVELS;
	struct brush now = {.colour = brush_colour(s, part, within / (LEVELS * SLICES), (unsigned)level)};

	for (uint32_t lane = 0; lane < s->nlanes; lane++) {
		const struct lane_strokes *l = &strips->lanes[lane];
		size_t n = l->first ? l->first[brush + 1] - l->first[brush] : 0;
		double width;
		if (!n)
			continue;
		width = part == PART_OUTLINES ? 0.6 : bar_height(strips->layout, lane, within % SLICES);
		if (width != now.width) {
			now.width = width;
			drawing_brush(d, now);
		}
		drawing_strokes(d, l->strokes + l->first[brush], n);
	}
}

void bar_strips_draw(const struct bar_strips *strips, struct drawing *d, enum bar_part part, int key)
{
	size_t begin = part * brushes_of_part(strips->scene), end = begin + brushes_of_part(strips->scene);

	if (key != ALL_KEYS) {
		begin += (size_t)key * LEVELS * SLICES;
		end = begin + LEVELS * SLICES;
	}
	for (size_t brush = begin; brush < end; brush++)
		draw_brush(strips, d, part, brush);
}

void bar_strips_free(struct bar_strips *strips)
{
	for (unsigned lane = 0; lane < strips->scene->nlanes; lane++) {
		free(strips->lanes[lane].first);
		free(strips->lanes[lane].strokes);
	}
	free(strips->lanes);
	free(strips);
}
