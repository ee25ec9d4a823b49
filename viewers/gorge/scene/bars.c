#include "viewers/gorge/scene/bars.h"
#include <stdlib.h>

/* More kinds of intervals than this in one pixel are counted with the last of them. */
enum { PARTS = 8 };

/* Intervals of one kind in one pixel. */
struct pixel_part {
	uint32_t key;
	uint8_t level;
	uint64_t count;
	uint64_t anchor;       /* of the first one */
	double cover;          /* nanoseconds */
	uint8_t slice, slices; /* of the row's height, as of a bar */
};

/* What is narrower than a pixel, in one column of a row. */
struct pixel {
	int32_t column;
	unsigned nparts;
	struct pixel_part parts[PARTS];
};

struct bar_row {
	bool used;
	struct pixel open; /* still being filled */
	struct pixel run;  /* as it was drawn last: the column after it, and its parts */
	size_t run_bars;   /* the index of the first of these parts' bars */
};

static bool is_picked(const struct scene *s, uint32_t key, int64_t length)
{
	return key == s->pick.key && length >= s->pick.least && length <= s->pick.most;
}

/* Bytes of a line of the cache, in which no two lanes are written at once. */
enum { CACHE_LINE = 64 };

/* Of a lane: its rows, limit of them, or NULL, and what becomes of them. */
struct bars_lane {
	unsigned limit;
	struct bar_row *rows;
	VECTOR(struct bar) list;
	char apart[CACHE_LINE];
};

struct bars {
	struct scene *scene;
	double pixel; /* nanoseconds of one column */
	struct bars_lane *lanes;
};

struct bars *bars_begin(struct scene *s, unsigned rows)
{
	struct bars *b = array_zero(1, sizeof *b);

	b->scene = s;
	b->pixel = ((double)s->window.to - (double)s->window.from) / s->columns;
	b->lanes = array_zero(s->nlanes, sizeof *b->lanes);
	for (unsigned i = 0; i < s->nlanes; i++)
		b->lanes[i].limit = s->lanes[i].rows ? s->lanes[i].rows : rows;
	return b;
}

/* The level of what has its share of the height instead. */
enum { ALL_LEVEL = 4 };

/* Returns how many quarters of the pixel are covered, the last one in part. */
static uint8_t bars_level_of(double cover, double pixel)
{
	return (uint8_t)(1 + (cover >= 0.25 * pixel) + (cover >= 0.5 * pixel) +
			 (cover >= 0.75 * pixel));
}

static bool continues(const struct pixel *run, const struct pixel *p)
{
	if (run->nparts != p->nparts || run->column != p->column)
		return false;
	for (unsigned i = 0; i < p->nparts; i++)
		if (run->parts[i].key != p->parts[i].key ||
		    run->parts[i].level != p->parts[i].level ||
		    run->parts[i].slice != p->parts[i].slice ||
		    run->parts[i].slices != p->parts[i].slices)
			return false;
	return true;
}

static void begin_run(struct bars *b, struct bar_row *row, uint32_t lane)
{
	const struct pixel *p = &row->open;

	row->run.nparts = p->nparts;
	for (unsigned i = 0; i < p->nparts; i++)
		row->run.parts[i] = p->parts[i];
	row->run_bars = b->lanes[lane].list.n;
	for (unsigned i = 0; i < p->nparts; i++)
		*vector_add(&b->lanes[lane].list) = (struct bar){
		    .lane = lane,
		    .key = p->parts[i].key,
		    .row = (uint32_t)(row - b->lanes[lane].rows),
		    .x0 = p->column,
		    .x1 = p->column,
		    .anchor = p->parts[i].anchor,
		    .level = p->parts[i].level,
		    .slice = p->parts[i].slice,
		    .slices = p->parts[i].slices,
		};
}

/* The keys of objects' lanes are made when their bars are. */
static bool is_state(const struct bars *b, uint32_t key)
{
	return key < b->scene->nintervals && b->scene->intervals[key].band == BAND_STATES;
}

/* Running is at the bottom, and ready above it; what is low comes last. */
static void sort_parts(const struct bars *b, struct pixel *p)
{
	const struct interval_key *keys = b->scene->intervals;

	for (unsigned i = 1; i < p->nparts; i++)
		for (unsigned k = i; k > 0; k--) {
			struct pixel_part *at = &p->parts[k], swapped = *at;
			unsigned before = key_rank(&keys[at[-1].key]),
				 rank = key_rank(&keys[at->key]);
			if (before < rank || (before == rank && at[-1].key <= at->key))
				break;
			*at = at[-1];
			at[-1] = swapped;
		}
}

/* Of what is low, the one with the most time has the room that the rest leaves below its height. */
static void slice_low(struct pixel *p, unsigned first, unsigned top)
{
	unsigned most = first;

	for (unsigned i = first; i < p->nparts; i++) {
		p->parts[i].slice = p->parts[i].slices = 0;
		if (p->parts[i].cover > p->parts[most].cover)
			most = i;
	}
	if (first == p->nparts || top >= LOW_PARTS)
		return;
	p->parts[most].slice = (uint8_t)top;
	p->parts[most].slices = (uint8_t)(LOW_PARTS - top);
}

/* Stacks the states of a pixel by their shares of it; what there is has a part at least. */
static void slice_states(const struct bars *b, struct pixel *p)
{
	double cover = 0;
	unsigned top = 0, i;

	sort_parts(b, p);
	for (i = 0; i < p->nparts && !key_is_low(&b->scene->intervals[p->parts[i].key]); i++) {
		unsigned next;

		cover += p->parts[i].cover;
		next = (unsigned)(cover / b->pixel * STATE_PARTS + 0.5);
		next = next > top ? next : top + 1;
		next = next < STATE_PARTS ? next : STATE_PARTS;
		p->parts[i].slice = (uint8_t)top;
		p->parts[i].slices = (uint8_t)(next - top);
		top = next;
	}
	slice_low(p, i, top);
}

