/*
 * The legend: events with their symbols, a table of the intervals, and the signs that this picture
 * uses.
 */
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/draw/symbols.h"
#include "viewers/gorge/style/text_width.h"
#include "viewers/units.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	LINE = 17, LETTERS = 11, HEAD_LETTERS = 10,
	SWATCH = 26,            /* a sample and the room after it */
	COLUMN_GAP = 16,
	BLOCK_GAP = 44,
	LABEL_LIMIT = 220,      /* of one name */
};

static struct typeface face_of(const struct scene *s, enum align align, bool head)
{
	return (struct typeface){
		.size = head ? HEAD_LETTERS : LETTERS, .align = align,
		.colour = head ? s->theme->muted : s->theme->ink,
	};
}

static double width_of(const char *text)
{
	char *clean = text_clean(text);
	double width = fmin(text_width(clean, LETTERS, false), LABEL_LIMIT);

	free(clean);
	return width;
}

/* ---- events ---- */

struct grid {
	double label, count;    /* widths of the two columns of a cell */
	unsigned rows, columns;
};

static double cell_width(const struct grid *g)
{
	return SWATCH + g->label + COLUMN_GAP + g->count;
}

static double grid_width(const struct grid *g)
{
	return g->columns * cell_width(g) + (g->columns - 1) * 1.5 * COLUMN_GAP;
}

/* As few columns as rows lines need, as many as the width allows. */
static struct grid grid_for(const struct scene *s, unsigned rows, double width)
{
	struct grid g = {.columns = 1, .label = 14, .count = width_of("count")};
	char text[UNITS_TEXT];
	unsigned most, wanted;

	for (unsigned i = 0; i < s->nevents; i++) {
		g.label = fmax(g.label, width_of(s->events[i].label));
		g.count = fmax(g.count, width_of(count_text(text, s->events[i].count)));
	}
	most = (unsigned)fmax(1, (width + 1.5 * COLUMN_GAP) / (cell_width(&g) + 1.5 * COLUMN_GAP));
	wanted = s->nevents > rows ? (s->nevents + rows - 1) / rows : 1;
	g.columns = wanted < most ? wanted : most;
	g.rows = (s->nevents + g.columns - 1) / g.columns;
	return g;
}

static void draw_sample(struct drawing *d, const struct event_key *key, double x, double y)
{
	drawing_brush(d, (struct brush){.colour = key->colour,
					.width = symbol_is_line(key->symbol) ? 1.7 : 0});
	symbol_add(d, key->symbol, x + 6, y - 4, 4.4);
}

static void draw_event(struct drawing *d, const struct scene *s, const struct grid *g, unsigned i,
		       double x, double y)
{
	struct typeface left = face_of(s, ALIGN_LEFT, false),
			right = face_of(s, ALIGN_RIGHT, false);
	const struct event_key *key = &s->events[i];
	char text[UNITS_TEXT];

	x += i / g->rows * (cell_width(g) + 1.5 * COLUMN_GAP);
	y += i % g->rows * LINE;
	draw_sample(d, key, x, y);
	drawing_text(d, &left, x + SWATCH, y, g->label + 1, key->label);
	right.colour = s->theme->muted;
	drawing_text(d, &right, x + cell_width(g), y, 0, count_text(text, key->count));
}

static double draw_events(struct drawing *d, const struct scene *s, const struct grid *g, double x,
			  double y)
{
	struct typeface head = face_of(s, ALIGN_LEFT, true), right = face_of(s, ALIGN_RIGHT, true);

	drawing_text(d, &head, x, y, 0, "events");
	for (unsigned c = 0; c < g->columns; c++)
		drawing_text(d, &right, x + c * (cell_width(g) + 1.5 * COLUMN_GAP) + cell_width(g),
			     y, 0, "count");
	for (unsigned i = 0; i < s->nevents; i++)
		draw_event(d, s, g, i, x, y + LINE);
	return y + g->rows * LINE;
}

/* ---- intervals ---- */

enum {
	COLUMN_LABEL,
	COLUMN_COUNT,
	COLUMN_UNMATCHED,
	COLUMN_MIN,
	COLUMN_MEAN,
	COLUMN_MAX,
	NCOLUMNS
};

static const char *const column_heads[] = {"intervals", "count", "unmatched",
					   "shortest",  "mean",  "longest"};

/* What stands in a column of the table. Gives text, or the key's label. */
static const char *column_text(const struct interval_key *key, int column, char text[UNITS_TEXT])
{
	if (column >= COLUMN_MIN && key->count == 0)
		return "";
	switch (column) {
	case COLUMN_LABEL:
		return key->label;
	case COLUMN_COUNT:
		return count_text(text, key->count);
	case COLUMN_UNMATCHED:
		return count_text(text, key->unmatched);
	case COLUMN_MIN:
		return duration_text(text, (double)key->shortest);
	case COLUMN_MEAN:
		return duration_text(text, key->total / (double)key->count);
	default:
		return duration_text(text, (double)key->longest);
	}
}

struct table {
	double widths[NCOLUMNS];        /* 0: the column is left out */
};

