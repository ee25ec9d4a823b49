#include "cli/part.h"
#include "base/array.h"
#include "base/units.h"
#include <inttypes.h>
#include <string.h>

static struct {
	VECTOR(const char *) threads;
	int64_t from, to;
} wanted = {.from = INT64_MIN, .to = INT64_MAX};

void part_take_thread(const char *value)
{
	*vector_add(&wanted.threads) = value;
}

void part_take_from(const char *value)
{
	if (!units_parse_time(value, &wanted.from))
		usage_fail("--from: '%s' is not a time such as 1500, 10ms or 2.5s", value);
}

void part_take_to(const char *value)
{
	if (!units_parse_time(value, &wanted.to))
		usage_fail("--to: '%s' is not a time such as 1500, 10ms or 2.5s", value);
}

void part_times(int64_t *from, int64_t *to)
{
	if (wanted.from > wanted.to)
		usage_fail("--from must not be later than --to");
	*from = wanted.from;
	*to = wanted.to;
}

/* By number, or all threads of that name. */
static bool thread_select(const struct trace *t, const char *name, bool *selected)
{
	char number[16];
	bool found = false;

	for (unsigned i = 0; i < t->nthreads; i++) {
		snprintf(number, sizeof number, "%" PRIu32, t->threads[i].number);
		if (strcmp(number, name) && strcmp(t->threads[i].name, name))
			continue;
		selected[i] = found = true;
	}
	return found;
}

bool part_threads(const struct trace *t, bool **threads, struct diag *diag)
{
	bool good = true;

	*threads = wanted.threads.n ? array_zero(t->nthreads, sizeof **threads) : NULL;
	for (size_t i = 0; i < wanted.threads.n; i++) {
		if (thread_select(t, wanted.threads.at[i], *threads))
			continue;
		diag_error(diag, DIAG_NOWHERE,
			   "no thread has the number or name '%s'; glimpse info lists them",
			   wanted.threads.at[i]);
		good = false;
	}
	return good;
}
