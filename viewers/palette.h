/*
 * Colours that readers of every kind of sight tell apart (the first ones by Okabe and Ito), and
 * computations on colours. 0xRRGGBBAA each.
 */
#ifndef GLIMPSE_VIEWERS_PALETTE_H
#define GLIMPSE_VIEWERS_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t rgba;

/*
 * Hues for a light and for a dark page; the eye meets the first ones first. Readers without red or
 * green cones, too, can tell the first twelve apart. tests/viewers/gorge/style/colours.c measures
 * it.
 */
enum { PALETTE_HUES = 16 };
extern const rgba palette_light[PALETTE_HUES], palette_dark[PALETTE_HUES];

/*
 * What threads do, by enum thread_state (analysis/activity/roles.h): running, ready, blocked. What
 * they wait for: what another thread holds, work, anything else. The first ones are none.
 */
enum { PALETTE_STATES = 4 };
extern const rgba palette_states_light[PALETTE_STATES], palette_states_dark[PALETTE_STATES];
extern const rgba palette_waits_light[PALETTE_STATES], palette_waits_dark[PALETTE_STATES];

/* Returns a colour on the ramp from dark (0) to light (1), in even steps of lightness. */
rgba palette_ramp(double part);

/* Reads a colour as a specification has it: "#rgb", "#rrggbb" or a name. */
bool colour_read(const char *text, rgba *colour);

/* Returns part (0 to 1) of one colour over the rest of another one; opaque. */
rgba colour_mix(rgba over, rgba under, double part);
/* Returns the colour with another opacity. */
rgba colour_fade(rgba colour, double alpha);
/* Returns how bright a colour looks, 0 to 255. */
double colour_luma(rgba colour);
/* Returns the ink that can be read on a colour: black or white. */
rgba colour_ink(rgba ground);

#endif
