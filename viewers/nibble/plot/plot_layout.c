#include "viewers/nibble/plot/plot_layout.h"
#include "base/array.h"
#include "base/visible.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double layout_points(const struct plot_options *options)
{
	return 7 + fmin(options->height, options->width * 0.6) / 180.0;
}

double layout_em(const struct plot_options *options)
{
	return layout_points(options) * 96 / 72;
}

const char *legend_text(const struct panel *p, size_t i, char text[LEGEND_TEXT])
{
	const struct curve *s = p->at[i];
	const char *title = s->title ? s->title : "";
	char *all;
	bool shared = p->title && s->title && strcmp(p->title, s->title) == 0;

	if (p->parts) {
		visible_copy(text, LEGEND_TEXT, s->part);
		return text;
	}
	for (size_t k = 0; k < p->n; k++)
		shared = shared && p->expressions[k] == p->expressions[0];
	all = text_format("%s%s%s", s->group ? s->group : "", s->group && !shared ? ": " : "",
			  s->group && shared ? "" : title);
	visible_copy(text, LEGEND_TEXT, all);
	free(all);
	return text;
}

const char *legend_ramp(const struct panel *p, char text[2 * LEGEND_TEXT])
{
	char first[LEGEND_TEXT], last[LEGEND_TEXT];

	snprintf(text, 2 * LEGEND_TEXT, "%zu curves: from %.200s, dark, to %.200s, bright", p->n,
		 legend_text(p, 0, first), legend_text(p, p->n - 1, last));
	return text;
}

/* Returns the rows of a legend in as many columns as its longest entry allows. */
static unsigned legend_rows(const struct panel *p, double em, double width)
{
	char text[LEGEND_TEXT];
	size_t longest = 0;
	unsigned columns;

	if (!p->legend)
		return p->n > PLOT_LEGEND_MOST;
	for (size_t i = 0; i < p->n; i++) {
		size_t length = strlen(legend_text(p, i, text));

		longest = length > longest ? length : longest;
	}
	columns = (unsigned)fmax(1, floor(width / ((double)longest * 0.62 * em + 4 * em)));
	/* A few that do not fit into one row read best one under the other. */
	if (p->n <= 4 && columns < p->n)
		columns = 1;
	return (unsigned)(p->n + columns - 1) / columns;
}

/* Tests whether the panel below shows the same range of the same quantity. */
static bool shares_x(const struct plot *p, size_t number)
{
	const struct panel *a = &p->at[number], *b;

	if (p->columns > 1 || number + 1 >= p->n)
		return false;
	b = &p->at[number + 1];
	return a->x.range.from == b->x.range.from && a->x.range.to == b->x.range.to &&
	       strcmp(a->x.label, b->x.label) == 0;
}

void layout_panel(const struct plot *p, size_t number, struct panel_layout *l)
{
	double width = p->options.width, height = p->options.height;
	double em = layout_em(&p->options);
	unsigned rows = (unsigned)(p->n + p->columns - 1) / p->columns;
	double head = p->title ? 2.4 * em : 0.6 * em;
	double cell_width = width / p->columns, cell_height = (height - head) / rows;
	double x = (double)(number % p->columns) * cell_width;
	double y = height - head - (double)(number / p->columns) * cell_height;
	bool tiles = p->at[number].at[0]->shape == SHAPE_TILES;
	double left = x + 6.6 * em, right = x + cell_width - (tiles ? 8 : 2) * em;
	double top = y - (p->at[number].title ? 2.2 * em : 0.4 * em), bottom;

	l->xlabel = !shares_x(p, number);
	bottom = y - cell_height + (l->xlabel ? 4.6 * em : 2.7 * em);
	l->page_title_y = 1 - 0.9 * em / height;
	l->title_y = (y - 0.9 * em) / height;
	l->xlabel_y = (bottom - 3.4 * em) / height;
	l->ylabel_x = (left - 5.1 * em) / width;
	l->colours_x = (right + 1 * em) / width;
	l->colours_width = 1.2 * em / width;
	l->colours_label_x = (right + 6.5 * em) / width;
	l->legend_y = top / height;
	l->legend_rows = legend_rows(&p->at[number], em, right - left);
	if (l->legend_rows > 0)
		top -= (l->legend_rows * 1.25 + 0.7) * em;
	/* Never upside down, however small the page. */
	top = fmax(top, bottom + em);
	l->left = left / width;
	l->right = fmax(right, left + em) / width;
	l->bottom = bottom / height;
	l->top = top / height;
	l->xtics = (unsigned)fmax(2, (right - left) / (5 * em));
	l->ytics = (unsigned)fmax(2, (top - bottom) / (1.8 * em));
}
