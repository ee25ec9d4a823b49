#include "viewers/nibble/plot/terminal_plot.h"
#include "base/array.h"
#include "base/terminal.h"
#include "base/visible.h"
#include "viewers/nibble/plot/axis.h"
#include "viewers/nibble/plot/plot_layout.h"
#include "viewers/nibble/series/reduce.h"
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Dots on a grid of letters: each letter has two by four of them. */

struct raster {
	unsigned columns, rows; /* letters */
	unsigned char *dots;    /* of each letter, as bits of a Braille pattern (U+2800) */
	unsigned char *owner;   /* the curve that lit a dot there last, from 1; 0: none */
};

static struct raster raster_new(unsigned columns, unsigned rows)
{
	return (struct raster){
	    .columns = columns,
	    .rows = rows,
	    .dots = array_zero((size_t)columns * rows, 1),
	    .owner = array_zero((size_t)columns * rows, 1),
	};
}

static void raster_free(struct raster *r)
{
	free(r->dots);
	free(r->owner);
}

/* The bit of a dot by its column and its row in the letter, as Unicode numbers them. */
static const unsigned char bits[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

static void raster_dot(struct raster *r, double x, double y, unsigned char curve)
{
	unsigned width = 2 * r->columns, height = 4 * r->rows, column, row;
	size_t letter;

	if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
		return;
	column = (unsigned)fmin(x * width, width - 1);
	row = height - 1 - (unsigned)fmin(y * height, height - 1);
	letter = (size_t)(row / 4) * r->columns + column / 2;
	r->dots[letter] |= bits[column % 2][row % 4];
	r->owner[letter] = curve;
}

static void raster_line(struct raster *r, double x0, double y0, double x1, double y1,
			unsigned char curve)
{
	double across = fabs(x1 - x0) * 2 * r->columns, up = fabs(y1 - y0) * 4 * r->rows;
	double steps = fmin(ceil(fmax(across, up)) + 1, 4.0 * (r->columns + r->rows));

	if (isnan(steps) || isnan(x0 + x1 + y0 + y1))
		return;
	for (double i = 0; i <= steps; i++)
		raster_dot(r, x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, curve);
}

/* Returns the letters from one place to another: at least one. */
static void letters(double from, double to, unsigned n, unsigned *first, unsigned *last)
{
	*first = (unsigned)fmin(fmax(from * n, 0), n - 1);
	*last = (unsigned)fmin(fmax(ceil(to * n), *first + 1), n);
}

static void raster_shade(struct raster *r, double left, double right, double low, double high,
			 unsigned char shade)
{
	unsigned first, last, bottom, top;

	if (isnan(left + right + low + high) || right < 0 || left > 1)
		return;
	letters(left, right, r->columns, &first, &last);
	letters(low, high, r->rows, &bottom, &top);
	for (unsigned row = bottom; row < top; row++)
		for (unsigned column = first; column < last; column++) {
			size_t at = (size_t)(r->rows - 1 - row) * r->columns + column;

			if (r->owner[at] < shade)
				r->owner[at] = shade;
		}
}

enum { MARGIN = 9 }; /* letters for the numbers and the axis left of a plot */

struct page {
	FILE *out;
	unsigned columns, rows; /* letters of one plot */
	bool colour, unicode;
};

static const unsigned char inks[] = {34, 33, 32, 35, 36, 31, 37};

/* A plot has room on no fewer. */
enum { LEAST_COLUMNS = 40, PIPED_COLUMNS = 80 };

static unsigned page_columns(FILE *out)
{
	unsigned columns = terminal_columns(out);

	return columns >= LEAST_COLUMNS ? columns : PIPED_COLUMNS;
}

static struct page page_of(FILE *out, const struct plot *p)
{
	setlocale(LC_CTYPE, "");
	return (struct page){
	    .out = out,
	    .columns = page_columns(out) - MARGIN - 1,
	    .rows = p->n > 1 ? 10 : 16,
	    .colour = terminal_has_colours(out),
	    .unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
	};
}

/* Without colours, curves that share a plot are told apart by letters. */
static bool uses_letters(const struct page *page, const struct panel *p)
{
	return !page->unicode || (p->n > 1 && !page->colour);
}

static void draw_bars(struct raster *r, const struct panel *p, const struct curve *s,
		      unsigned char curve)
{
	for (size_t i = 0; i < s->n; i++) {
		double from = axis_place(&p->x, s->x[i]), to = axis_place(&p->x, s->x[i + 1]);
		double top = fmin(axis_place(&p->y, s->y[i]), 1), dot = 0.5 / r->columns;

		for (double x = from; s->y[i] > 0 && x < fmax(to, from + dot); x += dot)
			raster_line(r, x, 0, x, top, curve);
	}
}

/* Fills boxes: their width goes to both sides. */
static void draw_boxes(struct raster *r, const struct panel *p, const struct curve *s,
		       unsigned char curve)
{
	double dot = 0.25 / r->rows;

	for (size_t i = 0; i < s->n; i++) {
		double from = axis_place(&p->y, s->x[i]), to = axis_place(&p->y, s->x[i + 1]);
		double left = axis_place(&p->x, -s->y[i]), right = axis_place(&p->x, s->y[i]);

		for (double y = from + dot / 2; y < fmax(to, from + dot); y += dot)
			raster_line(r, left, y, right, y, curve);
	}
}

static void draw_curve(struct raster *r, const struct panel *p, const struct curve *s,
		       unsigned char curve)
{
	for (size_t i = 0; i < s->n; i++) {
		double x = axis_place(&p->x, s->x[i]), y = axis_place(&p->y, s->y[i]);
		double last_x, last_y;

		raster_dot(r, x, y, curve);
		if (i == 0 || s->shape == SHAPE_POINTS)
			continue;
		last_x = axis_place(&p->x, s->x[i - 1]);
		last_y = axis_place(&p->y, s->y[i - 1]);
		if (s->shape == SHAPE_LINES) {
			raster_line(r, last_x, last_y, x, y, curve);
			continue;
		}
		raster_line(r, last_x, last_y, x, last_y, curve);
		raster_line(r, x, last_y, x, y, curve);
	}
}

/* Draws tiles as shades, from few to many. */
static void draw_tiles(struct raster *r, const struct panel *p, const struct curve *s)
{
	double most = 1;

	for (size_t i = 0; i < s->tiles.n; i++)
		most = fmax(most, s->tiles.at[i].count);
	for (size_t i = 0; i < s->tiles.n; i++) {
		const struct tile *t = &s->tiles.at[i];
		unsigned char shade;

		if (!axis_has(&p->x, t->left) || !axis_has(&p->y, t->low))
			continue;
		shade = (unsigned char)(1 + floor(3.99 * log1p(t->count) / log1p(most)));

		raster_shade(r, axis_place(&p->x, t->left), axis_place(&p->x, t->right),
			     axis_place(&p->y, t->low), axis_place(&p->y, t->high), shade);
	}
}

static void draw_curves(struct raster *r, const struct panel *p)
{
	struct canvas canvas = {p->x.shown, 2 * r->columns, 4 * r->rows, p->x.log, p->y.log};

	for (size_t i = 0; i < p->n; i++) {
		struct curve *s;
		unsigned char curve = (unsigned char)(i % 250 + 1);

		if (p->at[i]->shape == SHAPE_TILES) {
			draw_tiles(r, p, p->at[i]);
			continue;
		}
		s = curve_drawn(p->at[i], &canvas);
		if (s->shape == SHAPE_CELLS)
			draw_bars(r, p, s, curve);
		else if (s->shape == SHAPE_BOXES)
			draw_boxes(r, p, s, curve);
		else
			draw_curve(r, p, s, curve);
		curve_free(s);
	}
}

static char letter_of(size_t i)
{
	return (char)((i % 52 < 26 ? 'a' : 'A') + i % 26);
}

static const char *const shades[] = {" ", "░", "▒", "▓", "█"};
static const char *const ascii_shades[] = {" ", ".", "+", "#", "@"};

static void print_letter(const struct page *page, const struct panel *p, const struct raster *r,
			 size_t at)
{
	unsigned curve = r->owner[at], dots = r->dots[at];
	bool paint = curve > 0 && page->colour;

	if (p->at[0]->shape == SHAPE_TILES) {
		fputs(page->unicode ? shades[curve] : ascii_shades[curve], page->out);
		return;
	}
	if (paint)
		fprintf(page->out, "\033[%um", inks[(curve - 1) % sizeof inks]);
	if (curve == 0)
		putc(' ', page->out);
	else if (uses_letters(page, p))
		putc(p->n > 1 ? letter_of(curve - 1) : '*', page->out);
	else
		fprintf(page->out, "%c%c%c", 0xe2, 0xa0 | dots >> 6, 0x80 | (dots & 0x3f));
	if (paint)
		fputs("\033[0m", page->out);
}

enum { LABEL = 32 };

static void number(char text[LABEL], double value, double step)
{
	snprintf(text, LABEL, "%.*f", axis_decimals(step), value == 0 ? 0.0 : value);
}

/* Labels a row with the round number in it, if there is one. */
static void row_label(char text[LABEL], const struct plot_axis *a, unsigned row, unsigned rows)
{
	double divisor = a->unit.divisor, height = (a->shown.to - a->shown.from) / divisor / rows;
	double step = axis_step(a, rows / 3),
	       from = a->shown.from / divisor + height * (rows - 1 - row);
	double round = ceil(from / step - 1e-9) * step;

	text[0] = '\0';
	if (!a->log && round < from + height)
		number(text, round, step);
	else if (a->log && (row == 0 || row == rows - 1))
		snprintf(text, LABEL, "%.3g", (row == 0 ? a->shown.to : a->shown.from) / divisor);
}

static void print_rows(const struct page *page, const struct panel *p, const struct raster *r)
{
	char text[LABEL];

	for (unsigned row = 0; row < r->rows; row++) {
		size_t used = r->columns;

		row_label(text, &p->y, row, r->rows);
		fprintf(page->out, "%*s ", MARGIN - 2, text);
		fputs(page->unicode ? (*text ? "┤" : "│") : (*text ? "+" : "|"), page->out);
		while (used > 0 && r->owner[(size_t)row * r->columns + used - 1] == 0)
			used--;
		for (unsigned column = 0; column < used; column++)
			print_letter(page, p, r, (size_t)row * r->columns + column);
		putc('\n', page->out);
	}
}

/* Prints the axis and the numbers below it. */
static void print_x(const struct page *page, const struct panel *p)
{
	const struct plot_axis *a = &p->x;
	double divisor = a->unit.divisor, from = a->shown.from / divisor,
	       to = a->shown.to / divisor;
	double step = a->log ? to - from : axis_step(a, page->columns / 10);
	double first = a->log ? from : ceil(from / step - 1e-9) * step;
	char line[512] = "", text[LABEL];

	fprintf(page->out, "%*s", MARGIN - 1, "");
	fputs(page->unicode ? "└" : "+", page->out);
	for (unsigned i = 0; i < page->columns; i++)
		fputs(page->unicode ? "─" : "-", page->out);
	memset(line, ' ', sizeof line - 1);
	for (double x = first; x <= to + step * 1e-9; x += step) {
		double place = axis_place(a, x * divisor) * (page->columns - 1) + MARGIN;
		size_t length, start;

		if (a->log)
			snprintf(text, LABEL, "%.3g", x);
		else
			number(text, p->at[0]->shape == SHAPE_BOXES ? fabs(x) : x, step);
		length = strlen(text);
		start = (size_t)fmax(place - (double)(length - 1) / 2, 0);
		if (a->log && start + length > MARGIN + page->columns)
			start = MARGIN + page->columns - length;
		if (start + length < sizeof line && start + length <= MARGIN + page->columns)
			memcpy(line + start, text, length);
	}
	line[sizeof line - 1] = '\0';
	while (*line && line[strlen(line) - 1] == ' ')
		line[strlen(line) - 1] = '\0';
	fprintf(page->out, "\n%s\n%*s\n", line,
		(int)(MARGIN + (page->columns + strlen(a->label)) / 2), a->label);
}

static void print_head(const struct page *page, const struct panel *p)
{
	char text[LEGEND_TEXT], ramp[2 * LEGEND_TEXT];

	if (p->title) {
		visible_puts(page->out, p->title);
		putc('\n', page->out);
	}
	for (size_t i = 0; p->legend && i < p->n; i++) {
		if (page->colour)
			fprintf(page->out, "\033[%um", inks[i % sizeof inks]);
		if (uses_letters(page, p))
			fprintf(page->out, "  %c ", letter_of(i));
		else
			fputs("  ━━ ", page->out);
		fputs(legend_text(p, i, text), page->out);
		fputs(page->colour ? "\033[0m\n" : "\n", page->out);
	}
	if (p->n > PLOT_LEGEND_MOST)
		fprintf(page->out, "  %s\n", legend_ramp(p, ramp));
	if (*p->y.label)
		fprintf(page->out, "%*s\n", (int)fmax(MARGIN - 1, (double)strlen(p->y.label)),
			p->y.label);
}

void plot_draw_terminal(FILE *out, const struct plot *p)
{
	struct page page = page_of(out, p);

	if (p->title) {
		visible_puts(out, p->title);
		fputs("\n\n", out);
	}
	for (size_t i = 0; i < p->n; i++) {
		struct raster r = raster_new(page.columns, page.rows);

		if (i > 0)
			putc('\n', out);
		draw_curves(&r, &p->at[i]);
		print_head(&page, &p->at[i]);
		print_rows(&page, &p->at[i], &r);
		print_x(&page, &p->at[i]);
		raster_free(&r);
	}
}
