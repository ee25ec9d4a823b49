#include "viewers/gorge/layout.h"
#include "viewers/gorge/text.h"
#include <math.h>
#include <stdlib.h>

/* In the order of the members of struct density. */
static const struct density densities[] = {
	{4, 6, 10, 13, 17, 7, 38, 4.6, 12},
	{16, 5, 8, 9, 13, 4.5, 31, 3.7, 11},
	{40, 3, 6, 7, 9, 3, 20, 3.1, 10},
	{100, 2, 4, 5, 5, 2, 13, 2.6, 9},
	{0, 1, 3, 5, 3.5, 1.5, 11, 2.2, 8},
};

enum { NDENSITIES = sizeof densities / sizeof *densities };

/* Beside the axis stands "time (ms)" where the names are. */
enum { LEAST_NAMES = 58 };

const struct density *density_for(unsigned lanes)
{
	int i = 0;

	while (i < NDENSITIES - 1 && lanes > densities[i].lanes)
		i++;
	return &densities[i];
}

double layout_names(const struct scene *s, double width)
{
	double font = density_for(s->nlanes)->font, widest = LEAST_NAMES;

	for (unsigned i = 0; i < s->nlanes; i++)
		widest = fmax(widest, text_width(s->lanes[i].name, font, false));
	return fmin(ceil(widest) + 1, fmax(floor(width * 0.2), LEAST_NAMES));
}

unsigned layout_columns(const struct scene *s, double width)
{
	double columns =
	    width - 2 * PAGE_MARGIN - layout_names(s, width) - LABEL_GAP - 2 * PLOT_INDENT;

	return columns < 10 ? 10 : (unsigned)columns;
}

/* Which lanes have symbols. */
static void find_marked(const struct scene *s, struct place *places)
{
	for (unsigned i = 0; i < s->nlanes; i++)
		places[i].marked = s->lanes[i].marked;
	for (size_t i = 0; i < s->marks.n; i++)
		places[s->marks.at[i].lane].marked = true;
	for (size_t i = 0; i < s->stubs.n; i++)
		places[s->stubs.at[i].lane].marked = true;
}

static double content_height(const struct scene *s, const struct layout *l, unsigned lane)
{
	return (l->places[lane].marked ? s->tracks * l->track : 0) + s->lanes[lane].rows * l->row;
}

static double lane_height(const struct scene *s, const struct layout *l, unsigned lane)
{
	return fmax(content_height(s, l, lane) + 2 * l->density->pad, l->density->least);
}

static double total_height(const struct scene *s, const struct layout *l)
{
	double total = 0;

	for (unsigned i = 0; i < s->nlanes; i++)
		total += lane_height(s, l, i);
	return total;
}

static void set_density(struct layout *l, const struct density *d)
{
	l->density = d;
	l->track = d->track;
	l->row = d->row;
}

/*
 * Chooses the first density, from the one that suits the number of lanes on, with which they fit
 * into the height.
 */
static void choose_density(const struct scene *s, struct layout *l, double height)
{
	const struct density *last = &densities[NDENSITIES - 1];

	set_density(l, density_for(s->nlanes));
	while (height > 0 && l->density < last && total_height(s, l) > height)
		set_density(l, l->density + 1);
}

/* Every lane gets scale of the height that it needs, and spare pixels. */
static void place_lanes(const struct scene *s, struct layout *l, double spare, double scale)
{
	double y = l->top;

	for (unsigned i = 0; i < s->nlanes; i++) {
		struct place *p = &l->places[i];
		p->top = y;
		p->height = lane_height(s, l, i) * scale + spare;
		y += p->height;
	}
	l->bottom = y;
	l->track *= scale;
	l->row *= scale;
	for (unsigned i = 0; i < s->nlanes; i++) {
		struct place *p = &l->places[i];
		p->tracks = p->top + (p->height - content_height(s, l, i)) / 2;
		if (scale == 1)
			p->tracks = round(p->tracks);
		p->rows = p->tracks + (p->marked ? s->tracks * l->track : 0);
	}
}

struct layout *layout_new(const struct scene *s, double width, double top, double height)
{
	struct layout *l = zeroed(1, sizeof *l);
	double natural;

	l->places = zeroed(s->nlanes, sizeof *l->places);
	find_marked(s, l->places);
	choose_density(s, l, height);
	natural = total_height(s, l);
	l->x = PAGE_MARGIN + layout_names(s, width) + LABEL_GAP + PLOT_INDENT;
	l->width = s->columns;
	l->top = top;
	place_lanes(s, l, height > natural && s->nlanes ? (height - natural) / s->nlanes : 0,
		    height > 0 && height < natural ? height / natural : 1);
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

double layout_middle_y(const struct scene *s, const struct layout *l, uint32_t lane)
{
	const struct place *p = &l->places[lane];

	if (p->marked)
		return p->tracks + s->tracks * l->track / 2;
	return s->lanes[lane].rows ? p->rows + l->row / 2 : p->top + p->height / 2;
}

double layout_mark_y(const struct scene *s, const struct layout *l, uint32_t lane, uint32_t key,
		     uint8_t shift)
{
	double bottom = layout_track_y(l, lane, s->tracks - 1);

	/* lines between bars end at their edges */
	if (key == NO_KEY && s->lanes[lane].rows)
		return l->places[lane].rows + l->row / 2;
	if (key == NO_KEY || !l->places[lane].marked)
		return layout_middle_y(s, l, lane);
	if (!s->events[key].shifted)
		return layout_track_y(l, lane, s->events[key].track);
	return bottom - (bottom - layout_track_y(l, lane, 0)) * shift / (SHIFTS - 1);
}
