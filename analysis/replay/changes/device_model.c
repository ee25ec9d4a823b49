#include "analysis/replay/changes/device_model.h"
#include "base/units.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 128 };

int64_t device_time(const struct device_model *d, uint64_t bytes)
{
	double time = (double)bytes / d->bandwidth * 1e9;

	return d->latency + (time < 0x1p62 ? (int64_t)(time + 0.5) : INT64_MAX / 2);
}

/* Returns what comes after a comma, which is taken out, or NULL. */
static char *part_after(char *text)
{
	char *comma = strchr(text, ',');

	if (comma)
		*comma++ = 0;
	return comma;
}

static bool bandwidth_parse(char *text, double *bandwidth)
{
	static const char end[] = "/s";
	size_t n = strlen(text), length = sizeof end - 1;
	uint64_t bytes;

	if (n <= length || strcmp(text + n - length, end) != 0)
		return false;
	text[n - length] = 0;
	if (!units_parse_bytes(text, &bytes) || !bytes)
		return false;
	*bandwidth = (double)bytes;
	return true;
}

bool device_parse(const char *text, struct device_model *d)
{
	char copy[MOST_TEXT], *latency, *all;

	*d = (struct device_model){0};
	if (strlen(text) >= sizeof copy)
		return false;
	strcpy(copy, text);
	latency = part_after(copy);
	all = latency ? part_after(latency) : NULL;
	if (all && strcmp(all, "all") != 0)
		return false;
	d->all = all;
	return bandwidth_parse(copy, &d->bandwidth) &&
	       (!latency || (units_parse_time(latency, &d->latency) && d->latency >= 0));
}
