/*
 * Draws the legend: events with their symbols, a table of the intervals, and a line that explains
 * the signs of this picture.
 */
#include "base/units.h"
#include "base/visible.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/draw/drawing.h"
#include "viewers/gorge/scene/stack_scene.h"
#include "viewers/gorge/style/text_width.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE = 17,
	LETTERS = 11,
	HEAD_LETTERS = 10,
	SWATCH = 26, /* a sample and the room after it */
	COLUMN_GAP = 16,
	BLOCK_GAP = 44,
	LABEL_LIMIT = 220, /* of one name */
};

static struct typeface face_of(const struct scene *s, enum align align, bool head)
{
	return (struct typeface){
	    .size = head ? HEAD_LETTERS : LETTERS,
	    .align = align,
	    .colour = head ? s->theme->muted : s->theme->ink,
	};
}

static double legend_width_of(const char *text)
{
	char *clean = visible_text(text);
	double width = fmin(text_width(clean, LETTERS, false), LABEL_LIMIT);

	free(clean);
	return width;
}

/* ---- events ---- */

struct event_columns {
	double label, count; /* widths of the two columns of a cell */
	unsigned rows, columns;
};

static double cell_width(const struct event_columns *g)
{
	return SWATCH + g->label + COLUMN_GAP + g->count;
}

static double event_columns_width(const struct event_columns *g)
{
	return g->columns * cell_width(g) + (g->columns - 1) * 1.5 * COLUMN_GAP;
}

/* Returns as few columns as rows lines need, or as many as the width allows. */
static struct event_columns event_columns_for(const struct scene *s, unsigned rows, double width)
{
	struct event_columns g = {.columns = 1, .label = 14, .count = legend_width_of("count")};
	char text[UNITS_TEXT];
	unsigned most, wanted;

	for (unsigned i = 0; i < s->nevents; i++) {
		g.label = fmax(g.label, legend_width_of(s->events[i].label));
		g.count = fmax(g.count, legend_width_of(units_count(text, s->events[i].count)));
	}
	most = (unsigned)fmax(1, (width + 1.5 * COLUMN_GAP) / (cell_width(&g) + 1.5 * COLUMN_GAP));
	wanted = s->nevents > rows ? (s->nevents + rows - 1) / rows : 1;
	g.columns = wanted < most ? wanted : most;
	g.rows = (s->nevents + g.columns - 1) / g.columns;
	return g;
}

static void draw_sample(struct drawing *d, const struct scene *s, const struct event_key *key,
			double x, double y)
{
	bool line = symbol_is_line(key->symbol);

	drawing_brush(d, (struct brush){.colour = line ? theme_line_colour(s->theme, key->colour)
						       : key->colour,
					.width = line ? 1.7 : 0});
	symbol_add(d, key->symbol, x + 6, y - 4, 4.4);
}

static void draw_event(struct drawing *d, const struct scene *s, const struct event_columns *g,
		       unsigned i, double x, double y)
{
	struct typeface left = face_of(s, ALIGN_LEFT, false),
			right = face_of(s, ALIGN_RIGHT, false);
	const struct event_key *key = &s->events[i];
	char text[UNITS_TEXT];

	x += i / g->rows * (cell_width(g) + 1.5 * COLUMN_GAP);
	y += i % g->rows * LINE;
	draw_sample(d, s, key, x, y);
	drawing_text(d, &left, x + SWATCH, y, g->label + 1, key->label);
	right.colour = s->theme->muted;
	drawing_text(d, &right, x + cell_width(g), y, 0, units_count(text, key->count));
}

static double draw_events(struct drawing *d, const struct scene *s, const struct event_columns *g,
			  double x, double y)
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

/* Returns the text of a column of the table. */
static const char *column_text(const struct interval_key *key, int column, char text[UNITS_TEXT])
{
	if (column >= COLUMN_MIN && key->count == 0)
		return "";
	switch (column) {
	case COLUMN_LABEL:
		return key->label;
	case COLUMN_COUNT:
		return units_count(text, key->count);
	case COLUMN_UNMATCHED:
		return units_count(text, key->unmatched);
	case COLUMN_MIN:
		return units_short_time(text, (double)key->shortest);
	case COLUMN_MEAN:
		return units_short_time(text, key->total / (double)key->count);
	default:
		return units_short_time(text, (double)key->longest);
	}
}

