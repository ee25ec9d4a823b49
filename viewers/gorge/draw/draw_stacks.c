/* Draws sampled stacks: their functions below each other. */
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/scene/stack_scene.h"
#include <stdlib.h>

enum { HIDDEN_LETTERS = 8, HIDDEN_LINE = 10 };

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
	const struct lane_place *p = &l->places[i];
	unsigned shown = s->lanes[i].bands[BAND_STACKS];
	double room = l->x - PLOT_INDENT - LABEL_GAP - PAGE_MARGIN,
	       y = layout_row_middle(s, l, i) + l->density->font;
	char *text;

	if (!shown || r->frames <= shown || y + HIDDEN_LINE > p->top + p->height)
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
