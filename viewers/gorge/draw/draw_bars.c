#include "base/parallel.h"
#include "base/units.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/style/function_name.h"
#include "viewers/gorge/style/text_width.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rectangle {
	double x, y, width, height;
};

/* A bar that goes on outside of the window reaches beyond the last column. */
enum { BEYOND = PLOT_INDENT - 1 };

rgba run_colour(const struct scene *s, rgba colour, unsigned level)
{
	return colour_mix(colour, s->theme->page, 0.28 + 0.18 * level);
}

/* Whether a bar is one call, of a function that is known. */
static bool is_function(const struct scene *s, const struct bar *b)
{
	return b->name && !b->level && s->intervals[b->key].band == BAND_CALLS;
}

static struct rectangle bar_box(const struct scene *s, const struct layout *l, const struct bar *b)
{
	struct rectangle box = {.x = l->x + b->x0, .width = b->x1 - b->x0};

	layout_bar(s, l, b, &box.y, &box.height);
	if ((b->level == 0 || b->name) && box.width > 4 && s->intervals[b->key].band != BAND_STATES)
		box.width -= 0.8;
	if (b->cut_left)
		box.x -= BEYOND;
	box.width += BEYOND * (b->cut_left + b->cut_right);
	return box;
}

/*
 * ---- strips: bars as strokes, brush by brush ----
 *
 * A dense picture has ten thousands of bars: the strokes of each lane are made on whichever
 * processor is free.
 */

/*
 * Single bars as lines as broad as they are high; their outlines; runs, as lines too. After the
 * brushes of these are those of single calls, one for each colour of functions.
 */
enum bar_part { PART_SINGLES, PART_OUTLINES, PART_RUNS, BAR_PARTS };

enum { LEVELS = 5, SLICES = STATE_PARTS + 1 };

/* Returns how many brushes paint a part: one for each interval, level and number of slices. */
static size_t brushes_of_part(const struct scene *s)
{
	return (size_t)s->nintervals * LEVELS * SLICES;
}

static size_t function_brushes(const struct scene *s)
{
	return BAR_PARTS * brushes_of_part(s);
}

