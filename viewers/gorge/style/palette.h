/*
 * Colours: the themes' own, and those of events and intervals, which the colour-blind can tell
 * apart.
 */
#ifndef GLIMPSE_GORGE_STYLE_PALETTE_H
#define GLIMPSE_GORGE_STYLE_PALETTE_H

#include "viewers/gorge/draw/drawing.h"

struct theme {
	const char *name;
	rgba page, band, grid;
	rgba life;                      /* the line of a thread from its first to its last event */
	rgba ink, muted;                /* of texts */
	rgba alarm;                     /* what breaks an assertion */
	rgba hues[8];
};

enum { NHUES = 8 };

extern const struct theme theme_light, theme_dark;

const struct theme *theme_find(const char *name);       /* NULL: none */
/* The same colour as far as it can be seen on the theme's page. */
rgba theme_colour(const struct theme *t, rgba colour);

/* A colour as a specification writes it: "#rgb", "#rrggbb" or a name. False: neither. */
bool colour_read(const char *text, rgba *colour);

/* The colour, so much (0 to 1) of it over the other one; opaque. */
rgba colour_mix(rgba over, rgba under, double part);
/* Ink that can be read on the colour: black or white. */
rgba colour_ink(rgba ground);
rgba colour_fade(rgba colour, double alpha);

#endif
