/* Which colours frames have: the same in flame graphs and in the lanes. */
#ifndef GLIMPSE_GORGE_STYLE_FLAME_COLOURS_H
#define GLIMPSE_GORGE_STYLE_FLAME_COLOURS_H

#include "analysis/flame/flame.h"
#include "viewers/gorge/style/theme.h"

/* So many origins, those with the most of their own, have a colour of their own. */
enum { FLAME_COLOURS = 6 };

struct flame_colours {
	const char *origins[FLAME_COLOURS]; /* the greatest first */
	unsigned n;
};

struct flame_colours flame_colours_of(const struct flame *f);
/* Returns the index of a node's origin in the colours, or FLAME_COLOURS: it has none of its own. */
unsigned flame_origin(const struct flame_colours *c, const struct flame *f,
		      const struct flame_node *n);
/* Returns the colour of an origin by its index; of code that has none of its own, for FLAME_COLOURS. */
rgba flame_origin_colour(const struct theme *theme, unsigned origin);
rgba flame_node_colour(const struct flame_colours *c, const struct theme *theme,
		       const struct flame *f, const struct flame_node *n);

#endif