struct interval_table {
	double widths[NCOLUMNS]; /* 0: the column is left out */
};

static double table_width(const struct interval_table *t)
{
	double width = SWATCH;

	for (int c = 0; c < NCOLUMNS; c++)
		if (t->widths[c] > 0)
			width += t->widths[c] + (c ? COLUMN_GAP : 0);
	return width;
}

/* Leaves out columns on a narrow page, and then shortens names. */
static void table_fit(struct interval_table *t, double room)
{
	static const int order[] = {COLUMN_MIN, COLUMN_MEAN, COLUMN_MAX, COLUMN_UNMATCHED,
				    COLUMN_COUNT};

	for (int i = 0; i < NCOLUMNS - 1 && table_width(t) > room; i++)
		t->widths[order[i]] = 0;
	t->widths[COLUMN_LABEL] -= fmax(0, table_width(t) - room);
}

static struct interval_table table_for(const struct scene *s, double room)
{
	struct interval_table t = {0};
	char text[UNITS_TEXT];

	for (int c = 0; c < (s->logical ? (int)COLUMN_MIN : (int)NCOLUMNS); c++) {
		t.widths[c] = legend_width_of(column_heads[c]);
		for (unsigned i = 0; i < s->nintervals; i++)
			t.widths[c] = fmax(t.widths[c],
					   legend_width_of(column_text(&s->intervals[i], c, text)));
	}
	table_fit(&t, room);
	return t;
}

static void draw_swatch(struct drawing *d, const struct scene *s, const struct interval_key *key,
			double x, double y)
{
	bool bar = key->form == FORM_BAR;

	drawing_brush(d, (struct brush){.colour = bar ? key->colour
						      : theme_line_colour(s->theme, key->colour),
					.width = bar ? 0 : 1.6});
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

static void draw_table_row(struct drawing *d, const struct scene *s, const struct interval_table *t,
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
struct table_parts {
	unsigned count, rows;
};

enum { LONG_TABLE = 6 };

static struct table_parts parts_for(const struct scene *s, const struct interval_table *t,
				    double room)
{
	unsigned fit = (unsigned)fmax(1, (room + BLOCK_GAP) / (table_width(t) + BLOCK_GAP));
	unsigned wanted = (s->nintervals + LONG_TABLE - 1) / LONG_TABLE;
	struct table_parts p = {.count = wanted < fit ? wanted : fit};

	p.rows = (s->nintervals + p.count - 1) / p.count;
	return p;
}

static double draw_intervals(struct drawing *d, const struct scene *s,
			     const struct interval_table *t, struct table_parts p, double x,
			     double y)
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
	struct interval_table t = table_for(s, room);
	unsigned rows = s->nintervals > 4 ? s->nintervals : 4;
	struct event_columns g;

	rows = rows < LONG_TABLE ? rows : LONG_TABLE;
	left = room - (s->nintervals ? table_width(&t) + BLOCK_GAP : 0);
	g = event_columns_for(s, rows, left);
	if (s->nevents && event_columns_width(&g) > left)
		g = event_columns_for(s, rows, room);
	if (s->nevents)
		below = draw_events(d, s, &g, x, y);
	if (!s->nintervals)
		return below;
	if (s->nevents && event_columns_width(&g) <= left)
		x += event_columns_width(&g) + BLOCK_GAP;
	else if (s->nevents)
		y = below + 1.5 * LINE;
	return fmax(below,
		    draw_intervals(d, s, &t, parts_for(s, &t, room - x + PAGE_MARGIN), x, y));
}

/* ---- the signs that this picture uses, and no others ---- */

enum { SIGN_LETTERS = 10, SAMPLE = 24, GAP = 22 };

/* Draws a sample of the sign in SAMPLE pixels right of x, about the height y. */
typedef void sign_sample(struct drawing *d, const struct scene *s, double x, double y);

static void sample_strips(struct drawing *d, const struct scene *s, double x, double y)
{
	rgba colour = s->nevents ? s->events[0].colour : s->theme->muted;

	for (unsigned level = 1; level <= 3; level++) {
		drawing_brush(d, (struct brush){.colour = strip_colour(s, colour, level)});
		drawing_rect(d, x + (level - 1) * 6, y - 4, 6, 8);
	}
}

static void sample_runs(struct drawing *d, const struct scene *s, double x, double y)
{
	rgba colour = s->theme->muted;

	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].form == FORM_BAR) {
			colour = s->intervals[i].colour;
			break;
		}
	for (unsigned level = 1; level <= 4; level++) {
		drawing_brush(d, (struct brush){.colour = run_colour(s, colour, level)});
		drawing_rect(d, x + (level - 1) * 4.5, y - 4, 4.5, 8);
	}
}

