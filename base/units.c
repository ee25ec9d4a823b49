#include "base/units.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- to text ---- */

/*
 * Writes three significant digits and a unit; each unit is `step` times the one before. Of the
 * smallest unit, whole numbers have no decimals; whole: they are all rounded to such.
 */
static const char *units_scaled(char *text, double value, const char *const *names, size_t n,
				const double *steps, bool whole)
{
	size_t i = 0;
	double size = value < 0 ? -value : value;

	while (i + 1 < n && size >= steps[i] * 0.9995) {
		value /= steps[i];
		size /= steps[i++];
	}
	snprintf(text, UNITS_TEXT, "%.*f %s",
		 i == 0 && (whole || value == (double)(int64_t)value) ? 0
		 : size < 9.995                                       ? 2
		 : size < 99.95                                       ? 1
								      : 0,
		 value, names[i]);
	return text;
}

static const char *const time_names[] = {"ns", "us", "ms", "s", "min", "h"};
static const double time_steps[] = {1000, 1000, 1000, 60, 60};

const char *units_time(char text[UNITS_TEXT], double ns)
{
	return units_scaled(text, ns, time_names, 6, time_steps, false);
}

const char *units_short_time(char text[UNITS_TEXT], double ns)
{
	return units_scaled(text, ns, time_names, 4, time_steps, true);
}

static const struct time_unit time_units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
enum { NTIME_UNITS = sizeof time_units / sizeof *time_units };

const struct time_unit *units_time_unit(double ns)
{
	for (int i = 0; i < NTIME_UNITS; i++)
		if (fabs(ns) >= time_units[i].ns)
			return &time_units[i];
	return &time_units[NTIME_UNITS - 1];
}

const char *units_exact_time(char text[UNITS_TEXT], int64_t ns)
{
	const struct time_unit *unit = units_time_unit((double)ns);
	uint64_t size = (uint64_t)unit->ns, magnitude = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	int digits = size == 1 ? 0 : size == 1000 ? 3 : size == 1000000 ? 6 : 9;
	int n = snprintf(text, UNITS_TEXT, "%s%" PRIu64, ns < 0 ? "-" : "", magnitude / size);

	if (magnitude % size) {
		n += snprintf(text + n, (size_t)(UNITS_TEXT - n), ".%0*" PRIu64, digits,
			      magnitude % size);
		while (text[n - 1] == '0')
			n--;
	}
	snprintf(text + n, (size_t)(UNITS_TEXT - n), " %s", unit->name);
	return text;
}

const char *units_count(char text[UNITS_TEXT], uint64_t count)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%" PRIu64, count), to = 0;

	for (int i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			text[to++] = ',';
		text[to++] = digits[i];
	}
	text[to] = '\0';
	return text;
}

const char *units_counted(char text[UNITS_TEXT], uint64_t count, const char *one, const char *many)
{
	size_t n = strlen(units_count(text, count));

	snprintf(text + n, UNITS_TEXT - n, " %s", count == 1 ? one : many);
	return text;
}

const char *units_bytes(char text[UNITS_TEXT], uint64_t bytes)
{
	static const char *const names[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
	static const double steps[] = {1024, 1024, 1024, 1024, 1024};

	if (bytes == 1)
		return strcpy(text, "1 byte");
	return units_scaled(text, (double)bytes, names, 6, steps, false);
}

const char *units_frequency(char text[UNITS_TEXT], double hertz)
{
	static const char *const names[] = {"Hz", "kHz", "MHz", "GHz"};
	static const double steps[] = {1000, 1000, 1000};

	return units_scaled(text, hertz, names, 4, steps, false);
}

const char *units_real(char text[UNITS_TEXT], double number, int least)
{
	for (int digits = least; digits <= 17; digits++) {
		snprintf(text, UNITS_TEXT, "%.*g", digits, number);
		if (isinf(number) || strtod(text, NULL) == number)
			break;
	}
	return text;
}

const char *units_number(char text[UNITS_TEXT], double number)
{
	if (isnan(number))
		return strcpy(text, "NaN");
	return units_real(text, number == 0 ? 0.0 : number, 15);
}

/* ---- from text ---- */

static const struct {
	const char *name;
	int64_t factor;
} parsed_units[] = {
    {"ns", 1},       {"us", 1000},      {"\302\265s", 1000},
    {"ms", 1000000}, {"s", 1000000000}, {"min", 60000000000},
    {"", 1},
};

static int64_t unit_factor(const char *name)
{
	for (size_t i = 0; i < sizeof parsed_units / sizeof *parsed_units; i++)
		if (strcmp(parsed_units[i].name, name) == 0)
			return parsed_units[i].factor;
	return 0;
}

/* Digits after the point are exact: "0.3s" is 300000000. */
bool units_parse_time(const char *text, int64_t *ns)
{
	size_t digits = strspn(text, "0123456789"), decimals = 0;
	const char *after = text + digits, *unit;
	__int128 value = 0, fraction;
	int64_t factor;

	if (*after == '.')
		decimals = strspn(after + 1, "0123456789");
	if (digits + decimals == 0 || digits > 19)
		return false;
	unit = after + (*after == '.' ? 1 + decimals : 0);
	unit += strspn(unit, " ");
	factor = unit_factor(unit);
	if (factor == 0 || (!*unit && strpbrk(text, "123456789")))
		return false;
	for (size_t i = 0; i < digits; i++)
		value = 10 * value + (text[i] - '0');
	value *= factor;
	fraction = factor;
	for (size_t i = 0, scale = 1; i < decimals && i < 12; i++) {
		scale *= 10;
		value += fraction * (after[1 + i] - '0') / (__int128)scale;
	}
	*ns = (int64_t)value;
	return value <= INT64_MAX;
}

bool units_parse_signed_time(const char *text, int64_t *ns)
{
	bool negative = *text == '-';

	if (!units_parse_time(text + negative, ns))
		return false;
	*ns = negative ? -*ns : *ns;
	return true;
}

/* 1024 to the power that "KiB", "MiB", "GiB" or "TiB" stands for; 1000 without the "i". */
static bool size_factor(const char *unit, uint64_t *factor)
{
	static const char letters[] = "KMGT";
	const char *letter = *unit ? strchr(letters, toupper((unsigned char)*unit)) : NULL;
	uint64_t base = 1000;

	*factor = 1;
	if (!letter)
		return *unit == '\0' || strcasecmp(unit, "B") == 0;
	unit++;
	if (*unit == 'i' || *unit == '\0')
		base = 1024;
	unit += *unit == 'i';
	for (const char *l = letters; l <= letter; l++)
		*factor *= base;
	return *unit == '\0' || strcasecmp(unit, "B") == 0;
}

bool units_parse_bytes(const char *text, uint64_t *bytes)
{
	uint64_t number, factor;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	number = strtoull(text, &end, 10);
	while (*end == ' ')
		end++;
	return size_factor(end, &factor) && !__builtin_mul_overflow(number, factor, bytes);
}
