/* Which colours frames have: the same in flame graphs and in the lanes. */
#ifndef GLIMPSE_GORGE_STYLE_FLAME_COLOURS_H
#define GLIMPSE_GORGE_STYLE_FLAME_COLOURS_H

#include "analysis/flame/flame.h"
#include "viewers/gorge/style/theme.h"

/*
 * So many origins, those with the most of their own, have a colour of their own; so has the kernel. The index of an origin is below
 * FLAME_COLOURS, or one of the others.
 */
enum { FLAME_COLOURS = 6, FLAME_KERNEL = FLAME_COLOURS, FLAME_OTHER, FLAME_ORIGINS };

struct flame_colours {
	const char *origins[FLAME_COLOURS]; /* the greatest first */
	unsigned n;
	bool kernel; /* the kernel has something of its own, too */
};

struct flame_colours flame_colours_of(const struct flame *f);
/* Returns the index of a node's origin; FLAME_OTHER: it has no colour of its own. */
unsigned flame_origin(const struct flame_colours *c, const struct flame *f,
		      const struct flame_node *n);
/* Returns the name that an origin of an index has in legends, which the graph's trace keeps; "other" of those that are not there. */
const char *flame_origin_name(const struct flame_colours *c, unsigned origin);
/* Returns the colour of an origin by its index. */
rgba flame_origin_colour(const struct theme *theme, unsigned origin);
rgba flame_node_colour(const struct flame_colours *c, const struct theme *theme,
		       const struct flame *f, const struct flame_node *n);

#endif
