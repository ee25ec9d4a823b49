#include "viewers/gorge/draw/layout.h"
#include "viewers/gorge/style/text_width.h"
#include <math.h>
#include <stdlib.h>

/* Lanes that were made small, and headings: their heights, and those of what is in them. */
enum { HEADING = 18, SMALL = 11, SMALL_PAD = 1, SMALL_TRACK = 5, SMALL_ROW = 3, SMALL_STATES = 7 };

/* Merged states. */
enum { MERGE = 34, CLOSE_MERGE = 20, PROCESSORS = 44 };

/* Names of the lives on a lane, where lanes are not too many. */
enum { LIFE_NAMES = 9, NAMED_LANES = 300 };

/*
 * Rows of calls have room for names where lanes are not too many, and get lower where there are so
 * many that a lane would be higher than MOST_CALLS; in small lanes they only show how deep it goes.
 */
enum { CALL_ROW = 14, MOST_CALLS = 700, LEAST_CALL = 2, CALL_LANES = 40, SMALL_CALLS = 9 };

/* Finds which lanes have symbols, and on how many tracks. */
static void find_marked(const struct scene *s, struct lane_place *places)
{
	for (unsigned i = 0; i < s->nlanes; i++)
		places[i].ntracks = s->lanes[i].marked;
	for (size_t i = 0; i < s->marks.n; i++)
		places[s->marks.at[i].lane].ntracks = 1;
	for (size_t i = 0; i < s->stubs.n; i++)
		places[s->stubs.at[i].lane].ntracks = 1;
	for (unsigned i = 0; i < s->nlanes; i++)
		if (!s->lanes[i].small)
			places[i].ntracks *= s->tracks;
}

static double content_height(const struct scene *s, const struct layout *l, unsigned lane)
{
	const struct lane_place *p = &l->places[lane];

	double height = p->ntracks * p->track;

	for (enum band band = 0; band < BANDS; band++)
		height += s->lanes[lane].bands[band] * p->row[band];
	return height + p->merge + p->names;
}

/*
 * Returns the height of a lane: a heading has room for its name, a small lane for its contents, any
 * other for more.
 */
static double lane_height(const struct scene *s, const struct layout *l, unsigned lane)
{
	const struct lane *at = &s->lanes[lane];
	double pad = at->small ? SMALL_PAD : l->density->pad;
	double least = at->heading ? HEADING : at->small ? SMALL : l->density->least;

	return fmax(content_height(s, l, lane) + 2 * pad, least);
}

static double total_height(const struct scene *s, const struct layout *l)
{
	double total = 0;

	for (unsigned i = 0; i < s->nlanes; i++)
		total += lane_height(s, l, i);
	return total;
}

static double call_height(const struct scene *s, const struct lane *lane, const struct density *d,
			  enum band band)
{
	double row =
	    s->nlanes <= CALL_LANES && d->row >= density_for(CALL_LANES)->row ? CALL_ROW : d->row;
	unsigned n = lane->bands[band];

	if (lane->grown)
		return CALL_ROW;
	if (lane->small)
		return n > SMALL_CALLS ? (double)SMALL_CALLS / n : 1;
	return n * row > MOST_CALLS ? fmax((double)MOST_CALLS / n, LEAST_CALL) : row;
}

/* Sets the heights of what is in a lane. */
static void set_heights(const struct scene *s, const struct density *d, unsigned lane,
			struct lane_place *p)
{
	bool small = s->lanes[lane].small;

	if (s->lanes[lane].grown)
		d = density_for(1);
	p->names = s->lanes[lane].shared && !small && s->nlanes <= NAMED_LANES ? LIFE_NAMES : 0;
	p->track = small ? fmin(SMALL_TRACK, d->track) : d->track;
	p->row[BAND_BARS] = small ? fmin(SMALL_ROW, d->row) : d->row;
	p->row[BAND_STATES] = small ? SMALL_STATES : d->state;
	p->row[BAND_LIVES] = small ? 1 : d->thin / 2;
	p->row[BAND_CALLS] = call_height(s, &s->lanes[lane], d, BAND_CALLS);
	p->row[BAND_STACKS] = call_height(s, &s->lanes[lane], d, BAND_STACKS);
	p->merge = s->lanes[lane].processors ? PROCESSORS
		   : !s->lanes[lane].merged  ? 0
		   : d->row > 8              ? MERGE
					     : CLOSE_MERGE;
}

