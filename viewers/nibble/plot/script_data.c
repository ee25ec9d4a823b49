#include "viewers/nibble/plot/script_parts.h"

#include "viewers/nibble/plot/axis.h"
#include "viewers/nibble/plot/number.h"
#include "viewers/nibble/series/reduce.h"

void script_number(FILE *out, double number)
{
	char text[NUMBER_TEXT];

	fputs(number_text(text, number), out);
}

/* left right low high count */
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

/*
 * Steps, lines, points: x y. Bins: middle, height, width. gnuplot would draw a part of a bin that
 * begins where the axis has no place.
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

static struct canvas canvas_of(const struct panel *p, const struct plot_options *options,
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

void script_panel_data(FILE *out, const struct plot *p, size_t number)
{
	const struct panel *panel = &p->at[number];
	struct canvas canvas = canvas_of(panel, &p->options, p->columns);

	for (size_t i = 0; i < panel->n; i++) {
		struct curve *s = curve_drawn(panel->at[i], &canvas);

		fprintf(out, "$panel%zu_curve%zu << end\n# ", number + 1, i + 1);
		fputs(s->title ? s->title : "", out);
		fputs(s->group ? ", " : "", out);
		fputs(s->group ? s->group : "", out);
		putc('\n', out);
		if (s->shape == SHAPE_TILES)
			write_tiles(out, panel->at[i], panel);
		else
			write_data(out, s, panel);
		fputs("end\n", out);
		curve_free(s);
	}
}
