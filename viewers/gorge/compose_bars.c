#include "viewers/gorge/compose.h"
#include "viewers/gorge/text.h"
#include "viewers/units.h"
#include <math.h>
#include <stdlib.h>

/*
 * Rows this high have room for letters, with so much beside them in a bar. A bar that goes on
 * outside of the window reaches beyond the last column.
 */
enum { ROW_FOR_LETTERS = 12, BAR_ROOM = 4, BEYOND = PLOT_INDENT - 1 };

rgba run_colour(const struct scene *s, rgba colour, unsigned level)
{
	return colour_mix(colour, s->theme->page, 0.28 + 0.18 * level);
}

struct box {
	double x, y, width, height;
};

static struct box bar_box(const struct layout *l, const struct bar *b)
{
	double row = l->places[b->lane].row, gap = row > 8 ? 2 : row > 4 ? 1 : 0.4;
	double height = (row - gap) / b->slices;
	struct box box = {
	    .x = l->x + b->x0,
	    .y = layout_row_y(l, b->lane, b->row) + gap / 2 + b->slice * height,
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

/* A single interval that is narrower than a pixel has the full colour. */
static unsigned bar_level(const struct bar *b)
{
	return b->count == 1 ? 0 : b->level;
}

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

enum { RUN_LEVELS = 5, RUN_SLICES = 9 };

/* Runs that one brush can draw have the same number. */
static size_t run_brush(const struct bar *b)
{
	return ((size_t)b->key * RUN_LEVELS + bar_level(b)) * RUN_SLICES + b->slices;
}

/* The indices of the bars brush by brush; to be freed. */
static size_t *sort_by_brush(const struct scene *s)
{
	size_t n = (size_t)s->nintervals * RUN_LEVELS * RUN_SLICES;
	size_t *next = zeroed(n + 1, sizeof *next), *order = zeroed(s->bars.n, sizeof *order);

	for (size_t i = 0; i < s->bars.n; i++)
		next[run_brush(&s->bars.at[i]) + 1]++;
	for (size_t i = 0; i < n; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < s->bars.n; i++)
		order[next[run_brush(&s->bars.at[i])]++] = i;
	free(next);
	return order;
}

/* A run is a line as broad as the row is high, as strips of marks are; of many bars, each single one is, too. */
static void draw_strips(struct drawing *d, const struct scene *s, const struct layout *l, bool runs)
{
	size_t *order = sort_by_brush(s), brush = SIZE_MAX;
	double height = 0;

	for (size_t i = 0; i < s->bars.n; i++) {
		const struct bar *b = &s->bars.at[order[i]];
		struct box box = bar_box(l, b);
		rgba colour = s->intervals[b->key].colour;
		if ((b->level != 0) != runs || s->intervals[b->key].form == FORM_LINE)
			continue;
		if (run_brush(b) != brush || box.height != height)
			drawing_brush(d, (struct brush){
				.colour = bar_level(b) ? run_colour(s, colour, b->level) : colour,
				.width = box.height});
		brush = run_brush(b);
		height = box.height;
		drawing_move(d, box.x, box.y + box.height / 2);
		drawing_line(d, box.x + box.width, box.y + box.height / 2);
	}
	free(order);
}

/* Outlines let pale colours be seen on the page. */
static void draw_outlines(struct drawing *d, const struct scene *s, const struct layout *l,
			  unsigned key)
{
	rgba colour = colour_mix(s->intervals[key].colour, s->theme->ink, 0.7);

	drawing_brush(d, (struct brush){.colour = colour, .width = 0.6});
	for (size_t i = 0; i < s->bars.n; i++) {
		const struct bar *b = &s->bars.at[i];
		if (b->key != key || b->level)
			continue;
		struct box box = bar_box(l, b);
		if (box.width > 3)
			drawing_rect(d, box.x + 0.3, box.y + 0.3, box.width - 0.6,
				     box.height - 0.6);
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
	whole = text_of("%s%s%s", key->label, cut ? "" : "  ", duration);
	if (text_width(whole, face.size, false) <= room)
		drawing_text(d, &face, box.x + BAR_ROOM, y, 0, whole);
	else if (text_width(duration, face.size, false) <= room)
		drawing_text(d, &face, box.x + BAR_ROOM, y, 0, duration);
	free(whole);
}

static bool may_have_text(const struct scene *s, const struct layout *l, const struct bar *b)
{
	return b->level == 0 && s->intervals[b->key].form == FORM_BAR &&
	       l->places[b->lane].row >= ROW_FOR_LETTERS;
}

/* Whether it lies on the one before it in its row. newest: 1 + the index of that; 0: there is none. */
static bool lies_on(const struct scene *s, size_t i, size_t newest)
{
	return newest && s->bars.at[i].x0 < s->bars.at[newest - 1].x1 - 1;
}

/* Bars that share a row with others that they overlap have no texts: those would lie on each other. */
static void draw_texts(struct drawing *d, const struct scene *s, const struct layout *l)
{
	bool *crowded = zeroed(s->bars.n + 1, sizeof *crowded);
	unsigned rows = 1;
	size_t *newest;

	for (unsigned i = 0; i < s->nlanes; i++)
		rows = s->lanes[i].rows > rows ? s->lanes[i].rows : rows;
	newest = zeroed((size_t)s->nlanes * rows + 1, sizeof *newest);
	for (size_t i = 0; i < s->bars.n; i++) {
		size_t *last = &newest[s->bars.at[i].lane * rows + s->bars.at[i].row % rows];
		if (lies_on(s, i, *last))
			crowded[i] = crowded[*last - 1] = true;
		*last = i + 1;
	}
	for (size_t i = 0; i < s->bars.n; i++)
		if (!crowded[i] && may_have_text(s, l, &s->bars.at[i]))
			draw_bar_text(d, s, l, &s->bars.at[i]);
	free(newest);
	free(crowded);
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
	bool crowded = count_single(s) > CROWD;

	if (crowded)
		draw_strips(d, s, l, false);
	for (unsigned key = 0; key < s->nintervals; key++) {
		if (s->intervals[key].form == FORM_LINE) {
			draw_whiskers(d, s, l, key);
			continue;
		}
		if (!crowded)
			draw_rectangles(d, s, l, key);
		draw_outlines(d, s, l, key);
	}
	draw_strips(d, s, l, true);
	draw_texts(d, s, l);
}
