#include "viewers/nibble/plot/script.h"
#include "base/units.h"
#include "base/visible.h"
#include "viewers/nibble/plot/axis.h"
#include "viewers/nibble/plot/colours.h"
#include "viewers/nibble/plot/plot_layout.h"
#include "viewers/nibble/series/reduce.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void script_number(FILE *out, double number)
{
	char text[UNITS_TEXT];

	fputs(units_number(text, number), out);
}

/* Writes tiles: left right low high count. */
static void write_tiles(FILE *out, const struct curve *s, const struct panel *p)
{
	size_t n = 0;

	for (size_t i = 0; i < s->tiles.n; i++) {
		const struct tile *t = &s->tiles.at[i];

		if (!axis_has(&p->x, t->left) || !axis_has(&p->y, t->low))
			continue;
		n++;
		script_number(out, t->left);
		putc(' ', out);
		script_number(out, t->right);
		putc(' ', out);
		script_number(out, t->low);
		putc(' ', out);
		script_number(out, t->high);
		fprintf(out, " %.0f\n", t->count);
	}
	if (n == 0)
		fputs("0 NaN NaN NaN NaN\n", out);
}

/* Writes boxes: width, low, high. */
static void write_boxes(FILE *out, const struct curve *s)
{
	for (size_t i = 0; i < s->n; i++) {
		script_number(out, s->y[i]);
		putc(' ', out);
		script_number(out, s->x[i]);
		putc(' ', out);
		script_number(out, s->x[i + 1]);
		putc('\n', out);
	}
}

/* Writes the left and the right edge of each cell, with where the part begins and ends. */
static void write_part(FILE *out, const struct panel *p, size_t i)
{
	const struct curve *s = p->at[i];

	for (size_t k = 0; k < s->n; k++) {
		double low = 0;

		for (size_t below = 0; below < i; below++)
			low += p->at[below]->y[k];
		for (size_t edge = k; edge <= k + 1; edge++) {
			if (isnan(low + s->y[k]))
				break;
			script_number(out, s->x[edge]);
			putc(' ', out);
			script_number(out, low);
			putc(' ', out);
			script_number(out, low + s->y[k]);
			putc('\n', out);
		}
		if (isnan(low + s->y[k]))
			putc('\n', out);
	}
	if (s->n == 0)
		fputs("0 NaN NaN\n", out);
}

/*
 * Writes a curve. Steps, lines, points: x y. Bins: middle, height, width; gnuplot would draw a part
 * of a bin that begins where the axis has no place.
 */
static void write_data(FILE *out, const struct curve *s, const struct panel *p)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		bool cells = s->shape == SHAPE_CELLS;

		if (cells && !axis_has(&p->x, s->x[i]))
			continue;
		n++;
		script_number(out, cells ? (s->x[i] + s->x[i + 1]) / 2 : s->x[i]);
		putc(' ', out);
		script_number(out, s->y[i]);
		if (cells) {
			putc(' ', out);
			script_number(out, s->x[i + 1] - s->x[i]);
		}
		putc('\n', out);
	}
	/* gnuplot stops at a curve without a point. */
	if (n == 0)
		fputs("0 NaN 0\n", out);
}

static struct canvas script_canvas_of(const struct panel *p, const struct plot_options *options,
				      unsigned columns)
{
	return (struct canvas){
	    .x = p->x.range,
	    .columns = options->width / columns,
	    .rows = options->height,
	    .log_x = p->x.log,
	    .log_y = p->y.log,
	};
}

static void script_panel_data(FILE *out, const struct plot *p, size_t number)
{
	const struct panel *panel = &p->at[number];
	struct canvas canvas = script_canvas_of(panel, &p->options, p->columns);

	for (size_t i = 0; i < panel->n; i++) {
		struct curve *s = curve_drawn(panel->at[i], &canvas);

		fprintf(out, "$panel%zu_curve%zu << end\n# ", number + 1, i + 1);
		visible_puts(out, s->title ? s->title : "");
		fputs(s->group ? ", " : "", out);
		visible_puts(out, s->group ? s->group : "");
		putc('\n', out);
		if (s->shape == SHAPE_TILES)
			write_tiles(out, panel->at[i], panel);
		else if (s->shape == SHAPE_BOXES)
			write_boxes(out, s);
		else if (panel->parts)
			write_part(out, panel, i);
		else
			write_data(out, s, panel);
		fputs("end\n", out);
		curve_free(s);
	}
}