static void sample_bold(struct drawing *d, const struct scene *s, double x, double y)
{
	drawing_brush(d, (struct brush){.colour = s->theme->ink, .width = 2.4});
	symbol_add(d, SYMBOL_X, x + 12, y, 5);
}

static void sample_stub(struct drawing *d, const struct scene *s, double x, double y)
{
	rgba colour = s->theme->ink;

	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].unmatched) {
			colour = line_colour(s, i);
			break;
		}
	drawing_brush(d, (struct brush){.colour = colour, .width = 1.3});
	stub_draw(d, x + 6, y, 3, false);
}

static void sample_bundle(struct drawing *d, const struct scene *s, double x, double y)
{
	for (int i = 0; i < 3; i++) {
		drawing_brush(d, (struct brush){.colour = s->theme->muted,
						.width = bundle_width((double[]){1, 2, 8}[i])});
		drawing_move(d, x, y - 5 + 5 * i);
		drawing_line(d, x + 18, y - 5 + 5 * i);
	}
}

static void sample_passing(struct drawing *d, const struct scene *s, double x, double y)
{
	drawing_brush(d, (struct brush){.colour = colour_fade(s->theme->muted, 0.35), .width = 1});
	drawing_move(d, x, y + 2);
	drawing_line(d, x + 18, y - 2);
}

static void sample_loss(struct drawing *d, const struct scene *s, double x, double y)
{
	hatching_draw(d, s->theme->muted, x, y - 5, 18, 10);
}

static void sample_off(struct drawing *d, const struct scene *s, double x, double y)
{
	hatching_draw(d, s->theme->muted, x, y - 2, 18, 5);
}

static void sample_life(struct drawing *d, const struct scene *s, double x, double y)
{
	drawing_brush(d, (struct brush){.colour = s->theme->life, .width = 1});
	drawing_move(d, x, y);
	drawing_line(d, x + 18, y);
}

static rgba colour_of_band(const struct scene *s, enum band band, enum thread_state state)
{
	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].band == band && s->intervals[i].state == state &&
		    s->intervals[i].count)
			return s->intervals[i].colour;
	return s->theme->muted;
}

static void sample_functions(struct drawing *d, const struct scene *s, double x, double y)
{
	static const double widths[] = {18, 13, 6};

	for (unsigned i = 0; i < 3; i++) {
		drawing_brush(d,
			      (struct brush){.colour = s->theme->functions[i * FUNCTION_HUES / 3]});
		drawing_rect(d, x, y - 5 + 3.5 * i, widths[i], 3);
	}
}

static void sample_merge(struct drawing *d, const struct scene *s, double x, double y)
{
	static const double heights[2][3] = {{6, 10, 8}, {3, 4, 7}};

	for (unsigned i = 0; i < 2; i++) {
		drawing_brush(
		    d, (struct brush){.colour = colour_of_band(s, BAND_STATES,
							       i ? STATE_RUNNING : STATE_READY)});
		for (unsigned k = 0; k < 3; k++)
			drawing_rect(d, x + 6 * k, y + 5 - heights[i][k], 6, heights[i][k]);
	}
}

