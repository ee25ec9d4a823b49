#include "viewers/gorge/style/ticks.h"
#include "base/array.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A window this many times its length away from 0 gets a base. */
enum { FAR = 50 };

static int64_t floor_to(int64_t value, int64_t step)
{
	int64_t rest = value % step;

	return value - rest - (rest < 0 ? step : 0);
}

/* Returns the smallest of 1, 2, 5, 10, 20, ... of which at most limit fit into the length. */
static int64_t step_for(int64_t length, unsigned limit)
{
	static const int factors[] = {1, 2, 5};

	for (int64_t power = 1;; power *= 10)
		for (int i = 0; i < 3; i++)
			if (length / (power * factors[i]) < limit || power > INT64_MAX / 50)
				return power * factors[i];
}

static int decimals_for(int64_t step, double unit)
{
	int decimals = 0;

	for (double value = step / unit; value < 0.999 && decimals < 9; value *= 10)
		decimals++;
	return decimals;
}

struct ticks ticks_choose(int64_t from, int64_t to, unsigned limit)
{
	struct ticks t = {.step = step_for(to - from, limit)};

	t.first = floor_to(from + t.step - 1, t.step);
	t.count = t.first > to ? 0 : (unsigned)((to - t.first) / t.step) + 1;
	if (from / FAR > to - from)
		t.base = floor_to(from, t.step);
	t.unit = units_time_unit(
	    (double)(t.base ? to - t.base : fmax(fabs((double)from), fabs((double)to))));
	t.decimals = decimals_for(t.step, t.unit->ns);
	return t;
}

struct ticks ticks_columns(int64_t from, int64_t to, unsigned limit, int64_t column)
{
	static struct time_unit unit = {.name = "columns"};
	struct ticks t = {.step = step_for((to - from) / column, limit) * column, .unit = &unit};

	unit.ns = (double)column;
	t.first = floor_to(from + t.step - 1, t.step);
	t.count = t.first > to ? 0 : (unsigned)((to - t.first) / t.step) + 1;
	return t;
}

int64_t tick_time(const struct ticks *t, unsigned i)
{
	return t->first + t->step * i;
}

const char *tick_label(const struct ticks *t, unsigned i, char text[UNITS_TEXT])
{
	double value = (double)(tick_time(t, i) - t->base) / t->unit->ns;

	snprintf(text, UNITS_TEXT, "%s%.*f", t->base ? "+" : "", t->decimals, value);
	return text;
}

char *ticks_title(const struct ticks *t)
{
	char base[UNITS_TEXT];

	if (!strcmp(t->unit->name, "columns"))
		return text_format("column");
	if (t->base)
		return text_format("time after %s (%s)", units_exact_time(base, t->base),
				   t->unit->name);
	return text_format("time (%s)", t->unit->name);
}
