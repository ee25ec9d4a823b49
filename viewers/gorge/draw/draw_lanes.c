#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/index/logical.h"
#include "viewers/gorge/style/text_width.h"
#include "viewers/gorge/style/ticks.h"
#include <math.h>
#include <stdlib.h>

/* Between the numbers of the axis, their size, and where their base lines are from the lanes. */
enum { TICK_DISTANCE = 90, TICK_SIZE = 10, TICK_BELOW = 16, TICK_ABOVE = 8, TITLE_LINE = 14 };

/* The names of headings and of small lanes. */
enum { HEADING_SIZE = 10, HEADING_INDENT = 16, SMALL_NAME = 8 };

/* The names of lives: their size, the room between them, and the least for one that is cut. */
enum { LIFE_NAME = 8, LIFE_GAP = 4, LEAST_LIFE_NAME = 26, LEAST_LIFE_HEIGHT = 6 };

/* Widths of hatched pieces. */
enum { LOSS = 40, LEAST_HATCH = 12 };

/* Returns the base line of a lane's name: beside its states, or in its middle. */
static double label_middle(const struct scene *s, const struct layout *l, unsigned i, double size)
{
	return layout_row_middle(s, l, i) + size * 0.36;
}

static void draw_bands(struct drawing *d, const struct scene *s, const struct layout *l)
{
	drawing_brush(d, (struct brush){.colour = s->theme->band});
	for (unsigned i = 0, n = 0; i < s->nlanes; i++) {
		n = s->lanes[i].heading ? 0 : n + 1;
		if (n % 2)
			drawing_rect(d, PAGE_MARGIN, l->places[i].top, d->width - 2 * PAGE_MARGIN,
				     l->places[i].height);
	}
	drawing_brush(d, (struct brush){.colour = colour_mix(s->theme->grid, s->theme->page, 0.6)});
	for (unsigned i = 0; i < s->nlanes; i++)
		if (s->lanes[i].heading)
			drawing_rect(d, PAGE_MARGIN, l->places[i].top, d->width - 2 * PAGE_MARGIN,
				     l->places[i].height - 1);
}

/* Draws a triangle that points down to the lanes of a process, or right if they are collapsed. */
static void draw_triangle(struct drawing *d, const struct scene *s, double x, double y, bool right)
{
	const double size = 4;

	drawing_brush(d, (struct brush){.colour = s->theme->muted});
	drawing_move(d, x - (right ? size / 2 : size), y - (right ? size : size / 2));
	drawing_line(d, x + (right ? size / 2 : size), y - (right ? 0 : size / 2));
	drawing_line(d, x - (right ? size / 2 : 0), y + (right ? size : size / 2));
	drawing_close(d);
}

/* Draws a heading in the page's width; collapsed, in that of the names. */
static void draw_heading(struct drawing *d, const struct scene *s, const struct layout *l,
			 unsigned i)
{
	struct typeface face = {.size = HEADING_SIZE, .bold = true, .colour = s->theme->ink};
	double x = PAGE_MARGIN + HEADING_INDENT + s->lanes[i].indent,
	       right =
		   s->lanes[i].collapsed ? l->x - PLOT_INDENT - LABEL_GAP : d->width - PAGE_MARGIN;

	draw_triangle(d, s, PAGE_MARGIN + 8 + s->lanes[i].indent, layout_row_middle(s, l, i),
		      s->lanes[i].collapsed);
	drawing_text(d, &face, x, label_middle(s, l, i, face.size), right - x, s->lanes[i].name);
}

/*
 * Draws the names of the lanes; where lanes are lower than letters, as many as there is room for.
 */
static void draw_names(struct drawing *d, const struct scene *s, const struct layout *l)
{
	struct typeface face = {.size = l->density->font, .colour = s->theme->ink};
	double room = l->x - PLOT_INDENT - LABEL_GAP - PAGE_MARGIN, free_from = -1;

	for (unsigned i = 0; i < s->nlanes; i++) {
		double y, indent = s->lanes[i].indent;
		face.size =
		    s->lanes[i].small ? fmin(l->density->font, SMALL_NAME) : l->density->font;
		y = label_middle(s, l, i, face.size);
		if (y - face.size < free_from)
			continue;
		if (s->lanes[i].heading)
			draw_heading(d, s, l, i);
		else
			drawing_text(d, &face, PAGE_MARGIN + 4 + indent, y, room - indent,
				     s->lanes[i].name);
		free_from = y + 1;
	}
}

