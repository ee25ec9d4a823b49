/*
 * A picture shows four steps of a piece of a curve that is narrower than a pixel: the first, the
 * last, the least and the greatest.
 */
#ifndef GLIMPSE_NIBBLE_SERIES_STEP_EXTREMES_H
#define GLIMPSE_NIBBLE_SERIES_STEP_EXTREMES_H

#include "viewers/nibble/series/curve.h"
#include <math.h>
#include <stdbool.h>

struct step_vertex {
	double x, y;
};

/* All zero at first. */
struct step_extremes {
	struct step_vertex first, last, least, greatest;
	bool any;
};

/* In order of time. */
struct drawn_steps {
	struct step_vertex at[4];
	unsigned n;
};

static inline void step_extremes_take(struct step_extremes *e, struct step_vertex v)
{
	if (!e->any)
		*e = (struct step_extremes){v, v, v, v, true};
	e->last = v;
	if (__builtin_expect(v.y >= e->least.y && v.y <= e->greatest.y, 1))
		return;
	if (v.y < e->least.y || isnan(e->least.y))
		e->least = v;
	if (v.y > e->greatest.y || isnan(e->greatest.y))
		e->greatest = v;
}

struct drawn_steps step_extremes_drawn(const struct step_extremes *e);
void drawn_steps_append(struct curve *s, const struct drawn_steps *d);
/* Appends those that are drawn. */
void step_extremes_append(struct curve *s, const struct step_extremes *e);

#endif
