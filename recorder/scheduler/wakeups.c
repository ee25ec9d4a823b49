#include "recorder/scheduler/wakeups.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IN_INTERRUPT 0x18 /* in common_flags: of hardware, or delayed */

static unsigned flags_offset, woken_offset;

/* Opens a file of the event wherever tracefs is mounted. */
static FILE *event_file(const char *name)
{
	static const char *const places[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
	char path[128];
	FILE *f = NULL;

	for (size_t i = 0; !f && i < sizeof places / sizeof *places; i++) {
		snprintf(path, sizeof path, "%s/events/sched/sched_waking/%s", places[i], name);
		f = fopen(path, "re");
	}
	return f;
}

/* Finds where the two fields are; returns false if one is missing. */
static bool fields_find(void)
{
	FILE *f = event_file("format");
	char line[256];
	bool flags = false, woken = false;

	while (f && fgets(line, sizeof line, f)) {
		const char *offset = strstr(line, "offset:");

		if (!offset)
			continue;
		if (strstr(line, " common_flags;")) {
			flags_offset = (unsigned)strtoul(offset + 7, NULL, 10);
			flags = true;
		} else if (strstr(line, " pid;")) {
			woken_offset = (unsigned)strtoul(offset + 7, NULL, 10);
			woken = true;
		}
	}
	if (f)
		fclose(f);
	return flags && woken;
}

uint64_t wakeup_event_id(void)
{
	FILE *f = event_file("id");
	unsigned long id = 0;

	if (f) {
		if (fscanf(f, "%lu", &id) != 1)
			id = 0;
		fclose(f);
	}
	return id && fields_find() ? id : 0;
}

bool wakeup_read(const unsigned char *fields, uint32_t size, uint32_t *woken, uint32_t *by_thread)
{
	if (flags_offset >= size || woken_offset + 4 > size)
		return false;
	memcpy(woken, fields + woken_offset, 4);
	*by_thread = !(fields[flags_offset] & IN_INTERRUPT);
	return true;
}
