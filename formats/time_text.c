#include "formats/time_text.h"
#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <time.h>

enum { TEXT_MOST = 128, SECOND = 1000000000, QUARTER = 900, DAY = 86400 };
enum { ZONE_LOCAL = INT_MAX };

/* A moment by the calendar. */
struct civil {
	int64_t year;
	int month, day, hour, minute, second; /* month: 1 to 12 */
	int64_t nanoseconds;
	int zone; /* seconds east of Greenwich, or ZONE_LOCAL */
};

struct time_reader time_reader_make(const struct from *from, int64_t latest)
{
	struct time_reader r = {.latest = latest, .quarter = INT64_MIN};

	if (from) {
		r.format = from->time;
		r.pattern = from->time_text;
	}
	return r;
}

/* ---- the calendar ---- */

/* Returns the days from 1970 to a day of the Gregorian calendar. */
static int64_t days_of(int64_t year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year, era = (y >= 0 ? y : y - 399) / 400;
	int64_t in_era = y - era * 400;
	int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

/* Returns by how much local time is ahead of UTC. */
static int64_t local_ahead(struct time_reader *r, const struct civil *m, int64_t seconds)
{
	if (r->quarter != seconds / QUARTER) {
		struct tm tm = {.tm_year = (int)(m->year - 1900),
				.tm_mon = m->month - 1,
				.tm_mday = m->day,
				.tm_hour = m->hour,
				.tm_min = m->minute,
				.tm_sec = m->second,
				.tm_isdst = -1};

		r->ahead = seconds - (int64_t)mktime(&tm);
		r->quarter = seconds / QUARTER;
	}
	return r->ahead;
}

static bool civil_read(struct time_reader *r, const struct civil *m, int64_t *ns)
{
	int64_t seconds;

	if (m->month < 1 || m->month > 12 || m->day < 1 || m->day > 31 || m->hour > 24 ||
	    m->minute > 59 || m->second > 60 || m->year < 1970 || m->year > 2261)
		return false;
	seconds =
	    days_of(m->year, m->month, m->day) * DAY + m->hour * 3600 + m->minute * 60 + m->second;
	seconds -= m->zone == ZONE_LOCAL ? local_ahead(r, m, seconds) : m->zone;
	*ns = seconds * SECOND + m->nanoseconds;
	return true;
}

/* ---- parts ---- */

/* Each takes a part from *at and moves it on, or returns false. */

static bool digits(const char **at, int least, int most, int *number)
{
	int n = 0;

	for (*number = 0; n < most && isdigit((unsigned char)**at); n++)
		*number = 10 * *number + (*(*at)++ - '0');
	return n >= least;
}

static bool one_of(const char **at, const char *set)
{
	return **at && strchr(set, **at) ? (++*at, true) : false;
}

/* A fraction of a second with up to nine digits that count. */
static int64_t fraction(const char **at)
{
	int64_t ns = 0, unit = SECOND / 10;

	for (; isdigit((unsigned char)**at); unit /= 10)
		ns += (*(*at)++ - '0') * unit;
	return ns;
}

static bool month_named(const char **at, int *month)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	for (int i = 0; i < 12; i++)
		if (strncmp(*at, names + 3 * i, 3) == 0) {
			*month = i + 1;
			*at += 3;
			return true;
		}
	return false;
}

static bool clock_taken(const char **at, struct civil *m)
{
	return digits(at, 2, 2, &m->hour) && one_of(at, ":") && digits(at, 2, 2, &m->minute) &&
	       (!one_of(at, ":") || digits(at, 2, 2, &m->second));
}

/* Z, +HH, +HHMM or +HH:MM; with nothing it is local time. */
static bool zone_taken(const char **at, struct civil *m)
{
	int sign, hours, minutes = 0;

	m->zone = ZONE_LOCAL;
	if (one_of(at, "Zz")) {
		m->zone = 0;
		return true;
	}
	if (strcmp(*at, "UTC") == 0 || strcmp(*at, "GMT") == 0) {
		m->zone = 0;
		*at += 3;
		return true;
	}
	if (**at != '+' && **at != '-')
		return true;
	sign = *(*at)++ == '-' ? -1 : 1;
	if (!digits(at, 2, 2, &hours))
		return false;
	one_of(at, ":");
	if (isdigit((unsigned char)**at) && !digits(at, 2, 2, &minutes))
		return false;
	m->zone = sign * (hours * 3600 + minutes * 60);
	return true;
}

/* ---- formats ---- */

static bool iso_read(struct time_reader *r, const char *at, int64_t *ns)
{
	struct civil m = {0};
	int year;

	if (!digits(&at, 4, 4, &year) || !one_of(&at, "-/") || !digits(&at, 2, 2, &m.month) ||
	    !one_of(&at, "-/") || !digits(&at, 2, 2, &m.day) || !one_of(&at, "Tt ") ||
	    !clock_taken(&at, &m))
		return false;
	m.year = year;
	if (one_of(&at, ".,"))
		m.nanoseconds = fraction(&at);
	at += *at == ' ';
	return zone_taken(&at, &m) && !*at && civil_read(r, &m, ns);
}

