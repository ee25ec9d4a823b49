#include "cli/value_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *integer_digits(char text[UNITS_TEXT], __int128 i)
{
	const __int128 part = 1000000000000000000;

	if (i < 0)
		snprintf(text, UNITS_TEXT, "%" PRId64, (int64_t)i);
	else if (i <= UINT64_MAX)
		snprintf(text, UNITS_TEXT, "%" PRIu64, (uint64_t)i);
	else    /* sums may be greater than any value */
		snprintf(text, UNITS_TEXT, "%" PRIu64 "%018" PRIu64, (uint64_t)(i / part),
			 (uint64_t)(i % part));
	return text;
}

const char *value_digits(char text[UNITS_TEXT], const struct value *v)
{
	switch (v->kind) {
	case VALUE_BOOL:
		snprintf(text, UNITS_TEXT, "%s", v->truth ? "true" : "false");
		return text;
	case VALUE_INT:
		return integer_digits(text, v->integer);
	case VALUE_REAL:
		return units_real(text, v->real, 1);
	default:
		snprintf(text, UNITS_TEXT, "%.*s", (int)v->string.length, v->string.bytes);
		return text;
	}
}

const char *value_text(char text[UNITS_TEXT], const struct value *v, enum unit unit)
{
	double x = v->kind == VALUE_REAL ? v->real : (double)v->integer;

	if (v->kind == VALUE_BOOL || v->kind == VALUE_STRING)
		return value_digits(text, v);
	if (unit == UNIT_TIME)
		return units_time(text, x);
	if (unit == UNIT_BYTES && x >= 0 && x < 0x1p64)
		return units_bytes(text, (uint64_t)x);
	if (v->kind == VALUE_INT)
		return integer_digits(text, v->integer);
	snprintf(text, UNITS_TEXT, "%.4g", x);
	return text;
}
