#include "recorder/trace_events.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Opens a file of the event wherever tracefs is mounted. */
static FILE *event_file(const char *event, const char *name)
{
	static const char *const places[] = {TRACEFS, "/sys/kernel/debug/tracing"};
	char path[160];
	FILE *f = NULL;

	for (size_t i = 0; !f && i < sizeof places / sizeof *places; i++) {
		snprintf(path, sizeof path, "%s/events/%s/%s", places[i], event, name);
		f = fopen(path, "re");
	}
	return f;
}

uint64_t trace_event_id(const char *event)
{
	FILE *f = event_file(event, "id");
	unsigned long id = 0;

	if (f) {
		if (fscanf(f, "%lu", &id) != 1)
			id = 0;
		fclose(f);
	}
	return id;
}

bool trace_event_field(const char *event, const char *field, unsigned *offset)
{
	FILE *f = event_file(event, "format");
	char line[256], name[64];
	bool found = false;

	snprintf(name, sizeof name, " %s;", field);
	while (f && !found && fgets(line, sizeof line, f)) {
		const char *at = strstr(line, "offset:");

		found = at && strstr(line, name);
		if (found)
			*offset = (unsigned)strtoul(at + strlen("offset:"), NULL, 10);
	}
	if (f)
		fclose(f);
	return found;
}

const char *trace_events_remedy(void)
{
	return geteuid() ? "record as root, with tracefs in " TRACEFS
			 : "mount -t tracefs none " TRACEFS;
}
