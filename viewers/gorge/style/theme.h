/* Themes: the colours of a page, and those of the events and intervals on it. */
#ifndef GLIMPSE_GORGE_STYLE_THEME_H
#define GLIMPSE_GORGE_STYLE_THEME_H

#include "viewers/palette.h"

/* The page's style sheet has the same colours. */
struct theme {
	const char *name;
	rgba page, band, grid;
	rgba life;                      /* the line of a thread from its first to its last event */
	rgba ink, muted;                /* of texts */
	rgba alarm;                     /* what breaks an assertion */
	/* what threads do: by enum thread_state, and by enum wait_class (index/layer.h) */
	rgba states[4], waits[4];
	const rgba *hues;               /* PALETTE_HUES of them */
};

extern const struct theme theme_light, theme_dark;

/* Returns the theme of that name, or NULL. */
const struct theme *theme_find(const char *name);
/* Returns the same colour as far as it can be seen on the theme's page. */
rgba theme_colour(const struct theme *t, rgba colour);
/* Returns the same colour as far as a thin line of it can be seen. */
rgba theme_line_colour(const struct theme *t, rgba colour);

#endif
