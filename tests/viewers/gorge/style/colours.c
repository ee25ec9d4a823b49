/*
 * Measures the distances of colours in CIELAB, as seen with all cones, and without the red or the green ones
 * (Machado, Oliveira and Fernandes 2009): of the palette's first hues, and of functions' colours.
 */
#include "tests/tap.h"
#include "viewers/gorge/style/theme.h"
#include <math.h>

enum sight { ALL_CONES, NO_RED, NO_GREEN, SIGHTS };

static const char *const sight_names[SIGHTS] = {"all cones", "protanopia", "deuteranopia"};

static const double sights[SIGHTS][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
};

struct lab {
	double l, a, b;
};

static double linear(unsigned channel)
{
	double c = channel / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void linear_of(rgba colour, double rgb[3])
{
	for (int i = 0; i < 3; i++)
		rgb[i] = linear(colour >> (24 - 8 * i) & 0xff);
}

static double lab_root(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static struct lab lab_of(rgba colour, enum sight sight)
{
	double all[3], c[3], x, y, z;

	linear_of(colour, all);
	for (int i = 0; i < 3; i++) {
		const double *m = sights[sight][i];

		c[i] = fmin(fmax(m[0] * all[0] + m[1] * all[1] + m[2] * all[2], 0), 1);
	}
	x = lab_root((0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047);
	y = lab_root(0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2]);
	z = lab_root((0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883);
	return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double distance(rgba one, rgba other, enum sight sight)
{
	struct lab p = lab_of(one, sight), q = lab_of(other, sight);

	return sqrt(pow(p.l - q.l, 2) + pow(p.a - q.a, 2) + pow(p.b - q.b, 2));
}

static double luminance(rgba colour)
{
	double c[3];

	linear_of(colour, c);
	return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

static double contrast(rgba one, rgba other)
{
	double a = luminance(one), b = luminance(other);

	return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

/* Checks the least distance of any two of n colours. */
static void apart(const char *what, const char *theme, const rgba *colours, unsigned n,
		  double least)
{
	for (enum sight s = 0; s < SIGHTS; s++) {
		double nearest = INFINITY;
		char name[100];
		unsigned a = 0, b = 0;

		for (unsigned i = 0; i < n; i++)
			for (unsigned k = 0; k < i; k++)
				if (distance(colours[i], colours[k], s) < nearest) {
					nearest = distance(colours[i], colours[k], s);
					a = k;
					b = i;
				}
		snprintf(name, sizeof name, "%u %s, %s, %s: at least %.0f apart", n, what, theme,
			 sight_names[s], least);
		ok(nearest >= least, name);
		printf("# nearest: %.1f, #%06x and #%06x\n", nearest, colours[a] >> 8,
		       colours[b] >> 8);
	}
}

/* States of lanes are strong, and no function has their colours. */
static void functions(const struct theme *t)
{
	const rgba strong[] = {t->states[1], t->states[2], t->waits[1]};
	double nearest = INFINITY, least = INFINITY;

	for (unsigned i = 0; i < FUNCTION_COLOURS; i++) {
		for (unsigned k = 0; k < sizeof strong / sizeof *strong; k++)
			for (enum sight s = 0; s < SIGHTS; s++)
				nearest = fmin(nearest, distance(t->functions[i], strong[k], s));
		least = fmin(least, contrast(t->functions[i], t->ink));
	}
	ok(nearest >= 10, "functions do not have the colours of states");
	printf("# nearest: %.1f\n", nearest);
	ok(least >= 4.5, "text can be read on functions");
	printf("# least contrast: %.1f\n", least);
}

int main(void)
{
	const struct theme *const themes[] = {&theme_light, &theme_dark};

	for (unsigned i = 0; i < 2; i++) {
		apart("first hues", themes[i]->name, themes[i]->hues, 12, 16);
		apart("hues", themes[i]->name, themes[i]->hues, PALETTE_HUES, 16);
		apart("functions", themes[i]->name, themes[i]->functions, FUNCTION_HUES, 10);
		functions(themes[i]);
	}
	return tap_end();
}
