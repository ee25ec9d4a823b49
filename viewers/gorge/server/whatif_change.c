#include "viewers/gorge/server/whatif_change.h"
#include "analysis/replay/changes/lock_plan.h"
#include "base/array.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORES = 1000000, SHOWN = 60 };

/* Splits WHAT=VALUE at the last sign of equality. Returns NULL, or what is wrong. */
static char *split(const char *name, const char *text, char what[LONGEST_WHAT], const char **value)
{
	const char *equals = strrchr(text, '=');
	size_t n = equals ? (size_t)(equals - text) : 0;

	if (n == 0)
		return text_format("%s: expected WHAT=VALUE, not '%.*s'", name, SHOWN, text);
	if (n >= LONGEST_WHAT)
		return text_format("%s: a name of %zu bytes is too long; at most %d", name, n,
				   LONGEST_WHAT - 1);
	memcpy(what, text, n);
	what[n] = '\0';
	*value = equals + 1;
	return NULL;
}

static char *speed_read(const char *text, struct whatif_change *c)
{
	const char *value;
	char *wrong = split("speed", text, c->faster, &value), *end;

	if (wrong)
		return wrong;
	c->has_speed = true;
	c->factor = strtod(value, &end);
	if (end != value && !*end && c->factor > 0)
		return NULL;
	return text_format("'%.*s' is not a factor; expected a number above 0, or inf (no time)",
			   SHOWN, value);
}

static char *lock_read(const char *text, struct whatif_change *c)
{
	static const char *const names[] = {"free", "fifo", "lifo", "none"};
	const char *value;
	char *wrong = split("lock", text, c->lock, &value);

	if (wrong)
		return wrong;
	c->has_lock = true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(value, names[i]) == 0) {
			c->discipline = (unsigned)i;
			return NULL;
		}
	return text_format("lock: unknown change '%.*s' (expected none, fifo, lifo or free)", SHOWN,
			   value);
}

static char *cores_read(const char *text, struct whatif_change *c)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (!*end && *text >= '0' && *text <= '9' && n >= 1 && n <= MOST_CORES) {
		c->cores = (unsigned)n;
		return NULL;
	}
	return text_format("'%.*s' is not a number of processors; write 1 to %d", SHOWN, text,
			   MOST_CORES);
}

char *whatif_change_read(const struct http_request *request, struct whatif_change *c)
{
	const char *all = http_value(request, "all"),
		   *speed = all ? all : http_value(request, "speed"),
		   *lock = http_value(request, "lock");
	const char *cores = http_value(request, "cores");
	char *wrong = NULL;

	*c = (struct whatif_change){.exact = http_value(request, "exact"),
				    .anyway = http_value(request, "anyway"),
				    .waits_too = all};
	if (!speed && !lock && !cores)
		return text_format("no change given: add speed, all, lock or cores");
	if (speed)
		wrong = speed_read(speed, c);
	if (!wrong && lock)
		wrong = lock_read(lock, c);
	if (!wrong && cores)
		wrong = cores_read(cores, c);
	return wrong;
}
