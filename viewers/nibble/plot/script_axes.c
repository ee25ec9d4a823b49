#include "viewers/nibble/plot/script_parts.h"

#include "viewers/nibble/plot/axis.h"

#include <math.h>
#include <string.h>

/*
 * A text in gnuplot's single quotes: a quote is doubled; what would end the line becomes a space.
 */
void script_quote(FILE *out, const char *text)
{
	putc('\'', out);
	for (const char *c = text; *c; c++) {
		if (*c == '\'')
			putc('\'', out);
		putc((unsigned char)*c < ' ' ? ' ' : *c, out);
	}
	putc('\'', out);
}

void script_look(FILE *out, const struct plot_options *options)
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
 * On a logarithmic axis: one for each decade or, where there are not two of them, 1, 2 and 5 of
 * each, or even all whole numbers.
 */
static void write_log_tics(FILE *out, char name, const struct axis *a)
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

/* Tics at round numbers, as many as have room, with the decimals that they need. */
static void write_tics(FILE *out, char name, const struct axis *a, unsigned room)
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

void script_axis(FILE *out, char name, const struct axis *a, unsigned room)
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
 * A title: the only text that gnuplot is to interpret, because it knows no other way to bold that
 * fits all terminals.
 */
static void write_title(FILE *out, const char *text, double x, double y)
{
	fputs("set label '{/:Bold*1.1 ", out);
	for (const char *c = text; *c; c++) {
		if (strchr("{}^_@&~\\", *c))
			putc('\\', out);
		if (*c == '\'')
			putc('\'', out);
		putc((unsigned char)*c < ' ' ? ' ' : *c, out);
	}
	fprintf(out, "}' at screen %.4f,%.4f left\n", x, y);
}

void script_label(FILE *out, const char *label, double x, double y, const char *how)
{
	fputs("set label ", out);
	script_quote(out, label);
	fprintf(out, " at screen %.4f,%.4f %s noenhanced\n", x, y, how);
}

/*
 * All texts around the axes have their places from us: the terminals would put them at very
 * different ones.
 */
void script_texts(FILE *out, const struct plot *plot, size_t number, const struct panel_layout *l)
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

void script_place(FILE *out, const struct panel *p, const struct panel_layout *l)
{
	fprintf(out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", l->left, l->right);
	fprintf(out, "set bmargin at screen %.4f\nset tmargin at screen %.4f\n", l->bottom, l->top);
	if (p->legend)
		fprintf(out, "set key on at screen %.4f,%.4f left top vertical maxrows %u\n",
			l->left, l->legend_y, l->legend_rows);
	else
		fputs("set key off\n", out);
}
