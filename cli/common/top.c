#include "cli/common/top.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t wanted; /* 0: nothing was said */

void top_take(const char *value)
{
	char *end;

	wanted = strtoul(value, &end, 10);
	if (strcmp(value, "all") == 0)
		wanted = SIZE_MAX;
	else if (*end || !wanted || *value == '-')
		usage_unknown("--top", "number of rows", (const char *const[]){"a number", "all"},
			      2, value, strlen(value));
}

bool top_is_given(void)
{
	return wanted != 0;
}

static bool everything;

void long_take(const char *unused)
{
	(void)unused;
	everything = true;
}

bool long_is_wanted(void)
{
	return everything;
}

size_t top_rows(size_t n, size_t usual)
{
	size_t most = wanted ? wanted : usual;

	return n < most ? n : most;
}