static void draw_life(struct drawing *d, const struct scene *s, const struct layout *l, double y,
		      int64_t born, int64_t died)
{
	if (died < s->window.from || born > s->window.to)
		return;
	drawing_move(d, l->x + fmax(scene_x(s, born), 0), y);
	drawing_line(d, l->x + fmin(scene_x(s, died), s->columns) + 0.5, y);
}

static void draw_lives(struct drawing *d, const struct scene *s, const struct layout *l)
{
	drawing_brush(d, (struct brush){.colour = s->theme->life, .width = 0.8});
	for (unsigned i = 0; i < s->nlanes; i++) {
		const struct lane *lane = &s->lanes[i];
		double y = layout_life_y(s, l, i);

		if (lane->merged)
			continue;
		for (size_t k = 0; k < lane->lives.n; k++)
			draw_life(d, s, l, y, lane->lives.at[k].born, lane->lives.at[k].died);
		if (lane->alive && !lane->lives.n)
			draw_life(d, s, l, y, lane->born, lane->died);
	}
}

static bool life_name_fits(const char *name, double room)
{
	return room >= LEAST_LIFE_NAME || text_width(name, LIFE_NAME, false) <= room;
}

/* Writes the name of each thread of a lane where it begins, if there is room. */
static void name_lives(struct drawing *d, const struct scene *s, const struct layout *l, unsigned i)
{
	struct typeface face = {.size = LIFE_NAME, .colour = s->theme->muted};
	const struct lane *lane = &s->lanes[i];
	const struct lane_place *p = &l->places[i];
	double bottom = p->tracks - p->names + LIFE_NAME - 1;

	for (size_t k = 0; k < lane->lives.n; k++) {
		const struct lane_life *life = &lane->lives.at[k];
		double x = fmax(scene_x(s, life->born), 0), end = s->columns;

		if (k + 1 < lane->lives.n)
			end = fmin(end, scene_x(s, life[1].born));
		end -= LIFE_GAP;
		if (end > x && life_name_fits(life->name, end - x))
			drawing_text(d, &face, l->x + x, bottom, end - x, life->name);
	}
}

static void draw_life_names(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (unsigned i = 0; i < s->nlanes; i++)
		if (s->lanes[i].shared && l->places[i].names >= LEAST_LIFE_HEIGHT)
			name_lives(d, s, l, i);
}

void hatching_draw(struct drawing *d, rgba colour, double x, double y, double width, double height)
{
	drawing_brush(d, (struct brush){.colour = colour, .width = 1});
	for (double at = -height; at < width; at += 4) {
		double left = fmax(at, 0), right = fmin(at + height, width);
		drawing_move(d, x + left, y + height - (left - at));
		drawing_line(d, x + right, y + height - (right - at));
	}
}

/* Hatches the columns from x0 to x1, and at least enough to be seen. */
static void hatch(struct drawing *d, const struct scene *s, const struct layout *l, double x0,
		  double x1, double y, double height)
{
	double width = fmax(x1 - x0, LEAST_HATCH);

	hatching_draw(d, s->theme->muted, l->x + fmin(x0, s->columns - LEAST_HATCH), y, width,
		      height);
}

static bool has_gap(const struct scene *s, unsigned lane)
{
	for (size_t i = 0; i < s->gaps.n; i++)
		if (s->gaps.at[i].lane == lane && !s->gaps.at[i].off)
			return true;
	return false;
}

/* Hatches gaps; one in all threads above the lanes. */
static void draw_gaps(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (size_t i = 0; i < s->gaps.n; i++) {
		const struct gap *g = &s->gaps.at[i];
		if (g->lane == NO_KEY)
			hatch(d, s, l, g->x0, g->x1, l->top - 6, 5);
		else
			hatch(d, s, l, g->x0, g->x1, l->places[g->lane].top + 2,
			      l->places[g->lane].height - 4);
	}
}

