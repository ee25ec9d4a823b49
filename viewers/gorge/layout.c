#include "viewers/gorge/layout.h"
#include "viewers/gorge/text.h"
#include <math.h>
#include <stdlib.h>

static const struct density densities[] = {
	{.lanes = 4, .tracks = 6, .rows = 10, .track = 13, .row = 17, .pad = 7, .radius = 4.6, .font = 12},
	{.lanes = 16, .tracks = 5, .rows = 8, .track = 9, .row = 13, .pad = 4.5, .radius = 3.7, .font = 11},
	{.lanes = 40, .tracks = 3, .rows = 6, .track = 7, .row = 9, .pad = 3, .radius = 3.1, .font = 10},
	{.lanes = 100, .tracks = 2, .rows = 4, .track = 5, .row = 5, .pad = 2, .radius = 2.6, .font = 9},
	{.lanes = 0, .tracks = 1, .rows = 3, .track = 5, .row = 3.5, .pad = 1.5, .radius = 2.2, .font = 8},
};

enum { NDENSITIES = sizeof densities / sizeof *densities };

const struct density *density_for(unsigned lanes)
{
	int i = 0;

	while (i < NDENSITIES - 1 && lanes > densities[i].lanes)
		i++;
	return &densities[i];
}

double layout_names(const struct scene *s, double width)
{
	double font = density_for(s->nlanes)->font, widest = 5 * font;

	for (unsigned i = 0; i < s->nlanes; i++)
		widest = fmax(widest, text_width(s->lanes[i].name, font, false));
	return fmin(ceil(widest) + 1, floor(width * 0.2));
}

unsigned layout_columns(const struct scene *s, double width)
{
	double columns = width - 2 * PAGE_MARGIN - layout_names(s, width) - LABEL_GAP - 2 * PLOT_INDENT;

	return columns < 10 ? 10 : (unsigned)columns;
}

static double lane_height(const struct scene *s, const struct density *d, const struct lane *lane)
{
	unsigned rows = lane->rows ? lane->rows : s->nintervals > 0;
	double content = 2 * d->pad + s->tracks * d->track + rows * d->row;

	return fmax(content, ceil(d->font * 1.35));
}

static double total_height(const struct scene *s, const struct density *d)
{
	double total = 0;

	for (unsigned i = 0; i < s->nlanes; i++)
		total += lane_height(s, d, &s->lanes[i]);
	return total;
}

/* The first density, from the one that suits the number of lanes on, with which they fit into the height. */
static const struct density *density_within(const struct scene *s, double height)
{
	const struct density *d = density_for(s->nlanes), *last = &densities[NDENSITIES - 1];

	while (height > 0 && d < last && total_height(s, d) > height)
		d++;
	return d;
}

static void place_lanes(const struct scene *s, struct layout *l, double spare, double scale)
{
	double y = l->top;

	for (unsigned i = 0; i < s->nlanes; i++) {
		const struct lane *lane = &s->lanes[i];
		double content = s->tracks * l->track + lane->rows * l->row;
		struct place *p = &l->places[i];
		p->top = y;
		p->height = lane_height(s, l->density, lane) * scale + spare;
		p->tracks = round(y + (p->height - content) / 2);
		p->rows = p->tracks + s->tracks * l->track;
		y += p->height;
	}
	l->bottom = y;
}

struct layout *layout_new(const struct scene *s, double width, double top, double height)
{
	struct layout *l = zeroed(1, sizeof *l);
	double natural, scale;

	l->density = density_within(s, height);
	natural = total_height(s, l->density);
	scale = height > 0 && height < natural ? height / natural : 1;
	l->track = l->density->track * scale;
	l->row = l->density->row * scale;
	l->x = PAGE_MARGIN + layout_names(s, width) + LABEL_GAP + PLOT_INDENT;
	l->width = s->columns;
	l->top = top;
	l->places = zeroed(s->nlanes, sizeof *l->places);
	place_lanes(s, l, height > natural && s->nlanes ? (height - natural) / s->nlanes : 0, scale);
	return l;
}

void layout_free(struct layout *l)
{
	free(l->places);
	free(l);
}

double layout_track_y(const struct layout *l, uint32_t lane, unsigned track)
{
	return l->places[lane].tracks + (track + 0.5) * l->track;
}

double layout_mark_y(const struct scene *s, const struct layout *l, uint32_t lane, uint32_t key, uint8_t shift)
{
	double bottom = layout_track_y(l, lane, s->tracks - 1);

	if (key == NO_KEY)
		return (layout_track_y(l, lane, 0) + bottom) / 2;
	if (!s->events[key].shifted)
		return layout_track_y(l, lane, s->events[key].track);
	return bottom - (bottom - layout_track_y(l, lane, 0)) * shift / (SHIFTS - 1);
}