/*
 * Writes a text in gnuplot's single quotes: a quote is doubled; what would end the line is visible.
 */
static void script_quote(FILE *out, const char *text)
{
	putc('\'', out);
	for (size_t n; *text; text += n) {
		n = strcspn(text, "'");
		visible_print(out, text, n);
		if (text[n] == '\'') {
			fputs("''", out);
			n++;
		}
	}
	putc('\'', out);
}

static void script_look(FILE *out, const struct plot_options *options)
{
	double weight = options->height >= 700 ? 2 : 1.5;

	fprintf(out,
		"set encoding utf8\n"
		"set border 3 linecolor rgb '#555555' linewidth 1\n"
		"set tics out nomirror textcolor rgb '#333333'\n"
		"set grid xtics ytics linecolor rgb '#e4e4e4' linetype 1 linewidth 1\n"
		"set style data lines\n"
		"set style fill solid 0.75 border rgb '#ffffff'\n"
		"set key Left reverse samplen 2 spacing 1 noenhanced\n"
		"line = %g\n",
		weight);
}

/*
 * Writes the tics of a logarithmic axis: one for each decade; on less than two decades 1, 2 and 5
 * of each, or even all whole numbers.
 */
static void write_log_tics(FILE *out, char name, const struct plot_axis *a)
{
	double low = a->shown.from / a->unit.divisor, high = a->shown.to / a->unit.divisor;
	const char *comma = "";

	if (high >= 100 * low) {
		fprintf(out, "set %ctics autofreq\n", name);
		return;
	}
	fprintf(out, "set %ctics (", name);
	for (double decade = pow(10, floor(log10(low))); decade <= high; decade *= 10)
		for (int digit = 1; digit < 10; digit++) {
			if (digit * decade < low || digit * decade > high ||
			    (high > 5 * low && digit != 1 && digit != 2 && digit != 5))
				continue;
			fprintf(out, "%s%.6g", comma, digit * decade);
			comma = ", ";
		}
	fputs(")\n", out);
}

/* Writes tics at round numbers, as many as have room, with the decimals that they need. */
static void write_tics(FILE *out, char name, const struct plot_axis *a, unsigned room)
{
	double step;

	if (a->log) {
		write_log_tics(out, name, a);
		fprintf(out, "set format %c '%%g'\n", name);
		return;
	}
	step = axis_step(a, room);
	fprintf(out, "set %ctics %.6g\nset format %c '%%.%df'\n", name, step, name,
		axis_decimals(step));
}

static void script_axis(FILE *out, char name, const struct plot_axis *a, unsigned room)
{
	double divisor = a->unit.divisor;

	fprintf(out, "%s logscale %c\nset %crange [", a->log ? "set" : "unset", name, name);
	script_number(out, a->shown.from / divisor);
	fputs(":", out);
	script_number(out, a->shown.to / divisor);
	fputs("]\n", out);
	write_tics(out, name, a, room);
}

/*
 * Writes a title, the only text that gnuplot interprets: there is no other way to bold that fits
 * all terminals.
 */
static void write_title(FILE *out, const char *text, double x, double y)
{
	char *shown = visible_text(text);

	fputs("set label '{/:Bold*1.1 ", out);
	for (const char *c = shown; *c; c++) {
		if (strchr("{}^_@&~\\", *c))
			putc('\\', out);
		if (*c == '\'')
			putc('\'', out);
		putc(*c, out);
	}
	free(shown);
	fprintf(out, "}' at screen %.4f,%.4f left\n", x, y);
}

static void script_label(FILE *out, const char *label, double x, double y, const char *how)
{
	fputs("set label ", out);
	script_quote(out, label);
	fprintf(out, " at screen %.4f,%.4f %s noenhanced\n", x, y, how);
}

