#include "analysis/diff/change_text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *change_value_text(char text[UNITS_TEXT], enum diff_unit unit, double value)
{
	if (isnan(value))
		return "-";
	if (unit == DIFF_TIME)
		return units_time(text, value);
	return unit == DIFF_BYTES ? units_bytes(text, (uint64_t)round(value))
				  : units_count(text, (uint64_t)round(value));
}

const char *change_factor_text(char text[UNITS_TEXT], const struct change *c)
{
	double factor = change_factor(c);

	if (isnan(factor))
		return "-";
	if (isinf(factor))
		return "new";
	if (factor == 0)
		return "gone";
	snprintf(text, UNITS_TEXT, factor < 10 ? "%.2f x" : "%.0f x", factor);
	return text;
}

static bool is_length(const struct change *c)
{
	return c->unit == DIFF_TIME && (strstr(c->measure, "mean") || c->measure[0] == 'p');
}

const char *change_verdict_word(const struct change *c)
{
	switch (c->verdict) {
	case VERDICT_SAME:
		return "same";
	case VERDICT_NOISE:
		return "noise";
	case VERDICT_SMALL:
		return "small";
	case VERDICT_UNTESTED:
		return isnan(c->before) || isnan(c->after) ? "" : "not tested";
	case VERDICT_LESS:
		return is_length(c) ? "faster" : "less";
	default:
		return is_length(c) ? "slower" : "more";
	}
}
