#include "analysis/replay/changes/distribution.h"
#include "analysis/replay/changes/fit_value.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/units.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	unsigned times, numbers; /* how many of each it is given */
} models[] = {
    [DISTRIBUTION_CONSTANT] = {"constant", 1, 0},
    [DISTRIBUTION_UNIFORM] = {"uniform", 2, 0},
    [DISTRIBUTION_NORMAL] = {"normal", 2, 0},
    [DISTRIBUTION_LOGNORMAL] = {"lognormal", 1, 1},
    [DISTRIBUTION_EXPONENTIAL] = {"exponential", 1, 0},
    [DISTRIBUTION_MEASURED] = {"measured", 0, 0},
};

static bool time_parse(const char *text, double *value)
{
	int64_t ns;

	if (!units_parse_time(text, &ns))
		return false;
	*value = (double)ns;
	return true;
}

static bool number_parse(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return *text && !*end && *value >= 0;
}

/* Parses what is between the parentheses: the text is changed. */
static bool values_parse(char *text, struct distribution *d)
{
	unsigned times = models[d->kind].times, n = times + models[d->kind].numbers;
	double *to[2] = {&d->a, &d->b};

	for (unsigned i = 0; i < n; i++) {
		char *comma = strchr(text, ',');

		if ((comma != NULL) != (i + 1 < n))
			return false;
		if (comma)
			*comma = 0;
		if (!(i < times ? time_parse : number_parse)(text, to[i]))
			return false;
		text = comma ? comma + 1 : text;
	}
	return d->kind != DISTRIBUTION_UNIFORM || d->a <= d->b;
}

/* Parses fit(VALUE). */
static bool fit_parse(const char *text, struct distribution *d)
{
	static const char word[] = "fit(";
	size_t n = strlen(text), length = sizeof word - 1;

	if (strncmp(text, word, length) != 0 || n < length + 2 || text[n - 1] != ')')
		return false;
	d->kind = DISTRIBUTION_FIT;
	d->fit = text_format("%.*s", (int)(n - length - 1), text + length);
	return fit_value_is_expression(d->fit);
}

bool distribution_parse(const char *text, struct distribution *d)
{
	char values[128];

	*d = (struct distribution){.kind = DISTRIBUTION_CONSTANT};
	if (time_parse(text, &d->a))
		return true;
	if (fit_parse(text, d))
		return true;
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		size_t n = strlen(models[i].name), length = strlen(text);

		d->kind = (enum distribution_kind)i;
		if (strncmp(text, models[i].name, n) != 0)
			continue;
		if (!models[i].times)
			return !text[n];
		if (text[n] != '(' || text[length - 1] != ')' || length - n - 2 >= sizeof values)
			return false;
		memcpy(values, text + n + 1, length - n - 2);
		values[length - n - 2] = 0;
		return values_parse(values, d);
	}
	return false;
}

/* Returns a number above 0 and below 1; another one for each of a draw's. */
static double unit_draw(uint64_t seed, unsigned which)
{
	return ((double)(hash_mix(hash_mix(seed + which) + 0x9e3779b97f4a7c15) >> 12) + 0.5) /
	       0x1p52;
}

static double normal_draw(uint64_t seed)
{
	return sqrt(-2 * log(unit_draw(seed, 0))) * cos(2 * M_PI * unit_draw(seed, 1));
}

double distribution_draw(const struct distribution *d, uint64_t seed, const double *measured,
			 size_t n)
{
	switch (d->kind) {
	case DISTRIBUTION_CONSTANT:
	case DISTRIBUTION_FIT:
		break;
	case DISTRIBUTION_UNIFORM:
		return d->a + (d->b - d->a) * unit_draw(seed, 0);
	case DISTRIBUTION_NORMAL:
		return fmax(0, d->a + d->b * normal_draw(seed));
	case DISTRIBUTION_LOGNORMAL:
		return d->a * exp(d->b * normal_draw(seed));
	case DISTRIBUTION_EXPONENTIAL:
		return -d->a * log(unit_draw(seed, 0));
	case DISTRIBUTION_MEASURED:
		return measured[(size_t)(unit_draw(seed, 0) * (double)n)];
	}
	return d->a;
}
