#include "viewers/nibble/plot/script_parts.h"

#include "viewers/nibble/plot/colours.h"

#include <math.h>

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

/* Up to here the scale of colours names each number. */
enum { FEW = 8 };

/* Pale for few and dark for many, on a logarithmic scale when there are very many. */
void script_colours(FILE *out, const struct panel *p, const struct panel_layout *l)
{
	double most = most_in_a_tile(p->at[0]);
	char tics[20] = "autofreq";

	/* There are no halves of events. */
	if (most <= FEW)
		snprintf(tics, sizeof tics, "1");
	fputs("set palette defined (", out);
	for (unsigned i = 0; i <= 8; i++)
		fprintf(out, "%s%u '#%06x'", i > 0 ? ", " : "", i, heat_colour(i / 8.0));
	fprintf(
	    out,
	    ")\n%s logscale cb\nset cbrange [%d:%.0f]\nset cbtics %s\nset format cb '%%g'\n"
	    "set style fill solid 1 noborder\n"
	    "set colorbox user origin screen %.4f,%.4f size screen %.4f,%.4f noborder\n",
	    most > 100 ? "set" : "unset", 1, fmax(most, 2), tics, l->colours_x, l->bottom,
	    l->colours_width, l->top - l->bottom);
	script_label(out, p->at[0]->xquantity ? p->at[0]->xquantity : "", l->colours_label_x,
		     (l->bottom + l->top) / 2, "center rotate by 90");
}

/* Middle and edges of each tile, both ways; the fifth column of the data is its colour. */
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

void script_curve(FILE *out, const struct plot *plot, size_t number, size_t i)
{
	const struct panel *p = &plot->at[number];
	const struct curve *s = p->at[i];
	bool bins = s->shape == SHAPE_CELLS && s->distribution;

	if (s->shape == SHAPE_TILES) {
		write_tile_curve(out, plot, number);
		return;
	}
	fprintf(out, "\t$panel%zu_curve%zu using ($1/%.15g):($2/%.15g)", number + 1, i + 1,
		p->x.unit.divisor, p->y.unit.divisor);
	if (bins)
		fprintf(out, ":($3/%.15g)", p->x.unit.divisor);
	fprintf(out, " with %s linecolor rgb '#%06x'", style_of(s, p->n == 1),
		curve_colour(i, p->n));
	if (!bins && s->shape != SHAPE_POINTS)
		fprintf(out, " linewidth line dashtype %u", curve_round(i, p->n) + 1);
	write_legend_entry(out, p, i);
}
