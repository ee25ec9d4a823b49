/* Draws sampled stacks: their functions below each other, and which colour is which module's. */
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/scene/stack_scene.h"
#include "viewers/gorge/style/text_width.h"
#include <stdlib.h>

enum { LETTERS = 10, LINE = 17, SAMPLE = 22, GAP = 16, HIDDEN_LETTERS = 8, HIDDEN_LINE = 10 };

void stacks_draw(struct drawing *d, const struct scene *s, const struct layout *l)
{
	if (s->stacks && s->stacks->bars->nintervals)
		bars_draw(d, s->stacks->bars, l);
}

/* Writes below the name of a lane how many frames have no rows, if there is room. */
static void hidden_draw(struct drawing *d, const struct scene *s, const struct layout *l,
			unsigned i)
{
	struct typeface face = {.size = HIDDEN_LETTERS, .colour = s->theme->muted};
	const struct stack_rows *r = &s->stacks->rows[i];
	const struct place *p = &l->places[i];
	unsigned shown = s->lanes[i].bands[BAND_STACKS];
	double room = l->x - PLOT_INDENT - LABEL_GAP - PAGE_MARGIN,
	       y = layout_row_middle(s, l, i) + l->density->font;
	char *text;

	if (r->frames <= shown || y + HIDDEN_LINE > p->top + p->height)
		return;
	text = text_format("%u of %u frames", shown, r->frames);
	drawing_text(d, &face, PAGE_MARGIN + 4 + s->lanes[i].indent, y + HIDDEN_LETTERS * 0.6,
		     room - s->lanes[i].indent, text);
	free(text);
}

void stacks_draw_hidden(struct drawing *d, const struct scene *s, const struct layout *l)
{
	for (unsigned i = 0; s->stacks && i < s->nlanes; i++)
		hidden_draw(d, s, l, i);
}

double stacks_legend_draw(struct drawing *d, const struct scene *s, double y)
{
	struct typeface head = {.size = LETTERS, .colour = s->theme->muted},
			face = {.size = LETTERS, .colour = s->theme->ink};
	double x = PAGE_MARGIN;

	if (!s->stacks || !s->stacks->origins.n)
		return y;
	y += LINE;
	x += drawing_text(d, &head, x, y, 0, "functions from samples, each below its caller, in:") +
	     GAP;
	for (size_t i = 0; i < s->stacks->origins.n; i++) {
		const struct stack_origin *o = &s->stacks->origins.at[i];
		double width = SAMPLE + text_width(o->name, LETTERS, false) + GAP;

		if (x > PAGE_MARGIN && x + width - GAP > d->width - PAGE_MARGIN) {
			x = PAGE_MARGIN;
			y += LINE;
		}
		drawing_brush(d, (struct brush){.colour = o->colour});
		drawing_rect(d, x, y - 8, 16, 9);
		drawing_brush(d, (struct brush){.colour = colour_mix(o->colour, s->theme->ink, 0.7),
						.width = 0.6});
		drawing_rect(d, x + 0.3, y - 7.7, 15.4, 8.4);
		drawing_text(d, &face, x + SAMPLE, y, 0, o->name);
		x += width;
	}
	return y;
}
