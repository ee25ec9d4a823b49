#include "viewers/nibble/series/step_extremes.h"

static void drawn_add(struct drawn_steps *d, struct step_vertex v)
{
	if (d->n == 0 || d->at[d->n - 1].x < v.x)
		d->at[d->n++] = v;
}

struct drawn_steps step_extremes_drawn(const struct step_extremes *e)
{
	bool falls = e->greatest.x < e->least.x;
	struct drawn_steps d = {.n = 0};

	if (!e->any)
		return d;
	drawn_add(&d, e->first);
	drawn_add(&d, falls ? e->greatest : e->least);
	drawn_add(&d, falls ? e->least : e->greatest);
	drawn_add(&d, e->last);
	return d;
}

void drawn_steps_append(struct curve *s, const struct drawn_steps *d)
{
	for (unsigned i = 0; i < d->n; i++)
		curve_append(s, d->at[i].x, d->at[i].y);
}

void step_extremes_append(struct curve *s, const struct step_extremes *e)
{
	struct drawn_steps d = step_extremes_drawn(e);

	drawn_steps_append(s, &d);
}
