#include "base/quantity.h"
#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *name;
	int64_t factor;
} units[] = {
    {"ns", 1},	     {"us", 1000},	{"\302\265s", 1000},
    {"ms", 1000000}, {"s", 1000000000}, {"min", 60000000000},
    {"", 1},
};

static int64_t unit_factor(const char *name)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].name, name) == 0)
			return units[i].factor;
	return 0;
}

/*
 * Digits behind the point are exact: "0.3s" is 300000000. What is less than a nanosecond is
 * dropped.
 */
bool quantity_parse_time(const char *text, int64_t *ns)
{
	size_t digits = strspn(text, "0123456789"), decimals = 0;
	const char *behind = text + digits;
	__int128 value = 0, fraction;
	int64_t factor;

	if (*behind == '.')
		decimals = strspn(behind + 1, "0123456789");
	if (digits + decimals == 0 || digits > 19)
		return false;
	factor = unit_factor(behind + (*behind == '.' ? 1 + decimals : 0) +
			     strspn(behind + (*behind == '.' ? 1 + decimals : 0), " "));
	if (factor == 0)
		return false;
	for (size_t i = 0; i < digits; i++)
		value = 10 * value + (text[i] - '0');
	value *= factor;
	fraction = factor;
	for (size_t i = 0, scale = 1; i < decimals && i < 12; i++) {
		scale *= 10;
		value += fraction * (behind[1 + i] - '0') / (__int128)scale;
	}
	*ns = (int64_t)value;
	return value <= INT64_MAX;
}

/* Three significant digits and a unit; each unit is 'step' times the one before. */
static const char *scaled(char *buffer, double value, const char *const *names, size_t n,
			  const double *steps)
{
	size_t i = 0;
	double size = value < 0 ? -value : value;

	while (i + 1 < n && size >= steps[i] * 0.9995) {
		value /= steps[i];
		size /= steps[i++];
	}
	snprintf(buffer, QUANTITY_TEXT, "%.*f %s",
		 i == 0 && value == (double)(int64_t)value ? 0
		 : size < 9.995				   ? 2
		 : size < 99.95				   ? 1
							   : 0,
		 value, names[i]);
	return buffer;
}

const char *quantity_time(char buffer[QUANTITY_TEXT], double ns)
{
	static const char *const names[] = {"ns", "us", "ms", "s", "min", "h"};
	static const double steps[] = {1000, 1000, 1000, 60, 60};

	return scaled(buffer, ns, names, 6, steps);
}

const char *quantity_count(char buffer[QUANTITY_TEXT], uint64_t count)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%" PRIu64, count), to = 0;

	for (int i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			buffer[to++] = ',';
		buffer[to++] = digits[i];
	}
	buffer[to] = '\0';
	return buffer;
}

const char *quantity_bytes(char buffer[QUANTITY_TEXT], uint64_t bytes)
{
	static const char *const names[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
	static const double steps[] = {1024, 1024, 1024, 1024, 1024};

	if (bytes == 1)
		return strcpy(buffer, "1 byte");
	return scaled(buffer, (double)bytes, names, 6, steps);
}

const char *quantity_frequency(char buffer[QUANTITY_TEXT], double hertz)
{
	static const char *const names[] = {"Hz", "kHz", "MHz", "GHz"};
	static const double steps[] = {1000, 1000, 1000};

	return scaled(buffer, hertz, names, 4, steps);
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

bool quantity_parse_bytes(const char *text, uint64_t *bytes)
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