static size_t brush_of(const struct scene *s, enum bar_part part, const struct bar *b)
{
	/* a single interval that is narrower than a pixel has the full colour */
	bool full = s->intervals[b->key].band == BAND_STATES || part != PART_RUNS || b->count == 1;
	unsigned level = full ? 0 : b->level, slices = part == PART_OUTLINES ? 0 : b->slices;

	if (part == PART_SINGLES && is_function(s, b))
		return function_brushes(s) + b->name->hue;
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

/*
 * Outlines let pale colours be seen on the page; of a narrow or thin bar they would be all. States
 * touch each other, and are told apart by their colours.
 */
static bool has_outline(const struct scene *s, const struct bar *b, struct rectangle box)
{
	return s->intervals[b->key].band != BAND_STATES && box.width > 3 && box.height > 7;
}

static void count_bar(const struct bar_strips *strips, const struct bar *b, size_t *counts)
{
	const struct scene *s = strips->scene;

	if (b->level) {
		counts[brush_of(s, PART_RUNS, b)] += 2;
		return;
	}
	counts[brush_of(s, PART_SINGLES, b)] += 2;
	counts[brush_of(s, PART_OUTLINES, b)] += has_outline(s, b, bar_box(s, strips->layout, b));
}

static void put_strip(struct stroke *at, struct rectangle box)
{
	float y = (float)(box.y + box.height / 2);

	at[0] = (struct stroke){.op = OP_MOVE, .x = (float)box.x, .y = y};
	at[1] = (struct stroke){.op = OP_LINE, .x = (float)(box.x + box.width), .y = y};
}

static void put_outline(struct stroke *at, struct rectangle box)
{
	*at = (struct stroke){OP_RECT, (float)(box.x + 0.3), (float)(box.y + 0.3),
			      (float)(box.width - 0.6), (float)(box.height - 0.6)};
}

/* Writes the strokes of a bar. next: by brush, the place of its next stroke. */
static void put_bar(const struct bar_strips *strips, const struct bar *b, size_t *next,
		    struct stroke *strokes)
{
	struct rectangle box = bar_box(strips->scene, strips->layout, b);
	size_t *at = &next[brush_of(strips->scene, b->level ? PART_RUNS : PART_SINGLES, b)];

	put_strip(&strokes[*at], box);
	*at += 2;
	if (!b->level && has_outline(strips->scene, b, box))
		put_outline(&strokes[next[brush_of(strips->scene, PART_OUTLINES, b)]++], box);
}

static bool is_strip(const struct scene *s, const struct bar *b)
{
	return s->intervals[b->key].form == FORM_BAR && b->slices;
}

static void stroke_lane(void *context, size_t lane, unsigned worker)
{
	const struct bar_strips *strips = context;
	const struct scene *s = strips->scene;
	size_t i, begin = scene_bars(s, (uint32_t)lane), end = scene_bars(s, (uint32_t)lane + 1);
	size_t n = function_brushes(s) + FUNCTION_COLOURS, *counts, *first;
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

/* Makes the strips of all intervals that are bars. */
static struct bar_strips *bar_strips_new(const struct scene *s, const struct layout *l)
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

/*
 * Draws the strips of a brush of a colour, in rows of a band; slices 0: as lines that are thin. The
 * brush is as broad as the row is high: another height begins another figure.
 */
static void draw_brush(const struct bar_strips *strips, struct drawing *d, size_t brush,
		       rgba colour, enum band band, unsigned slices)
{
	const struct scene *s = strips->scene;
	struct brush now = {.colour = colour};

	for (uint32_t lane = 0; lane < s->nlanes; lane++) {
		const struct lane_strokes *l = &strips->lanes[lane];
		size_t n = l->first ? l->first[brush + 1] - l->first[brush] : 0;
		double width;
		if (!n)
			continue;
		width = slices ? layout_bar_height(strips->layout, lane, band, slices) : 0.6;
		if (width != now.width) {
			now.width = width;
			drawing_brush(d, now);
		}
		drawing_strokes(d, l->strokes + l->first[brush], n);
	}
}

static void draw_part_brush(const struct bar_strips *strips, struct drawing *d, enum bar_part part,
			    size_t brush)
{
	const struct scene *s = strips->scene;
	size_t within = brush - part * brushes_of_part(s), key = within / (LEVELS * SLICES);

	draw_brush(strips, d, brush, brush_colour(s, part, key, within / SLICES % LEVELS),
		   s->intervals[key].band, within % SLICES);
}

/* Draws a part of one interval's strips, or of all. */
enum { ALL_KEYS = -1 };

static void bar_strips_draw(const struct bar_strips *strips, struct drawing *d, enum bar_part part,
			    int key)
{
	size_t begin = part * brushes_of_part(strips->scene),
	       end = begin + brushes_of_part(strips->scene);

	if (key != ALL_KEYS) {
		begin += (size_t)key * LEVELS * SLICES;
		end = begin + LEVELS * SLICES;
	}
	for (size_t brush = begin; brush < end; brush++)
		draw_part_brush(strips, d, part, brush);
}

static void function_strips_draw(const struct bar_strips *strips, struct drawing *d)
{
	const struct scene *s = strips->scene;

	for (unsigned i = 0; i < FUNCTION_COLOURS; i++)
		draw_brush(strips, d, function_brushes(s) + i, s->theme->functions[i], BAND_CALLS,
			   1);
}

static void bar_strips_free(struct bar_strips *strips)
{
	for (unsigned lane = 0; lane < strips->scene->nlanes; lane++) {
		free(strips->lanes[lane].first);
		free(strips->lanes[lane].strokes);
	}
	free(strips->lanes);
	free(strips);
}

/* ---- bars one by one ---- */

/* Rows this high have room for letters, with so much beside them in a bar. */
enum { ROW_FOR_LETTERS = 12, BAR_ROOM = 4 };

static void add_upright(struct drawing *d, double x, double middle, double height)
{
	drawing_move(d, x, middle - height / 2);
	drawing_line(d, x, middle + height / 2);
}

/*
 * Draws a line from end to end at the middle of the row, with marks at the ends that are in the
 * window.
 */
static void add_whisker(struct drawing *d, struct rectangle box, const struct bar *b)
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

/* Draws the lines of an interval within lanes. */
static void draw_whiskers(struct drawing *d, const struct scene *s, const struct layout *l,
			  unsigned key)
{
	drawing_brush(d, (struct brush){.colour = line_colour(s, key), .width = 1.2});
	for (size_t i = 0; i < s->bars.n; i++) {
		const struct bar *b = &s->bars.at[i];
		if (b->key == key)
			add_whisker(d, bar_box(s, l, b), b);
	}
}

static rgba bar_colour(const struct scene *s, const struct bar *b)
{
	return is_function(s, b) ? s->theme->functions[b->name->hue] : s->intervals[b->key].colour;
}

static void draw_rectangles(struct drawing *d, const struct scene *s, const struct layout *l,
			    unsigned key)
{
	rgba last = 0;

	for (size_t i = 0; i < s->bars.n; i++) {
		const struct bar *b = &s->bars.at[i];
		if (b->key != key || b->level)
			continue;
		if (bar_colour(s, b) != last)
			drawing_brush(d, (struct brush){.colour = bar_colour(s, b)});
		last = bar_colour(s, b);
		struct rectangle box = bar_box(s, l, b);
		drawing_rect(d, box.x, box.y, box.width, box.height);
	}
}

void bar_frame_draw(struct drawing *d, const struct scene *s, const struct layout *l,
		    const struct bar *b)
{
	struct rectangle box = bar_box(s, l, b);

	drawing_rect(d, box.x - 0.5, box.y - 0.5, fmax(box.width, 1) + 1, box.height + 1);
}

static double bar_duration(const struct scene *s, const struct bar *b)
{
	return (b->x1 - b->x0) * ((double)s->window.to - (double)s->window.from) / s->columns;
}

/* Texts are cut, down to so many pixels: less says nothing. */
enum { LEAST_CUT = 48 };

/* Where the text of a bar is, and what it may take. */
static struct typeface text_face(const struct scene *s, const struct layout *l, const struct bar *b,
				 struct rectangle *box)
{
	const struct interval_key *key = &s->intervals[b->key];
	double row = l->places[b->lane].row[key->band];
	struct typeface face = {.colour = colour_ink(bar_colour(s, b))};

	*box = bar_box(s, l, b);
	/* what is low has its text above it */
	if (key->band == BAND_STATES && key_is_low(key)) {
		box->y -= row - box->height;
		box->height = row - box->height;
		face.colour = s->theme->muted;
	}
	face.size = fmin(box->height - 2.5, 11);
	return face;
}

/*
 * Returns what a bar is of, as far as there is room: a function, or what a thread waits for; to be
 * freed.
 */
static char *name_within(const struct scene *s, const struct bar *b, double size, double room)
{
	bool waits = s->intervals[b->key].wait != WAIT_NONE;
	char *text = waits ? text_fit(b->name->text, size, false, room)
			   : name_fit(b->name->text, size, room);
	size_t n = strlen(text);
	bool cut = n >= sizeof ELLIPSIS - 1 && !strcmp(text + n + 1 - sizeof ELLIPSIS, ELLIPSIS);

	if (cut && room < LEAST_CUT)
		*text = '\0';
	return text;
}

/*
 * Returns what has room: name and duration; or the duration, for the legend has the name; or of the
 * name of a function, or of what a thread waits for, as much as fits. The caller frees it.
 */
static char *bar_text(const struct scene *s, const struct bar *b, double size, double room)
{
	const struct interval_key *key = &s->intervals[b->key];
	bool cut = b->cut_left || b->cut_right;
	bool named = key->named || key->band == BAND_STATES;
	const char *name = b->name ? b->name->text : key->label;
	char duration[UNITS_TEXT] = "", *whole;

	if (!cut && !s->logical && !b->level)
		units_short_time(duration, bar_duration(s, b));
	whole = text_format("%s%s%s", name, *duration ? "  " : "", duration);
	if (text_width(whole, size, false) <= room)
		return whole;
	free(whole);
	if (b->name)
		return name_within(s, b, size, room);
	name = named ? key->label : duration;
	return text_format("%s", text_width(name, size, false) <= room ? name : "");
}

static void draw_bar_text(struct drawing *d, const struct scene *s, const struct layout *l,
			  const struct bar *b)
{
	struct rectangle box;
	struct typeface face = text_face(s, l, b, &box);
	char *text = bar_text(s, b, face.size, box.width - 2 * BAR_ROOM);

	if (*text)
		drawing_text(d, &face, box.x + BAR_ROOM, box.y + box.height / 2 + face.size * 0.36,
			     0, text);
	free(text);
}

static bool may_have_text(const struct scene *s, const struct layout *l, const struct bar *b)
{
	const struct interval_key *key = &s->intervals[b->key];

	return (b->level == 0 || b->name) && key->form == FORM_BAR &&
	       l->places[b->lane].row[key->band] >= ROW_FOR_LETTERS;
}

/* Return the columns within a bar that it shares with no bar beside it: first up to last. */
static int first_within(const struct bar *b)
{
	return b->level ? (int)b->x0 : (int)b->x0 + 1;
}

static int last_within(const struct bar *b)
{
	return b->level ? (int)b->x1 : (int)ceil(b->x1) - 1;
}

/*
 * Writes into bars that share no column with another one of their row: texts would hide each other.
 * The bars may be in any order: runs come when they are complete.
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
		if (may_have_text(s, l, &bars[i]) &&
		    row[first_within(&bars[i])] == row[last_within(&bars[i])])
			draw_bar_text(d, s, l, &bars[i]);
	}
	free(covered);
}

static void draw_texts(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (unsigned lane = 0; lane < s->nlanes; lane++) {
		size_t first = scene_bars(s, lane), n = scene_bars(s, lane + 1) - first;
		bool letters = false;
		for (size_t i = first; i < first + n && !letters; i++)
			letters = may_have_text(s, l, &s->bars.at[i]);
		if (letters)
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

void bars_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	struct bar_strips *strips = bar_strips_new(s, l);
	bool crowded = count_single(s) > CROWD;

	if (crowded) {
		bar_strips_draw(strips, d, PART_SINGLES, ALL_KEYS);
		function_strips_draw(strips, d);
	}
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
