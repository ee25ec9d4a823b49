#include "viewers/units.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct time_unit units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
enum { NUNITS = sizeof units / sizeof *units };

const struct time_unit *time_unit_for(double ns)
{
	for (int i = 0; i < NUNITS; i++)
		if (fabs(ns) >= units[i].ns)
			return &units[i];
	return &units[NUNITS - 1];
}

const char *duration_text(char text[UNITS_TEXT], double ns)
{
	const struct time_unit *unit = time_unit_for(ns);
	/* 999.7 us has three digits only as 1 ms */
	if (unit->ns < 1e9 && fabs(ns) / unit->ns >= 999.5)
		unit--;
	double value = ns / unit->ns;
	int decimals = unit->ns == 1 || fabs(value) >= 99.95 ? 0 : fabs(value) >= 9.995 ? 1 : 2;

	snprintf(text, UNITS_TEXT, "%.*f %s", decimals, value, unit->name);
	return text;
}

const char *time_text(char text[UNITS_TEXT], int64_t ns)
{
	const struct time_unit *unit = time_unit_for((double)ns);
	uint64_t size = (uint64_t)unit->ns, magnitude = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	int digits = size == 1 ? 0 : size == 1000 ? 3 : size == 1000000 ? 6 : 9;
	int n = snprintf(text, UNITS_TEXT, "%s%" PRIu64, ns < 0 ? "-" : "", magnitude / size);

	if (magnitude % size) {
		n += snprintf(text + n, UNITS_TEXT - n, ".%0*" PRIu64, digits, magnitude % size);
		while (text[n - 1] == '0')
			n--;
	}
	snprintf(text + n, UNITS_TEXT - n, " %s", unit->name);
	return text;
}

const char *count_text(char text[UNITS_TEXT], uint64_t n)
{
	char digits[UNITS_TEXT];
	int length = snprintf(digits, sizeof digits, "%" PRIu64, n), at = 0;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = digits[i];
	}
	text[at] = '\0';
	return text;
}

bool time_read(const char *text, int64_t *ns)
{
	char *end;
	double value = strtod(text, &end), size = 1;

	if (end == text)
		return false;
	end += strspn(end, " ");
	if (*end) {
		int i = 0;
		while (i < NUNITS && strcmp(end, units[i].name))
			i++;
		if (i == NUNITS)
			return false;
		size = units[i].ns;
	}
	value = round(value * size);
	if (!(fabs(value) < 0x1p63))
		return false;
	*ns = (int64_t)value;
	return true;
}
