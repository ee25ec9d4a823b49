#include "viewers/nibble/expr/dimension.h"
#include "base/units.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

struct dimension dimension_of_unit(enum unit u)
{
	return (struct dimension){.time = u == UNIT_TIME, .bytes = u == UNIT_BYTES};
}

bool dimension_equal(struct dimension a, struct dimension b)
{
	return a.time == b.time && a.bytes == b.bytes && a.events == b.events;
}

bool dimension_adds(struct dimension a, struct dimension b)
{
	return a.time == b.time && a.bytes == b.bytes &&
	       (a.events == b.events || a.events == 0 || b.events == 0);
}

struct dimension dimension_sum(struct dimension a, struct dimension b)
{
	return a.events != 0 ? a : b;
}

struct dimension dimension_product(struct dimension a, struct dimension b)
{
	return (struct dimension){a.time + b.time, a.bytes + b.bytes, a.events + b.events};
}

struct dimension dimension_quotient(struct dimension a, struct dimension b)
{
	return (struct dimension){a.time - b.time, a.bytes - b.bytes, a.events - b.events};
}

/* Appends "name" or "name^power", if the power is positive. */
static void append_power(char *buffer, size_t size, const char *joint, const char *name, int power)
{
	size_t used = strlen(buffer);

	if (power <= 0)
		return;
	if (power == 1)
		snprintf(buffer + used, size - used, "%s%s", used > 0 ? joint : "", name);
	else
		snprintf(buffer + used, size - used, "%s%s^%d", used > 0 ? joint : "", name, power);
}

static void append_all(char *buffer, size_t size, struct dimension d, const char *joint,
		       const char *time, const char *bytes)
{
	append_power(buffer, size, joint, "events", d.events);
	append_power(buffer, size, joint, bytes, d.bytes);
	append_power(buffer, size, joint, time, d.time);
}

/* "events/s": the positive powers over the negative ones. */
static void write_fraction(char *buffer, size_t size, struct dimension d, const char *time,
			   const char *bytes)
{
	struct dimension below = {-d.time, -d.bytes, -d.events};
	char under[64] = "";
	size_t used;

	buffer[0] = '\0';
	append_all(buffer, size, d, " ", time, bytes);
	append_all(under, sizeof under, below, " ", time, bytes);
	if (under[0] == '\0')
		return;
	used = strlen(buffer);
	snprintf(buffer + used, size - used, "%s/%s", used == 0 ? "1" : "", under);
}

const char *dimension_words(struct dimension d, char *buffer, size_t size)
{
	if (dimension_equal(d, DIMENSION_NONE))
		return "a plain number";
	if (dimension_equal(d, DIMENSION_TIME))
		return "a time";
	if (dimension_equal(d, DIMENSION_EVENTS))
		return "a number of events";
	if (dimension_equal(d, (struct dimension){.bytes = 1}))
		return "a number of bytes";
	write_fraction(buffer, size, d, "time", "bytes");
	return buffer;
}

static struct display_unit time_scale(double greatest)
{
	const struct time_unit *unit = units_time_unit(greatest);
	struct display_unit s = {.divisor = unit->ns};

	snprintf(s.name, sizeof s.name, "%s", unit->name);
	return s;
}

/* Numbers of many digits are counted in thousands, millions, ... */
static struct display_unit count_scale(double greatest, double base)
{
	static const char *const units[] = {"", "thousands", "millions", "billions"};
	struct display_unit s = {1, ""};
	unsigned i = 0;

	while (i < 3 && greatest / base >= 10 * 1000 * s.divisor) {
		s.divisor *= 1000;
		i++;
	}
	s.divisor *= base;
	snprintf(s.name, sizeof s.name, "%s", units[i]);
	return s;
}

static struct display_unit bytes_scale(double greatest)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	struct display_unit s = {1, ""};
	unsigned i = 0;

	while (i < 4 && greatest >= 1024 * s.divisor) {
		s.divisor *= 1024;
		i++;
	}
	snprintf(s.name, sizeof s.name, "%s", units[i]);
	return s;
}

/* Of plain numbers, or bytes, by time. */
static struct display_unit rate_scale(struct dimension d, double greatest)
{
	struct display_unit s =
	    d.bytes ? bytes_scale(greatest * 1e9) : count_scale(greatest * 1e9, 1);
	char unit[sizeof s.name];

	snprintf(unit, sizeof unit, "%.20s", *s.name ? s.name : "1");
	snprintf(s.name, sizeof s.name, "%.20s/s", unit);
	s.divisor *= 1e-9;
	return s;
}

struct display_unit dimension_unit_for(struct dimension d, double greatest)
{
	struct display_unit s;

	if (dimension_equal(d, DIMENSION_TIME))
		return time_scale(greatest);
	if (dimension_equal(d, (struct dimension){.bytes = 1}))
		return bytes_scale(greatest);
	if (dimension_equal(d, DIMENSION_NONE) || dimension_equal(d, DIMENSION_EVENTS))
		return count_scale(greatest, 1);
	if (dimension_equal(d, DIMENSION_RATE))
		return count_scale(greatest, 1e-9);
	if (d.time == -1 && d.events == 0 && (d.bytes == 0 || d.bytes == 1))
		return rate_scale(d, greatest);
	/* Anything else is shown per second: no prefix fits a mixed unit without arithmetic. */
	s.divisor = pow(1e9, d.time);
	write_fraction(s.name, sizeof s.name, d, "s", "bytes");
	return s;
}

const char *dimension_label(struct dimension d)
{
	if (dimension_equal(d, DIMENSION_TIME))
		return "time";
	if (dimension_equal(d, DIMENSION_EVENTS))
		return "events";
	if (dimension_equal(d, DIMENSION_RATE))
		return "events/s";
	if (dimension_equal(d, (struct dimension){.bytes = 1}))
		return "size";
	return "";
}