static void set_density(const struct scene *s, struct layout *l, const struct density *d)
{
	l->density = d;
	for (unsigned i = 0; i < s->nlanes; i++)
		set_heights(s, d, i, &l->places[i]);
}

/*
 * Chooses the first density, from the one that suits the number of lanes on, with which they fit
 * into the height.
 */
static void choose_density(const struct scene *s, struct layout *l, double height)
{
	set_density(s, l, density_for(s->nlanes));
	while (height > 0 && density_closer(l->density) && total_height(s, l) > height)
		set_density(s, l, density_closer(l->density));
}

/* Counts the lanes that grow with the page. */
static unsigned count_growing(const struct scene *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nlanes; i++)
		n += !s->lanes[i].small && !s->lanes[i].heading;
	return n;
}

/* With room, rows of states are as high as this. */
enum { MOST_STATES = 40 };

/*
 * Lets the rows of states take what they may of the spare pixels that each lane that grows has, and
 * returns what is left.
 */
static double grow_states(const struct scene *s, struct layout *l, double spare)
{
	double taken = 0;

	for (unsigned i = 0; i < s->nlanes; i++) {
		double *row = &l->places[i].row[BAND_STATES];

		if (s->lanes[i].small || s->lanes[i].heading || !s->lanes[i].bands[BAND_STATES] ||
		    s->lanes[i].merged)
			continue;
		taken = fmax(taken, fmin(spare, MOST_STATES - *row));
		*row += fmin(spare, MOST_STATES - *row);
	}
	return spare - taken;
}

/*
 * Places the lanes: each gets scale of the height that it needs, and those that grow spare pixels
 * more.
 */
static void place_lanes(const struct scene *s, struct layout *l, double spare, double scale)
{
	double y = l->top;

	for (unsigned i = 0; i < s->nlanes; i++) {
		struct lane_place *p = &l->places[i];
		p->top = y;
		p->height = lane_height(s, l, i) * scale;
		if (!s->lanes[i].small && !s->lanes[i].heading)
			p->height += spare;
		y += p->height;
	}
	l->bottom = y;
	for (unsigned i = 0; i < s->nlanes; i++) {
		struct lane_place *p = &l->places[i];
		p->track *= scale;
		for (enum band band = 0; band < BANDS; band++)
			p->row[band] *= scale;
		p->merge *= scale;
		p->names *= scale;
		p->tracks = p->top + (p->height - content_height(s, l, i)) / 2 + p->names;
		if (scale == 1)
			p->tracks = round(p->tracks);
		p->rows = p->tracks + p->ntracks * p->track;
	}
}

struct layout *layout_new(const struct scene *s, double width, double top, double height)
{
	struct layout *l = array_zero(1, sizeof *l);
	unsigned growing = count_growing(s);
	double natural, spare;

	l->places = array_zero(s->nlanes, sizeof *l->places);
	find_marked(s, l->places);
	choose_density(s, l, height);
	natural = total_height(s, l);
	l->x = PAGE_MARGIN + scene_names_width(s, width) + LABEL_GAP + PLOT_INDENT;
	l->width = s->columns;
	l->shares_width = scene_shares_width(s, width);
	l->shares = l->x + s->columns + PLOT_INDENT + SHARES_GAP;
	l->top = top;
	spare = height > natural && growing ? (height - natural) / growing : 0;
	place_lanes(s, l, grow_states(s, l, spare),
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
	const struct lane_place *p = &l->places[lane];

	if (track >= p->ntracks)
		track = p->ntracks ? p->ntracks - 1 : 0;
	return p->tracks + (track + 0.5) * p->track;
}

/* Returns the band of a row, and makes the row count from the band's first one. */
static enum band find_band(const struct scene *s, uint32_t lane, unsigned *row)
{
	enum band band = 0;