/* Places all texts around the axes: the terminals would put them at very different places. */
static void script_texts(FILE *out, const struct plot *plot, size_t number,
			 const struct panel_layout *l)
{
	const struct panel *p = &plot->at[number];
	char ramp[2 * LEGEND_TEXT];

	fputs("unset label\n", out);
	if (plot->title && number == 0)
		write_title(out, plot->title, l->left, l->page_title_y);
	if (p->title)
		write_title(out, p->title, l->left, l->title_y);
	if (p->n > PLOT_LEGEND_MOST)
		script_label(out, legend_ramp(p, ramp), l->left,
			     l->legend_y - 0.7 * layout_em(&plot->options) / plot->options.height,
			     "left");
	if (l->xlabel)
		script_label(out, p->x.label, (l->left + l->right) / 2, l->xlabel_y, "center");
	script_label(out, p->y.label, l->ylabel_x, (l->bottom + l->top) / 2, "center rotate by 90");
}

static void script_place(FILE *out, const struct panel *p, const struct panel_layout *l)
{
	fprintf(out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", l->left, l->right);
	fprintf(out, "set bmargin at screen %.4f\nset tmargin at screen %.4f\n", l->bottom, l->top);
	if (p->legend)
		fprintf(out, "set key on at screen %.4f,%.4f left top vertical maxrows %u\n",
			l->left, l->legend_y, l->legend_rows);
	else
		fputs("set key off\n", out);
}

static const char *style_of(const struct curve *s, bool single)
{
	switch (s->shape) {
	case SHAPE_STEPS:
		return "steps";
	case SHAPE_POINTS:
		return "points pointtype 7 pointsize 0.45";
	case SHAPE_CELLS:
		if (s->distribution)
			return single ? "boxes" : "boxes fill transparent solid 0.45";
		return "lines";
	default:
		return "lines";
	}
}

static void write_legend_entry(FILE *out, const struct panel *p, size_t i)
{
	char text[LEGEND_TEXT];

	if (!p->legend) {
		fputs(" notitle", out);
		return;
	}
	fputs(" title ", out);
	script_quote(out, legend_text(p, i, text));
}

static double most_in_a_tile(const struct curve *s)
{
	double most = 1;

	for (size_t i = 0; i < s->tiles.n; i++)
		most = fmax(most, s->tiles.at[i].count);
	return most;
}

/* Up to so many the scale of colours names each number. */
enum { FEW = 8 };

/*
 * Writes the scale of colours: pale for few and dark for many, logarithmic if there are very many.
 */
static void script_colours(FILE *out, const struct panel *p, const struct panel_layout *l)
{
	double most = most_in_a_tile(p->at[0]);
	char tics[20] = "autofreq";

	/* There are no halves of events. */
	if (most <= FEW)
		snprintf(tics, sizeof tics, "1");
	fputs("set palette defined (", out);
	for (unsigned i = 0; i <= 8; i++)
		fprintf(out, "%s%u '#%06x'", i > 0 ? ", " : "", i, heat_colour(i / 8.0) >> 8);
	fprintf(out,
		")\n%s logscale cb\nset cbrange [%d:%.0f]\nset cbtics %s\nset format cb '%%g'\n"
		"set style fill solid 1 noborder\n"
		"set colorbox user origin screen %.4f,%.4f size screen %.4f,%.4f noborder\n",
		most > 100 ? "set" : "unset", 1, fmax(most, 2), tics, l->colours_x, l->bottom,
		l->colours_width, l->top - l->bottom);
	script_label(out, p->at[0]->xquantity ? p->at[0]->xquantity : "", l->colours_label_x,
		     (l->bottom + l->top) / 2, "center rotate by 90");
}

/*
 * Writes the middle and the edges of each tile, both ways; the fifth column of the data is its
 * colour.
 */
static void write_tile_curve(FILE *out, const struct plot *plot, size_t number)
{
	const struct panel *p = &plot->at[number];
	double x = p->x.unit.divisor, y = p->y.unit.divisor;

	fprintf(out,
		"\t$panel%zu_curve1 using (($1+$2)/2/%.15g):(($3+$4)/2/%.15g):($1/%.15g):($2/%.15g)"
		":($3/%.15g):($4/%.15g):5 with boxxyerror linecolor palette"
		" fillstyle solid noborder notitle",
		number + 1, x, y, x, x, y, y);
}

/* Writes the middle and the edges of a box: its width goes to both sides. */
static void write_box_curve(FILE *out, const struct plot *plot, size_t number, size_t i)
{
	const struct panel *p = &plot->at[number];
	double x = p->x.unit.divisor, y = p->y.unit.divisor;

	fprintf(out,
		"\t$panel%zu_curve%zu using (0):(($2+$3)/2/%.15g):(-$1/%.15g):($1/%.15g):($2/%.15g)"
		":($3/%.15g) with boxxyerror linecolor rgb '#%06x' fillstyle solid 0.75 border "
		"rgb '#ffffff'",
		number + 1, i + 1, y, x, x, y, y, curve_colour(i, p->n) >> 8);
	write_legend_entry(out, p, i);
}

static rgba part_colour(const struct panel *p, size_t i)
{
	rgba colour;

	return p->at[i]->colour && colour_read(p->at[i]->colour, &colour) ? colour
									  : curve_colour(i, p->n);
}

static void write_part_curve(FILE *out, const struct plot *plot, size_t number, size_t i)
{
	const struct panel *p = &plot->at[number];

	fprintf(out,
		"\t$panel%zu_curve%zu using ($1/%.15g):2:3 with filledcurves linecolor rgb '#%06x'"
		" fillstyle solid 1 noborder",
		number + 1, i + 1, p->x.unit.divisor, part_colour(p, i) >> 8);
	write_legend_entry(out, p, i);
}

static void script_curve(FILE *out, const struct plot *plot, size_t number, size_t i)
{
	const struct panel *p = &plot->at[number];
	const struct curve *s = p->at[i];
	bool bins = s->shape == SHAPE_CELLS && s->distribution;

	if (s->shape == SHAPE_TILES) {
		write_tile_curve(out, plot, number);
		return;
	}
	if (s->shape == SHAPE_BOXES) {
		write_box_curve(out, plot, number, i);
		return;
	}
	if (p->parts) {
		write_part_curve(out, plot, number, i);
		return;
	}
	fprintf(out, "\t$panel%zu_curve%zu using ($1/%.15g):($2/%.15g)", number + 1, i + 1,
		p->x.unit.divisor, p->y.unit.divisor);
	if (bins)
		fprintf(out, ":($3/%.15g)", p->x.unit.divisor);
	fprintf(out, " with %s linecolor rgb '#%06x'", style_of(s, p->n == 1),
		curve_colour(i, p->n) >> 8);
	if (!bins && s->shape != SHAPE_POINTS)
		fprintf(out, " linewidth line dashtype %u", curve_round(i, p->n) + 1);
	write_legend_entry(out, p, i);
}

/* Writes the tics of widths, which go from the middle to both sides. */
static void write_width_tics(FILE *out, const struct plot_axis *a, unsigned room)
{
	double step = axis_step(a, room), most = a->shown.to / a->unit.divisor;
	int decimals = axis_decimals(step);

	fprintf(out, "set xtics ('%.*f' 0", decimals, 0.0);
	for (double x = step; x <= most; x += step)
		fprintf(out, ", '%.*f' %.6g, '%.*f' %.6g", decimals, x, -x, decimals, x, x);
	fputs(")\n", out);
}

static void write_panel(FILE *out, const struct plot *plot, size_t number)
{
	const struct panel *p = &plot->at[number];
	struct panel_layout l;

	layout_panel(plot, number, &l);
	script_place(out, p, &l);
	script_texts(out, plot, number, &l);
	script_axis(out, 'x', &p->x, l.xtics);
	script_axis(out, 'y', &p->y, l.ytics);
	if (p->at[0]->shape == SHAPE_BOXES)
		write_width_tics(out, &p->x, l.xtics);
	if (p->at[0]->shape == SHAPE_TILES)
		script_colours(out, p, &l);
	fputs("plot \\\n", out);
	for (size_t i = 0; i < p->n; i++) {
		script_curve(out, plot, number, i);
		fputs(i + 1 < p->n ? ", \\\n" : "\n", out);
	}
}

void script_write(FILE *out, const struct plot *p, const struct gnuplot_terminal *terminal)
{
	const struct plot_options *o = &p->options;

	fputs("# Drawn by nibble: data in nanoseconds, bytes and events.\n", out);
	for (size_t i = 0; i < p->n; i++)
		script_panel_data(out, p, i);
	if (terminal)
		gnuplot_terminal_write(out, terminal, o->width, o->height, layout_points(o));
	script_look(out, o);
	if (p->n > 1)
		fputs("set multiplot\n", out);
	for (size_t i = 0; i < p->n; i++)
		write_panel(out, p, i);
	if (p->n > 1)
		fputs("unset multiplot\n", out);
}
