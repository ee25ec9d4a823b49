#include "viewers/gorge/style/theme.h"
#include <string.h>

const struct theme theme_light = {
    .name = "light",
    .page = 0xffffffff,
    .band = 0xf5f6f8ff,
    .grid = 0xdfe2e7ff,
    .life = 0xbcc2caff,
    .ink = 0x1b1f24ff,
    .muted = 0x59616bff,
    .alarm = 0xc0102eff,
    .states = palette_states_light,
    .waits = palette_waits_light,
    .hues = palette_light,
    .functions =
	{
	    0xa1a2ceff,
	    0x74a7f4ff,
	    0xa6d8fcff,
	    0x7cbcf3ff,
	    0xf7bebfff,
	    0xeca8c6ff,
	    0xc09da1ff,
	    0xf99d97ff,
	    0xc2b15fff,
	    0xc9ca89ff,
	    0xf6eed3ff,
	    0xffe08eff,
	    0xe0e3e7ff,
	},
};

const struct theme theme_dark = {
    .name = "dark",
    .page = 0x14171bff,
    .band = 0x1b1f25ff,
    .grid = 0x2e343cff,
    .life = 0x4d5660ff,
    .ink = 0xeceef1ff,
    .muted = 0xa3abb5ff,
    .alarm = 0xff5a6bff,
    .states = palette_states_dark,
    .waits = palette_waits_dark,
    .hues = palette_dark,
    .functions =
	{
	    0x025ba0ff,
	    0x36577bff,
	    0x1e3477ff,
	    0x33365aff,
	    0x8a5a6bff,
	    0x824146ff,
	    0x6a1e20ff,
	    0x6b1936ff,
	    0x696b42ff,
	    0x6e5621ff,
	    0x756918ff,
	    0x413a00ff,
	    0x33393fff,
	},
};

const struct theme *theme_find(const char *name)
{
	if (!strcmp(name, theme_light.name))
		return &theme_light;
	return strcmp(name, theme_dark.name) ? NULL : &theme_dark;
}

/* Adapts a colour that was chosen for a light page, and is black or glaring on a dark one. */
rgba theme_colour(const struct theme *t, rgba colour)
{
	enum { DIM = 90, GLARING = 195 };

	if (colour_luma(t->page) > 128)
		return colour;
	if (colour_luma(colour) < DIM)
		return colour_mix(colour, t->ink, 0.45);
	return colour_luma(colour) > GLARING ? colour_mix(colour, t->page, 0.5) : colour;
}

/* Areas may be light on a light page, where lines that are a pixel wide are lost. */
rgba theme_line_colour(const struct theme *t, rgba colour)
{
	enum { LIGHT = 165 };
	double luma = colour_luma(colour);

	if (colour_luma(t->page) <= 128 || luma <= LIGHT)
		return colour;
	return colour_mix(colour, 0x000000ff, LIGHT / luma);
}