/* Gives the parts of a pixel the row's height. */
static void slice_parts(const struct bars *b, struct pixel *p)
{
	if (p->nparts && is_state(b, p->parts[0].key)) {
		slice_states(b, p);
		return;
	}
	for (unsigned i = 0; i < p->nparts; i++) {
		p->parts[i].slice = (uint8_t)i;
		p->parts[i].slices = (uint8_t)p->nparts;
	}
}

/* Ends the open pixel of a row: adds it to the run, if it continues that, or begins another. */
static void flush(struct bars *b, struct bar_row *row, uint32_t lane)
{
	struct pixel *p = &row->open;

	for (unsigned i = 0; i < p->nparts; i++)
		p->parts[i].level = is_state(b, p->parts[i].key)
					? ALL_LEVEL
					: bars_level_of(p->parts[i].cover, b->pixel);
	slice_parts(b, p);
	if (p->nparts && !continues(&row->run, p))
		begin_run(b, row, lane);
	for (unsigned i = 0; i < p->nparts; i++) {
		struct bar *bar = &b->lanes[lane].list.at[row->run_bars + i];
		bar->x1 = p->column + 1;
		bar->count += p->parts[i].count;
		bar->picked =
		    bar->count == 1 && is_picked(b->scene, bar->key, (int64_t)p->parts[i].cover);
	}
	row->run.column = p->column + 1;
	p->nparts = 0;
}

static struct pixel_part *part_for(struct pixel *p, uint32_t key, uint64_t anchor)
{
	for (unsigned i = 0; i < p->nparts; i++)
		if (p->parts[i].key == key)
			return &p->parts[i];
	if (p->nparts == PARTS)
		return &p->parts[PARTS - 1];
	p->parts[p->nparts] = (struct pixel_part){.key = key, .anchor = anchor};
	return &p->parts[p->nparts++];
}

/* Returns the row within the limit; most are below it and need no division. */
static uint32_t row_within(const struct bars *b, uint32_t lane, uint32_t row)
{
	unsigned limit = b->lanes[lane].limit;

	return row < limit ? row : row % limit;
}

static struct bar_row *row_at(struct bars *b, uint32_t lane, uint32_t row)
{
	if (!b->lanes[lane].rows)
		b->lanes[lane].rows = array_zero(b->lanes[lane].limit, sizeof(struct bar_row));
	return &b->lanes[lane].rows[row_within(b, lane, row)];
}

void bars_narrow(struct bars *b, uint32_t lane, uint32_t index, uint32_t key, int32_t column,
		 uint64_t count, double cover, uint64_t anchor)
{
	struct bar_row *row = row_at(b, lane, index);
	struct pixel_part *part;

	row->used = true;
	if (row->open.nparts && row->open.column != column)
		flush(b, row, lane);
	row->open.column = column;
	part = part_for(&row->open, key, anchor);
	part->count += count;
	part->cover += cover;
}

static double clamp(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

/*
 * Returns the duration from which a bar is wide; the hundredth part is for what rounding may do to
 * the edges.
 */
int64_t bars_wide(const struct scene *s)
{
	return (int64_t)(((double)s->window.to - (double)s->window.from) / s->columns * 0.99);
}

void bars_put(struct bars *b, uint32_t lane, uint32_t row, uint32_t key, int64_t start, int64_t end,
	      uint64_t anchor)
{
	const struct scene *s = b->scene;
	double x0 = clamp(scene_x(s, start), 0, s->columns),
	       x1 = clamp(scene_x(s, end), 0, s->columns);

	row = row_within(b, lane, row);
	row_at(b, lane, row)->used = true;
	if (x1 - x0 < 1) {
		bars_narrow(b, lane, row, key, scene_column(s, start), 1, (double)(end - start),
			    anchor);
		return;
	}
	*vector_add(&b->lanes[lane].list) = (struct bar){
	    .lane = lane,
	    .key = key,
	    .row = row,
	    .x0 = x0,
	    .x1 = x1,
	    .count = 1,
	    .anchor = anchor,
	    .slices = !is_state(b, key)                ? 1
		      : key_is_low(&s->intervals[key]) ? LOW_PARTS
						       : STATE_PARTS,
	    .cut_left = start<s->window.from, .cut_right = end> s->window.to,
	    .picked = is_picked(s, key, end - start),
	};
}

static void end_lane(struct bars *b, uint32_t lane)
{
	struct bars_lane *l = &b->lanes[lane];

	for (unsigned i = 0; l->rows && i < l->limit; i++) {
		flush(b, &l->rows[i], lane);
		if (l->rows[i].used && b->scene->lanes[lane].rows <= i)
			b->scene->lanes[lane].rows = i + 1;
	}
	if (l->list.n)
		vector_append(&b->scene->bars, l->list.at, l->list.n);
	free(l->rows);
	free(l->list.at);
}

/* Makes room for all bars: rows that are not ended have some more in the end. */
static void bars_make_room(struct bars *b)
{
	size_t n = b->scene->bars.n;

	for (uint32_t lane = 0; lane < b->scene->nlanes; lane++)
		n += b->lanes[lane].list.n + b->lanes[lane].limit;
	b->scene->bars.at =
	    vector_reserve(b->scene->bars.at, n, &b->scene->bars.room, sizeof *b->scene->bars.at);
}

void bars_end(struct bars *b)
{
	bars_make_room(b);
	for (uint32_t lane = 0; lane < b->scene->nlanes; lane++)
		end_lane(b, lane);
	free(b->lanes);
	free(b);
}