static double table_width(const struct table *t)
{
	double width = SWATCH;

	for (int c = 0; c < NCOLUMNS; c++)
		if (t->widths[c] > 0)
			width += t->widths[c] + (c ? COLUMN_GAP : 0);
	return width;
}

/* On a narrow page columns are left out, and then names are shortened. */
static void table_fit(struct table *t, double room)
{
	static const int order[] = {COLUMN_MIN, COLUMN_MEAN, COLUMN_MAX, COLUMN_UNMATCHED,
				    COLUMN_COUNT};

	for (int i = 0; i < NCOLUMNS - 1 && table_width(t) > room; i++)
		t->widths[order[i]] = 0;
	t->widths[COLUMN_LABEL] -= fmax(0, table_width(t) - room);
}

static struct table table_for(const struct scene *s, double room)
{
	struct table t = {0};
	char text[UNITS_TEXT];

	for (int c = 0; c < NCOLUMNS; c++) {
		t.widths[c] = width_of(column_heads[c]);
		for (unsigned i = 0; i < s->nintervals; i++)
			t.widths[c] =
			    fmax(t.widths[c], width_of(column_text(&s->intervals[i], c, text)));
	}
	table_fit(&t, room);
	return t;
}

static void draw_swatch(struct drawing *d, const struct scene *s, const struct interval_key *key,
			double x, double y)
{
	bool bar = key->form == FORM_BAR;

	drawing_brush(d, (struct brush){.colour = key->colour, .width = bar ? 0 : 1.6});
	if (!bar) {
		drawing_move(d, x, y - 1);
		drawing_line(d, x + 18, y - 7);
		return;
	}
	drawing_rect(d, x, y - 8, 18, 9);
	drawing_brush(
	    d, (struct brush){.colour = colour_mix(key->colour, s->theme->ink, 0.7), .width = 0.6});
	drawing_rect(d, x + 0.3, y - 7.7, 17.4, 8.4);
}

static void draw_table_row(struct drawing *d, const struct scene *s, const struct table *t,
			   const struct interval_key *key, double x, double y)
{
	bool head = key == NULL;
	char text[UNITS_TEXT];

	if (!head)
		draw_swatch(d, s, key, x, y);
	x += head ? 0 : SWATCH;
	for (int c = 0; c < NCOLUMNS; c++) {
		struct typeface face = face_of(s, c ? ALIGN_RIGHT : ALIGN_LEFT, head);
		if (t->widths[c] == 0)
			continue;
		if (c > COLUMN_LABEL)
			face.colour = s->theme->muted;
		drawing_text(d, &face, c ? x + t->widths[c] : x, y, c ? 0 : t->widths[c] + 1,
			     head ? column_heads[c] : column_text(key, c, text));
		x += t->widths[c] + COLUMN_GAP + (head && c == 0 ? SWATCH : 0);
	}
}

/* A long table is broken into parts that stand side by side. */
struct parts {
	unsigned count, rows;
};

enum { LONG_TABLE = 6 };

static struct parts parts_for(const struct scene *s, const struct table *t, double room)
{
	unsigned fit = (unsigned)fmax(1, (room + BLOCK_GAP) / (table_width(t) + BLOCK_GAP));
	unsigned wanted = (s->nintervals + LONG_TABLE - 1) / LONG_TABLE;
	struct parts p = {.count = wanted < fit ? wanted : fit};

	p.rows = (s->nintervals + p.count - 1) / p.count;
	return p;
}

static double draw_intervals(struct drawing *d, const struct scene *s, const struct table *t,
			     struct parts p, double x, double y)
{
	for (unsigned i = 0; i < s->nintervals; i++) {
		double left = x + i / p.rows * (table_width(t) + BLOCK_GAP);
		if (i % p.rows == 0)
			draw_table_row(d, s, t, NULL, left, y);
		draw_table_row(d, s, t, &s->intervals[i], left, y + (i % p.rows + 1) * LINE);
	}
	return y + p.rows * LINE;
}

/* ---- both, side by side where there is room ---- */

static double draw_keys(struct drawing *d, const struct scene *s, double y)
{
	double room = d->width - 2 * PAGE_MARGIN, below = y, left, x = PAGE_MARGIN;
	struct table t = table_for(s, room);
	unsigned rows = s->nintervals > 4 ? s->nintervals : 4;
	struct grid g;

	rows = rows < LONG_TABLE ? rows : LONG_TABLE;
	left = room - (s->nintervals ? table_width(&t) + BLOCK_GAP : 0);
	g = grid_for(s, rows, left);
	if (s->nevents && grid_width(&g) > left)
		g = grid_for(s, rows, room);
	if (s->nevents)
		below = draw_events(d, s, &g, x, y);
	if (!s->nintervals)
		return below;
	if (s->nevents && grid_width(&g) <= left)
		x += grid_width(&g) + BLOCK_GAP;
	else if (s->nevents)
		y = below + 1.5 * LINE;
	return fmax(below,
		    draw_intervals(d, s, &t, parts_for(s, &t, room - x + PAGE_MARGIN), x, y));
}

double compose_legend(struct drawing *d, const struct scene *s, double y)
{
	double below = s->nevents || s->nintervals ? draw_keys(d, s, y + LINE) : y;

	return compose_signs(d, s, below + 4);
}
