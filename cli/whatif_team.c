#include "cli/whatif_team.h"
#include "base/array.h"
#include "base/usage.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 100000 };

static VECTOR(struct crew_change) crews;
static VECTOR(struct loop_change) loops;

/* Returns what comes before the last '=', and sets *value to what is after it. */
static char *part(const char *option, const char *what, const char *text, const char **value)
{
	const char *equals = strrchr(text, '=');

	if (!equals || equals == text || !equals[1])
		usage_fail("--%s: '%s' is not %s", option, text, what);
	*value = equals + 1;
	return text_format("%.*s", (int)(equals - text), text);
}

void team_take_threads(const char *text)
{
	const char *value;
	char *what = part("threads", "GROUP=N", text, &value), *end;
	unsigned long n = strtoul(value, &end, 10);

	if (*end || *value == '-' || n < 1 || n > MOST_MEMBERS)
		usage_fail("--threads %s: invalid number of threads '%s' (expected 1 to %d)", what,
			   value, MOST_MEMBERS);
	*vector_add(&crews) = (struct crew_change){what, (uint32_t)n};
}

void team_take_schedule(const char *text)
{
	const char *value;
	struct loop_change c = {0};

	c.what = part("schedule", "LOOP=SCHEDULE", text, &value);
	if (!schedule_parse(value, &c.schedule))
		usage_fail(
		    "--schedule %s: invalid schedule '%s' (expected static, dynamic or guided, with an "
		    "optional ,CHUNK)",
		    c.what, value);
	*vector_add(&loops) = c;
}

void team_test(bool written, bool swept)
{
	if ((written || swept) && (crews.n || loops.n))
		usage_fail("%s cannot be combined with --threads and --schedule%s",
			   written ? "-o" : "--sweep",
			   written ? ": the recorded events belong to other threads" : "");
}

struct team_changes team_asked(void)
{
	return (struct team_changes){crews.at, (unsigned)crews.n, loops.at, (unsigned)loops.n};
}
