/* Defines themes: the colours of a page, and those of the events and intervals on it. */
#ifndef GLIMPSE_GORGE_STYLE_THEME_H
#define GLIMPSE_GORGE_STYLE_THEME_H

#include "viewers/palette.h"

/*
 * Colours of functions, which the text can be read on. They are paler than states on a light page
 * and darker on a dark one, in three families that the colour-blind tell apart by lightness too:
 * blue, rose, sand. One more, grey, is of code without a name.
 */
enum { FUNCTION_HUES = 12, FUNCTION_UNNAMED = FUNCTION_HUES, FUNCTION_COLOURS };

/* The page's style sheet has the same colours. */
struct theme {
	const char *name;
	rgba page, band, grid;
	rgba life;       /* the line of a thread from its first to its last event */
	rgba ink, muted; /* of texts */
	rgba alarm;      /* what breaks an assertion */
	/* what threads do: by enum thread_state, and by enum wait_class (index/layer.h) */
	const rgba *states, *waits;
	const rgba *hues;                 /* PALETTE_HUES of them */
	rgba functions[FUNCTION_COLOURS]; /* by function_hue() */
};

extern const struct theme theme_light, theme_dark;

/* Returns the theme of that name, or NULL. */
const struct theme *theme_find(const char *name);
/* Returns the same colour as far as it can be seen on the theme's page. */
rgba theme_colour(const struct theme *t, rgba colour);
/* Returns the same colour as far as a thin line of it can be seen. */
rgba theme_line_colour(const struct theme *t, rgba colour);

#endif
