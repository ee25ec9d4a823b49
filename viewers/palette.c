#include "viewers/palette.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * After those of Okabe and Ito come those that are the farthest from all before. Black is the
 * colour of the text.
 */
const rgba palette_light[PALETTE_HUES] = {
    0x0072b2ff, 0xd55e00ff, 0x009e73ff, 0xcc79a7ff, 0xe69f00ff, 0x56b4e9ff, 0x0b37caff, 0x653611ff,
    0x10494dff, 0x9ad779ff, 0x4281feff, 0xeabbb9ff, 0x413b72ff, 0xa08247ff, 0x665e41ff, 0x592196ff,
};

const rgba palette_dark[PALETTE_HUES] = {
    0x56b4e9ff, 0xe69f00ff, 0x1fb98cff, 0xd991bbff, 0xf0e442ff, 0x1c6feaff, 0xb81f1cff, 0xaaef85ff,
    0x3d6563ff, 0x734e95ff, 0x70a056ff, 0x32f3feff, 0xa0ecd0ff, 0xce6704ff, 0x4b85d1ff, 0x0a7d4dff,
};

const rgba palette_states_light[PALETTE_STATES] = {0, 0x2e9e6bff, 0xf0b04aff, 0xd9dbe2ff};
const rgba palette_states_dark[PALETTE_STATES] = {0, 0x3aa876ff, 0xd99a3dff, 0x3d434cff};
const rgba palette_waits_light[PALETTE_STATES] = {0, 0x8c3a86ff, 0xbcd8e8ff, 0xd9dbe2ff};
const rgba palette_waits_dark[PALETTE_STATES] = {0, 0xb865b2ff, 0x44667cff, 0x3d434cff};

/* After viridis; its palest end is left out. */
static const rgba ramp[] = {0x440154ff, 0x414487ff, 0x2a788eff, 0x22a884ff, 0x7ad151ff, 0xbddf26ff};
enum { RAMP_LAST = sizeof ramp / sizeof *ramp - 1 };

rgba palette_ramp(double part)
{
	double place = part * RAMP_LAST;
	size_t below = (size_t)place < RAMP_LAST ? (size_t)place : RAMP_LAST - 1;

	return colour_mix(ramp[below + 1], ramp[below], place - (double)below);
}

static const struct {
	const char *name;
	rgba colour;
} names[] = {
    {"black", 0x000000ff},   {"blue", 0x0072b2ff},   {"brown", 0x8c510aff},  {"cyan", 0x17becfff},
    {"gray", 0x808080ff},    {"green", 0x009e73ff},  {"grey", 0x808080ff},   {"lime", 0x7fbf00ff},
    {"magenta", 0xc2378aff}, {"maroon", 0x800000ff}, {"navy", 0x1f3f7fff},   {"olive", 0x808000ff},
    {"orange", 0xe69f00ff},  {"pink", 0xcc79a7ff},   {"purple", 0x762a83ff}, {"red", 0xd62728ff},
    {"silver", 0xc0c0c0ff},  {"teal", 0x008080ff},   {"violet", 0x9467bdff}, {"white", 0xffffffff},
    {"yellow", 0xf0e442ff},
};

static bool hexadecimal(const char *digits, rgba *colour)
{
	size_t n = strlen(digits);
	unsigned long v = strtoul(digits, NULL, 16);

	if ((n != 3 && n != 6) || strspn(digits, "0123456789abcdefABCDEF") != n)
		return false;
	if (n == 3)
		v = (v >> 8) * 0x110000 + (v >> 4 & 15) * 0x1100 + (v & 15) * 0x11;
	*colour = (rgba)(v << 8 | 0xff);
	return true;
}

bool colour_read(const char *text, rgba *colour)
{
	if (*text == '#')
		return hexadecimal(text + 1, colour);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcasecmp(text, names[i].name)) {
			*colour = names[i].colour;
			return true;
		}
	return false;
}

static int channel(rgba colour, int shift)
{
	return colour >> shift & 0xff;
}

rgba colour_mix(rgba over, rgba under, double part)
{
	rgba mixed = 0xff;

	for (int shift = 8; shift < 32; shift += 8) {
		double c = channel(over, shift) * part + channel(under, shift) * (1 - part);
		mixed |= (rgba)(c + 0.5) << shift;
	}
	return mixed;
}

double colour_luma(rgba colour)
{
	return 0.299 * channel(colour, 24) + 0.587 * channel(colour, 16) +
	       0.114 * channel(colour, 8);
}

rgba colour_ink(rgba ground)
{
	return colour_luma(ground) > 140 ? 0x111417ff : 0xffffffff;
}

rgba colour_fade(rgba colour, double alpha)
{
	return (colour & 0xffffff00) | (rgba)(alpha * 255 + 0.5);
}
