#include "viewers/nibble/plot/script.h"

#include "viewers/nibble/plot/script_parts.h"

static void write_panel(FILE *out, const struct plot *plot, size_t number)
{
	const struct panel *p = &plot->at[number];
	struct panel_layout l;

	layout_panel(plot, number, &l);
	script_place(out, p, &l);
	script_texts(out, plot, number, &l);
	script_axis(out, 'x', &p->x, l.xtics);
	script_axis(out, 'y', &p->y, l.ytics);
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