	while (band + 1 < BANDS && *row >= s->lanes[lane].bands[band])
		*row -= s->lanes[lane].bands[band++];
	return band;
}

double layout_row_y(const struct scene *s, const struct layout *l, uint32_t lane, unsigned row)
{
	const struct lane_place *p = &l->places[lane];
	enum band band = find_band(s, lane, &row);
	double y = p->rows + row * p->row[band];

	while (band-- > 0)
		y += s->lanes[lane].bands[band] * p->row[band];
	return y;
}

double layout_row_height(const struct scene *s, const struct layout *l, uint32_t lane, unsigned row)
{
	return l->places[lane].row[find_band(s, lane, &row)];
}

/* Returns the gap between bars of neighbouring rows. */
static double row_gap(enum band band, double row)
{
	if (band == BAND_STATES)
		return 0;
	if (band == BAND_CALLS || band == BAND_STACKS)
		return row > 8 ? 1 : row > 3 ? 0.4 : 0;
	return row > 8 ? 2 : row > 4 ? 1 : 0.4;
}

double layout_row_middle(const struct scene *s, const struct layout *l, uint32_t lane)
{
	const struct lane_place *p = &l->places[lane];

	if (s->lanes[lane].merged)
		return p->rows + p->merge / 2;
	if (s->lanes[lane].bands[BAND_STATES])
		return p->rows + p->row[BAND_STATES] / 2;
	return p->top + p->height / 2;
}

double layout_bar_height(const struct layout *l, uint32_t lane, enum band band, unsigned slices)
{
	double row = l->places[lane].row[band];

	if (band == BAND_STATES)
		return row * slices / STATE_PARTS;
	return (row - row_gap(band, row)) / slices;
}

void layout_bar(const struct scene *s, const struct layout *l, const struct bar *b, double *top,
		double *height)
{
	enum band band = s->intervals[b->key].band;
	double row = l->places[b->lane].row[band], gap = row_gap(band, row);
	double y = layout_row_y(s, l, b->lane, b->row) + gap / 2;

	*height = layout_bar_height(l, b->lane, band, b->slices);
	*top = band == BAND_STATES ? y + row - row * b->slice / STATE_PARTS - *height
				   : y + b->slice * *height;
}

/* Returns the middle of the first row. */
static double first_row_y(const struct scene *s, const struct layout *l, uint32_t lane)
{
	return l->places[lane].rows + layout_row_height(s, l, lane, 0) / 2;
}

/* Returns the middle of the symbols of a lane; without any, that of its first row. */
static double layout_middle_y(const struct scene *s, const struct layout *l, uint32_t lane)
{
	const struct lane_place *p = &l->places[lane];

	if (s->lanes[lane].merged)
		return p->rows + p->merge;
	if (p->ntracks)
		return p->tracks + p->ntracks * p->track / 2;
	return s->lanes[lane].rows ? first_row_y(s, l, lane) : p->top + p->height / 2;
}

double layout_life_y(const struct scene *s, const struct layout *l, uint32_t lane)
{
	const struct lane_place *p = &l->places[lane];

	if (s->lanes[lane].bands[BAND_STATES] && !s->lanes[lane].merged)
		return p->rows + p->row[BAND_STATES];
	return layout_middle_y(s, l, lane);
}

double layout_mark_y(const struct scene *s, const struct layout *l, uint32_t lane, uint32_t key,
		     uint8_t shift)
{
	const struct lane_place *p = &l->places[lane];
	double bottom = layout_track_y(l, lane, s->tracks - 1);

	/* lines between bars end at their edges */
	if (key == NO_KEY && s->lanes[lane].rows)
		return first_row_y(s, l, lane);
	if (key == NO_KEY || !p->ntracks)
		return layout_middle_y(s, l, lane);
	if (!s->events[key].shifted)
		return layout_track_y(l, lane, s->events[key].track);
	return bottom - (bottom - layout_track_y(l, lane, 0)) * shift / (SHIFTS - 1);
}