/* The Common Log Format of web servers: 26/Nov/2026:14:41:04 +0000. */
static bool clf_read(struct time_reader *r, const char *at, int64_t *ns)
{
	struct civil m = {0};
	int year;

	at += *at == '[';
	if (!digits(&at, 1, 2, &m.day) || !one_of(&at, "/") || !month_named(&at, &m.month) ||
	    !one_of(&at, "/") || !digits(&at, 4, 4, &year) || !one_of(&at, ":") ||
	    !clock_taken(&at, &m))
		return false;
	m.year = year;
	if (one_of(&at, ".,"))
		m.nanoseconds = fraction(&at);
	at += *at == ' ';
	if (!zone_taken(&at, &m))
		return false;
	at += *at == ']';
	return !*at && civil_read(r, &m, ns);
}

/* Nov 26 14:41:04, of the last year in which it is not too late. */
static bool syslog_read(struct time_reader *r, const char *at, int64_t *ns)
{
	struct civil m = {.zone = ZONE_LOCAL};

	if (!month_named(&at, &m.month) || !one_of(&at, " "))
		return false;
	at += *at == ' ';
	if (!digits(&at, 1, 2, &m.day) || !one_of(&at, " ") || !clock_taken(&at, &m))
		return false;
	if (one_of(&at, ".,"))
		m.nanoseconds = fraction(&at);
	m.year = 1971 + r->latest / (365 * DAY + DAY / 4);
	if (*at || !civil_read(r, &m, ns))
		return false;
	while (*ns / SECOND > r->latest + DAY && --m.year >= 1970)
		if (!civil_read(r, &m, ns))
			return false;
	return true;
}

/* Reads a number of units, perhaps with a fraction. */
static bool epoch_read(const char *at, int64_t unit, int64_t *ns)
{
	uint64_t whole = 0;
	int64_t part = 0;

	if (!isdigit((unsigned char)*at))
		return false;
	for (; isdigit((unsigned char)*at); at++) {
		whole = 10 * whole + (uint64_t)(*at - '0');
		if (whole > INT64_MAX / (uint64_t)unit)
			return false;
	}
	if (one_of(&at, "."))
		part = fraction(&at) / (SECOND / unit);
	if (*at)
		return false;
	*ns = (int64_t)whole * unit;
	return !__builtin_add_overflow(*ns, part, ns);
}

/* A pattern of strptime, which has no fractions: those are read at each %f. */
static bool strptime_read(struct time_reader *r, const char *at, int64_t *ns)
{
	struct tm tm = {.tm_gmtoff = ZONE_LOCAL, .tm_year = 70, .tm_mday = 1};
	const char *pattern = r->pattern, *f;
	struct civil m;
	int64_t part = 0;

	while (at && (f = strstr(pattern, "%f"))) {
		char before[TEXT_MOST];
		size_t n = (size_t)(f - pattern);

		if (n >= sizeof before)
			return false;
		memcpy(before, pattern, n);
		before[n] = '\0';
		at = strptime(at, before, &tm);
		if (!at || !isdigit((unsigned char)*at))
			return false;
		part = fraction(&at);
		pattern = f + 2;
	}
	at = at ? strptime(at, pattern, &tm) : NULL;
	m = (struct civil){tm.tm_year + 1900L, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
			   tm.tm_min,          tm.tm_sec,     part,       (int)tm.tm_gmtoff};
	return at && !*at && civil_read(r, &m, ns);
}

/* Returns the unit in which a number is a time of these decades: 1e9 seconds are the year 2001. */
static int64_t unit_of(const char *text)
{
	size_t n = strspn(text, "0123456789");

	return n > 17 ? 1 : n > 14 ? 1000 : n > 11 ? 1000000 : SECOND;
}

static bool any_read(struct time_reader *r, const char *text, int64_t *ns)
{
	return iso_read(r, text, ns) || epoch_read(text, unit_of(text), ns) ||
	       clf_read(r, text, ns) || syslog_read(r, text, ns);
}

bool time_text_read(struct time_reader *r, const char *text, size_t length, int64_t *ns)
{
	char copy[TEXT_MOST];

	if (length >= sizeof copy || memchr(text, '\0', length))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	switch (r->format) {
	case TIME_ISO8601:
		return iso_read(r, copy, ns);
	case TIME_CLF:
		return clf_read(r, copy, ns);
	case TIME_SYSLOG:
		return syslog_read(r, copy, ns);
	case TIME_EPOCH:
		return epoch_read(copy, SECOND, ns);
	case TIME_EPOCH_MS:
		return epoch_read(copy, 1000000, ns);
	case TIME_EPOCH_US:
		return epoch_read(copy, 1000, ns);
	case TIME_EPOCH_NS:
		return epoch_read(copy, 1, ns);
	case TIME_STRPTIME:
		return strptime_read(r, copy, ns);
	default:
		return any_read(r, copy, ns);
	}
}