static void sample_violation(struct drawing *d, const struct scene *s, double x, double y)
{
	violation_sign_draw(d, s->theme, x + 8, y - 3);
}

/* Where the next sign goes. */
struct sign_place {
	double x, y;
};

static void add_sign(struct drawing *d, const struct scene *s, struct sign_place *at,
		     sign_sample *draw, char *text)
{
	struct typeface face = {.size = SIGN_LETTERS, .colour = s->theme->muted};
	double width = SAMPLE + text_width(text, SIGN_LETTERS, false);

	if (at->x > PAGE_MARGIN && at->x + width > d->width - PAGE_MARGIN) {
		at->x = PAGE_MARGIN;
		at->y += LINE;
	}
	draw(d, s, at->x, at->y - 4);
	drawing_text(d, &face, at->x + SAMPLE, at->y, d->width - PAGE_MARGIN - at->x - SAMPLE,
		     text);
	at->x += width + GAP;
	free(text);
}

static bool has_strips(const struct mark_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].level)
			return true;
	return false;
}

static bool has_bold(const struct scene *s)
{
	for (size_t i = 0; i < s->marks.n; i++)
		if (s->marks.at[i].level == 0 && s->marks.at[i].count > 1)
			return true;
	return false;
}

static bool has_passing(const struct scene *s)
{
	for (size_t i = 0; i < s->links.n; i++)
		if (s->links.at[i].passing)
			return true;
	return false;
}

static bool has_runs(const struct scene *s)
{
	for (size_t i = 0; i < s->bars.n; i++)
		if (s->bars.at[i].level && s->bars.at[i].count > 1 &&
		    s->intervals[s->bars.at[i].key].form == FORM_BAR)
			return true;
	return false;
}

static void add_losses(struct drawing *d, const struct scene *s, struct sign_place *at)
{
	char count[UNITS_TEXT];
	uint64_t lost = 0, skipped = 0;

	for (unsigned i = 0; i < s->nlanes; i++) {
		lost += s->lanes[i].lost;
		skipped += s->lanes[i].skipped;
	}
	if (lost)
		add_sign(d, s, at, sample_loss,
			 text_format("%s %s lost in threads with this mark",
				     units_count(count, lost),
				     lost == 1 ? "event was" : "events were"));
	if (skipped)
		add_sign(d, s, at, sample_loss,
			 text_format("damaged logs: %s bytes could not be read",
				     units_count(count, skipped)));
}

/* Adds "switched off: Sendmsg, Recvmsg". */
static void add_switches(struct drawing *d, const struct scene *s, struct sign_place *at)
{
	char *text = NULL;

	for (size_t i = 0; i < s->gaps.n; i++) {
		const char *type =
		    s->gaps.at[i].type ? s->gaps.at[i].type : "all events of a thread";
		char *before = text;
		if (!s->gaps.at[i].off || (text && strstr(text, type)))
			continue;
		text = before ? text_format("%s, %s", before, type)
			      : text_format("switched off: %s", type);
		free(before);
	}
	if (text)
		add_sign(d, s, at, sample_off, text);
}

static void add_bundles(struct drawing *d, const struct scene *s, struct sign_place *at)
{
	char linked[UNITS_TEXT], lines[UNITS_TEXT];

	if (s->bundle > 1)
		add_sign(
		    d, s, at, sample_bundle,
		    text_format(
			"%s intervals drawn as %s lines: neighbours are bundled, wider for more",
			units_count(linked, s->linked), units_count(lines, s->links.n)));
	else if (s->linked > s->links.n)
		add_sign(d, s, at, sample_bundle,
			 text_format("wider: several intervals between the same pixels"));
}

static bool has_functions(const struct scene *s)
{
	for (size_t i = 0; i < s->bars.n; i++)
		if (s->bars.at[i].name && s->intervals[s->bars.at[i].key].band == BAND_CALLS)
			return true;
	return false;
}

static bool has_merges(const struct scene *s)
{
	for (unsigned i = 0; i < s->nlanes; i++)
		if (s->lanes[i].merged && s->lanes[i].most)
			return true;
	return false;
}

