#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/style/text_width.h"
#include <math.h>
#include <stdlib.h>

/* A track: its title, the box of its curves, and what parts it from the next one. */
enum { GAP = 7, TITLE = 16, BOX = 56, TITLE_SIZE = 10, NUMBER_SIZE = 9 };

/* Members of a family that the title names. */
enum { MOST_NAMES = 12 };

#define PEN 1.3
#define POINT 1.4

/* The box of one track, and the heights in it. */
struct track_box {
	const struct scene *scene;
	const struct layout *layout;
	const struct series_track *track;
	double top;
};

double tracks_height(size_t n)
{
	return (double)n * (GAP + TITLE + BOX);
}

static double tracks_height_of(const struct track_box *b, double value)
{
	const struct series_track *t = b->track;
	double part = t->high > t->low ? (value - t->low) / (t->high - t->low) : 0;

	return b->top + BOX * (1 - fmin(fmax(part, 0), 1));
}

static double place_of(const struct track_box *b, double column)
{
	return b->layout->x + fmin(fmax(column, 0), b->scene->columns);
}

/* Draws the title: the expression, what its values are, and the names of the curves of a family. */
static void tracks_draw_title(struct drawing *d, const struct track_box *b)
{
	const struct theme *theme = b->scene->theme;
	struct typeface face = {.size = TITLE_SIZE, .bold = true, .colour = theme->ink};
	double x = PAGE_MARGIN + 4, y = b->top - 5, right = d->width - PAGE_MARGIN;

	x += drawing_text(d, &face, x, y, (right - x) * 0.7, b->track->expression) + 10;
	face = (struct typeface){.size = TITLE_SIZE, .colour = theme->muted};
	x += drawing_text(d, &face, x, y, right - x, b->track->axis ? b->track->axis : "") + 10;
	for (size_t i = 0; i < b->track->curves.n && i < MOST_NAMES && x < right - 40; i++) {
		if (!b->track->curves.at[i].name)
			continue;
		face.colour = scene_track_colour(b->scene, b->track, i);
		x += drawing_text(d, &face, x, y, right - x, b->track->curves.at[i].name) + 8;
	}
}

/* Draws at most a handful of numbers, in few digits. */
static void tracks_draw_numbers(struct drawing *d, const struct track_box *b)
{
	const struct series_track *t = b->track;
	struct typeface face = {
	    .size = NUMBER_SIZE, .align = ALIGN_RIGHT, .colour = b->scene->theme->muted};
	double step = t->step * t->divisor, x = b->layout->x - PLOT_INDENT;

	if (!(step > 0))
		return;
	for (double k = ceil(t->low / step); k * step <= t->high; k++) {
		double y = floor(tracks_height_of(b, k * step)) + 0.5;
		char *text = text_format("%.*f", t->decimals, k * t->step);

		drawing_brush(d, (struct brush){.colour = b->scene->theme->grid, .width = 1});
		drawing_move(d, x, y);
		drawing_line(d, x + b->scene->columns + 2 * PLOT_INDENT, y);
		drawing_text(d, &face, x - 4, fmin(fmax(y + 3, b->top + 7), b->top + BOX), 0, text);
		free(text);
	}
}

static void draw_points(struct drawing *d, const struct track_box *b, const struct track_curve *c)
{
	for (size_t i = 0; i < c->vertices.n; i++)
		drawing_circle(d, place_of(b, c->vertices.at[i].x),
			       tracks_height_of(b, c->vertices.at[i].y), POINT);
}

static void draw_line(struct drawing *d, const struct track_box *b, const struct track_curve *c)
{
	bool broken = true;

	for (size_t i = 0; i < c->vertices.n; i++) {
		double x = place_of(b, c->vertices.at[i].x),
		       y = tracks_height_of(b, c->vertices.at[i].y);

		if (isnan(c->vertices.at[i].y))
			broken = true;
		else if (broken)
			drawing_move(d, x, y);
		else
			drawing_line(d, x, y);
		broken = isnan(c->vertices.at[i].y);
	}
}

static void draw_track_curves(struct drawing *d, const struct track_box *b)
{
	for (size_t i = 0; i < b->track->curves.n; i++) {
		const struct track_curve *c = &b->track->curves.at[i];

		drawing_brush(d, (struct brush){.colour = scene_track_colour(b->scene, b->track, i),
						.width = c->points ? 0 : PEN});
		if (c->points)
			draw_points(d, b, c);
		else
			draw_line(d, b, c);
	}
}

static void draw_track_tiles(struct drawing *d, const struct track_box *b)
{
	rgba colour = scene_track_colour(b->scene, b->track, 0);

	for (size_t i = 0; i < b->track->tiles.n; i++) {
		const struct track_tile *t = &b->track->tiles.at[i];
		double x = place_of(b, t->left), y = tracks_height_of(b, t->high);

		drawing_brush(d, (struct brush){.colour = colour_mix(colour, b->scene->theme->band,
								     0.2 + 0.8 * t->part)});
		drawing_rect(d, x, y, place_of(b, t->right) - x, tracks_height_of(b, t->low) - y);
	}
}

static struct track_box box_of(const struct scene *s, const struct layout *l,
			       struct series_track *const *tracks, size_t i, double top)
{
	return (struct track_box){s, l, tracks[i], top + tracks_height(i) + GAP + TITLE};
}

void tracks_draw_ground(struct drawing *d, const struct scene *s, const struct layout *l,
			struct series_track *const *tracks, size_t n, double top)
{
	for (size_t i = 0; i < n; i++) {
		struct track_box b = box_of(s, l, tracks, i, top);

		drawing_brush(d, (struct brush){.colour = s->theme->band});
		drawing_rect(d, PAGE_MARGIN, b.top, d->width - 2 * PAGE_MARGIN, BOX);
		tracks_draw_title(d, &b);
		tracks_draw_numbers(d, &b);
	}
}

void tracks_draw_curves(struct drawing *d, const struct scene *s, const struct layout *l,
			struct series_track *const *tracks, size_t n, double top)
{
	for (size_t i = 0; i < n; i++) {
		struct track_box b = box_of(s, l, tracks, i, top);
		struct layout box = *l;

		box.top = b.top + 4;
		box.bottom = b.top + BOX - 4;
		grid_draw(d, s, &box);
		draw_track_tiles(d, &b);
		draw_track_curves(d, &b);
	}
}
