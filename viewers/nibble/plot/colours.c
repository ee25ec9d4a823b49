#include "viewers/nibble/plot/colours.h"

/*
 * Without their yellow and black: the one is too pale on white, the other is the colour of the
 * text.
 */
static const uint32_t colours[PALETTE_COLOURS] = {
    0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x777777,
};

/* Dark to light at even steps of lightness, after viridis; its palest end is left out. */
static const uint32_t ramp[] = {0x440154, 0x414487, 0x2a788e, 0x22a884, 0x7ad151, 0xbddf26};
enum { RAMP_LAST = sizeof ramp / sizeof *ramp - 1 };

static uint32_t mix(uint32_t a, uint32_t b, double part)
{
	uint32_t mixed = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double from = a >> shift & 0xff, to = b >> shift & 0xff;

		mixed |= (uint32_t)(from + part * (to - from) + 0.5) << shift;
	}
	return mixed;
}

static uint32_t on_ramp(double part)
{
	double place = part * RAMP_LAST;
	size_t below = (size_t)place < RAMP_LAST ? (size_t)place : RAMP_LAST - 1;

	return mix(ramp[below], ramp[below + 1], place - (double)below);
}

uint32_t heat_colour(double part)
{
	return on_ramp(1 - part);
}

uint32_t curve_colour(size_t i, size_t n)
{
	if (n <= 2 * PALETTE_COLOURS)
		return colours[i % PALETTE_COLOURS];
	return on_ramp((double)i / (double)(n - 1));
}

unsigned curve_round(size_t i, size_t n)
{
	return n <= 2 * PALETTE_COLOURS ? (unsigned)(i / PALETTE_COLOURS) : 0;
}