/* Hatches a piece after the last event of a log that does not say when events were lost. */
static void draw_losses(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (unsigned i = 0; i < s->nlanes; i++) {
		const struct lane *lane = &s->lanes[i];
		const struct lane_place *p = &l->places[i];
		double from = lane->alive ? scene_x(s, lane->died) : 0;
		if ((!lane->lost && !lane->skipped) || has_gap(s, i) || from < 0)
			continue;
		from = fmin(from, s->columns - LOSS);
		hatch(d, s, l, from, from + LOSS, p->top + 2, p->height - 4);
	}
}

void ground_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	draw_bands(d, s, l);
	draw_names(d, s, l);
	stacks_draw_hidden(d, s, l);
	merges_draw_scales(d, s, l);
}

void lanes_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	draw_losses(d, s, l);
	draw_gaps(d, s, l);
	draw_lives(d, s, l);
	draw_life_names(d, s, l);
}

static struct ticks ticks_of(const struct scene *s)
{
	unsigned limit = s->columns / TICK_DISTANCE;

	if (s->logical)
		return ticks_columns(s->window.from, s->window.to, limit < 2 ? 2 : limit,
				     LOGICAL_STEP);
	return ticks_choose(s->window.from, s->window.to, limit < 2 ? 2 : limit);
}

void grid_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	struct ticks ticks = ticks_of(s), *t = &ticks;

	drawing_brush(d, (struct brush){.colour = s->theme->grid, .width = 1});
	for (unsigned i = 0; i < t->count; i++) {
		double x = floor(l->x + scene_x(s, tick_time(t, i))) + 0.5;
		drawing_move(d, x, l->top - 4);
		drawing_line(d, x, l->bottom + 4);
	}
}

/* Draws the numbers; the first and the last stay within the page. */
static void lanes_draw_numbers(struct drawing *d, const struct scene *s, const struct layout *l,
			       const struct ticks *t, double y)
{
	struct typeface face = {
	    .size = TICK_SIZE, .align = ALIGN_CENTRE, .colour = s->theme->muted};
	char text[UNITS_TEXT];

	for (unsigned i = 0; i < t->count; i++) {
		double x = l->x + scene_x(s, tick_time(t, i));
		double half = text_width(tick_label(t, i, text), TICK_SIZE, false) / 2;
		drawing_text(d, &face, fmin(x, d->width - 4 - half), y, 0, text);
	}
}

double axis_above(void)
{
	return 26;
}

/*
 * Makes room for the title beside the numbers; a long one, which says what they count from, has a
 * line of its own.
 */
double axis_below(const struct scene *s)
{
	return 26 + (ticks_of(s).base ? TITLE_LINE : 0);
}

void axis_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	struct ticks t = ticks_of(s);
	struct typeface face = {.size = TICK_SIZE, .align = ALIGN_LEFT, .colour = s->theme->muted};
	char *title = ticks_title(&t);

	lanes_draw_numbers(d, s, l, &t, l->bottom + TICK_BELOW);
	lanes_draw_numbers(d, s, l, &t, l->top - TICK_ABOVE);
	shares_draw_head(d, s, l, "this time", l->top - TICK_ABOVE);
	drawing_text(d, &face, PAGE_MARGIN + 4, l->bottom + TICK_BELOW + (t.base ? TITLE_LINE : 0),
		     d->width - 2 * PAGE_MARGIN, title);
	free(title);
}

void ruler_draw_shares(struct drawing *d, const struct scene *s, const struct layout *l,
		       const char *of)
{
	shares_draw_head(d, s, l, of, d->height - TICK_ABOVE);
}

void ruler_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	struct ticks t = ticks_of(s);
	struct typeface face = {.size = TICK_SIZE, .align = ALIGN_LEFT, .colour = s->theme->muted};
	char *title = ticks_title(&t);

	lanes_draw_numbers(d, s, l, &t, d->height - TICK_ABOVE);
	drawing_text(d, &face, PAGE_MARGIN + 4, d->height - TICK_ABOVE - (t.base ? TITLE_LINE : 0),
		     t.base ? d->width : l->x - PAGE_MARGIN - 4, title);
	free(title);
}
