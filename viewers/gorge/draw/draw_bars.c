#include "viewers/gorge/draw/bar_strips.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/style/text_width.h"
#include "viewers/units.h"
#include <math.h>
#include <stdlib.h>

/* Rows this high have room for letters, with so much beside them in a bar. */
enum { ROW_FOR_LETTERS = 12, BAR_ROOM = 4 };

static void add_upright(struct drawing *d, double x, double middle, double height)
{
	drawing_move(d, x, middle - height / 2);
	drawing_line(d, x, middle + height / 2);
}

/* From end to end at the row's middle; its ends are marked, where they are in the window. */
static void add_whisker(struct drawing *d, struct box box, const struct bar *b)
{
	double height = fmin(box.height * 0.7, 8), middle = box.y + box.height / 2;

	if (box.width > 2) {
		drawing_move(d, box.x, middle);
		drawing_line(d, box.x + box.width, middle);
	}
	if (box.width <= 2 || (!b->level && !b->cut_left))
		add_upright(d, box.x + 0.5, middle, height);
	if (box.width > 2 && !b->level && !b->cut_right)
		add_upright(d, box.x + box.width, middle, height);
}

/* The lines of an interval within lanes. */
static void draw_whiskers(struct drawing *d, const struct scene *s, const struct layout *l,
			  unsigned key)
{
	drawing_brush(d, (struct brush){.colour = s->intervals[key].colour, .width = 1.2});
	for (size_t i = 0; i < s->bars.n; i++) {
		const struct bar *b = &s->bars.at[i];
		if (b->key == key)
			add_whisker(d, bar_box(l, b), b);
	}
}

static void draw_rectangles(struct drawing *d, const struct scene *s, const struct layout *l,
			    unsigned key)
{
	drawing_brush(d, (struct brush){.colour = s->intervals[key].colour});
	for (size_t i = 0; i < s->bars.n; i++) {
		const struct bar *b = &s->bars.at[i];
		if (b->key != key || b->level)
			continue;
		struct box box = bar_box(l, b);
		drawing_rect(d, box.x, box.y, box.width, box.height);
	}
}

void compose_frame(struct drawing *d, const struct layout *l, const struct bar *b)
{
	struct box box = bar_box(l, b);

	drawing_rect(d, box.x - 0.5, box.y - 0.5, fmax(box.width, 1) + 1, box.height + 1);
}

static double bar_duration(const struct scene *s, const struct bar *b)
{
	return (b->x1 - b->x0) * ((double)s->window.to - (double)s->window.from) / s->columns;
}

/*
 * Writes what there is room for: name and duration, or the duration, for the legend has the name.
 */
static void draw_bar_text(struct drawing *d, const struct scene *s, const struct layout *l,
			  const struct bar *b)
{
	const struct interval_key *key = &s->intervals[b->key];
	struct box box = bar_box(l, b);
	struct typeface face = {.size = fmin(box.height - 2.5, 11),
				.colour = colour_ink(key->colour)};
	double room = box.width - 2 * BAR_ROOM, y = box.y + box.height / 2 + face.size * 0.36;
	bool cut = b->cut_left || b->cut_right;
	char duration[UNITS_TEXT] = "";
	char *whole;

	if (!cut)
		duration_text(duration, bar_duration(s, b));
	whole = text_format("%s%s%s", key->label, cut ? "" : "  ", duration);
	if (text_width(whole, face.size, false) <= room)
		drawing_text(d, &face, box.x + BAR_ROOM, y, 0, whole);
	else if (text_width(duration, face.size, false) <= room)
		drawing_text(d, &face, box.x + BAR_ROOM, y, 0, duration);
	free(whole);
}

static bool may_have_text(const struct scene *s, const struct bar *b)
{
	return b->level == 0 && s->intervals[b->key].form == FORM_BAR;
}

/* The columns within a bar that it shares with no bar beside it: first up to last. */
static int first_within(const struct bar *b)
{
	return b->level ? (int)b->x0 : (int)b->x0 + 1;
}

static int last_within(const struct bar *b)
{
	return b->level ? (int)b->x1 : (int)ceil(b->x1) - 1;
}

/*
 * Writes into bars that share no column with another one of their row: texts would lie on each
 * other. The bars may be in any order: runs come when they are complete.
 */
static void draw_lane_texts(struct drawing *d, const struct scene *s, const struct layout *l,
			    const struct bar *bars, size_t n)
{
	unsigned rows = s->lanes[bars->lane].rows ? s->lanes[bars->lane].rows : 1;
	size_t length = s->columns + 1;
	int *covered = array_zero(rows * length, sizeof *covered);

	for (size_t i = 0; i < n; i++) {
		int *row = &covered[bars[i].row % rows * length];
		if (first_within(&bars[i]) < last_within(&bars[i])) {
			row[first_within(&bars[i])]++;
			row[last_within(&bars[i])]--;
		}
	}
	/* from the changes at each column to the number of shared columns before it */
	for (unsigned r = 0; r < rows; r++) {
		int *row = &covered[r * length], here = 0, shared = 0;
		for (size_t c = 0; c < length; c++) {
			here += row[c];
			row[c] = shared;
			shared += here > 1;
		}
	}
	for (size_t i = 0; i < n; i++) {
		const int *row = &covered[bars[i].row % rows * length];
		if (may_have_text(s, &bars[i]) &&
		    row[first_within(&bars[i])] == row[last_within(&bars[i])])
			draw_bar_text(d, s, l, &bars[i]);
	}
	free(covered);
}

static void draw_texts(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (unsigned lane = 0; lane < s->nlanes; lane++) {
		size_t first = scene_bars(s, lane), n = scene_bars(s, lane + 1) - first;
		if (n && l->places[lane].row >= ROW_FOR_LETTERS)
			draw_lane_texts(d, s, l, &s->bars.at[first], n);
	}
}

/* From so many single bars on they are painted as strips, which costs less. */
enum { CROWD = 500 };

static size_t count_single(const struct scene *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->bars.n; i++)
		n += !s->bars.at[i].level;
	return n;
}

void compose_bars(struct drawing *d, const struct scene *s, const struct layout *l)
{
	struct bar_strips *strips = bar_strips_new(s, l);
	bool crowded = count_single(s) > CROWD;

	if (crowded)
		bar_strips_draw(strips, d, PART_SINGLES, ALL_KEYS);
	for (unsigned key = 0; key < s->nintervals; key++) {
		if (s->intervals[key].form == FORM_LINE) {
			draw_whiskers(d, s, l, key);
			continue;
		}
		if (!crowded)
			draw_rectangles(d, s, l, key);
		bar_strips_draw(strips, d, PART_OUTLINES, (int)key);
	}
	bar_strips_draw(strips, d, PART_RUNS, ALL_KEYS);
	bar_strips_free(strips);
	draw_texts(d, s, l);
}