static double draw_signs(struct drawing *d, const struct scene *s, double y)
{
	struct sign_place at = {PAGE_MARGIN, y + LINE};

	if (s->stubs.n)
		add_sign(d, s, &at, sample_stub, text_format("unmatched: it has no partner"));
	if (s->violations.n)
		add_sign(d, s, &at, sample_violation, text_format("violates an assertion"));
	if (has_bold(s))
		add_sign(d, s, &at, sample_bold, text_format("bold: several events in one pixel"));
	if (has_strips(&s->marks))
		add_sign(
		    d, s, &at, sample_strips,
		    text_format("events too close for symbols: one, a few, or many in each pixel"));
	if (has_runs(s))
		add_sign(d, s, &at, sample_runs,
			 text_format("intervals shorter than a pixel: stronger where they cover "
				     "more of the time"));
	if (has_functions(s))
		add_sign(d, s, &at, sample_functions,
			 text_format("calls, below their callers; one colour per function"));
	if (s->stacks && s->stacks->bars->bars.n)
		add_sign(
		    d, s, &at, sample_functions,
		    text_format(
			"functions from samples, below their callers; one colour per function"));
	if (has_merges(s))
		add_sign(d, s, &at, sample_merge,
			 text_format("folded: number of threads in each state over time, without "
				     "blocked ones"));
	add_bundles(d, s, &at);
	if (has_passing(s))
		add_sign(d, s, &at, sample_passing,
			 text_format("faint: begins before this picture and ends after it"));
	add_losses(d, s, &at);
	add_switches(d, s, &at);
	if (s->marks.n || s->bars.n)
		add_sign(d, s, &at, sample_life,
			 text_format("from a thread's first event to its last"));
	return at.x > PAGE_MARGIN ? at.y : y;
}

/* ---- what the trace does not have: in one line ---- */

static double draw_absent(struct drawing *d, const struct scene *s, double y)
{
	struct typeface face = {.size = SIGN_LETTERS, .colour = s->theme->muted};
	char *text;

	if (!s->absent || !*s->absent)
		return y;
	text = text_format("Not in this trace: %s", s->absent);
	drawing_text(d, &face, PAGE_MARGIN, y + LINE, d->width - 2 * PAGE_MARGIN, text);
	free(text);
	return y + LINE;
}

/* ---- all ---- */

/* Returns the scene with the keys of what the trace has, and no others; keys_free() frees these. */
static struct scene keys_present(const struct scene *s)
{
	struct scene present = *s;

	present.events = array_new(s->nevents, sizeof *s->events);
	present.intervals = array_new(s->nintervals, sizeof *s->intervals);
	present.nevents = present.nintervals = 0;
	for (unsigned i = 0; i < s->nevents; i++)
		if (!s->events[i].absent)
			present.events[present.nevents++] = s->events[i];
	for (unsigned i = 0; i < s->nintervals; i++)
		if (!s->intervals[i].absent)
			present.intervals[present.nintervals++] = s->intervals[i];
	return present;
}

static void keys_free(struct scene *present)
{
	free(present->events);
	free(present->intervals);
}

double legend_draw_signs(struct drawing *d, const struct scene *s, double y)
{
	struct sign_place at = {PAGE_MARGIN, y + LINE};

	if (s->violations.n)
		add_sign(d, s, &at, sample_violation, text_format("violates an assertion"));
	if (s->stubs.n)
		add_sign(d, s, &at, sample_stub, text_format("unmatched: it has no partner"));
	if (s->bundle > 1)
		add_bundles(d, s, &at);
	add_losses(d, s, &at);
	add_switches(d, s, &at);
	return at.x > PAGE_MARGIN || at.y > y + LINE ? at.y : y;
}

double legend_draw(struct drawing *d, const struct scene *s, double y)
{
	struct scene present = keys_present(s);

	if (present.nevents || present.nintervals)
		y = draw_keys(d, &present, y + LINE);
	keys_free(&present);
	return objects_legend_draw(d, s, draw_absent(d, s, draw_signs(d, s, y + 4)));
}
