#include "cli/live/copy.h"
#include "base/array.h"
#include "base/monotonic.h"
#include "cli/live/switches.h"
#include "recorder/merge/adopt.h"
#include "recorder/run_directory.h"
#include "trace/symbols/start_names.h"
#include "trace/write/snapshot.h"
#include <stdlib.h>

/* The process whose logs are right in the directory; 0: there is none. */
static uint32_t root_of(const char *directory)
{
	struct diag quiet = {.program = "glimpse why"};
	struct process_switches s;
	uint32_t pid = switches_open(&s, directory, false, &quiet) ? (uint32_t)s.pid : 0;

	switches_close(&s);
	return pid;
}

struct live_copy live_copy_open(const char *directory, bool states)
{
	const char *folder = getenv("TMPDIR");
	struct diag quiet = {.program = "glimpse why"};
	struct live_copy c = {
	    text_format("%s/glimpse-why-XXXXXX", folder && *folder ? folder : "/tmp"), NULL};
	int64_t from = monotonic_now();

	if (!mkdtemp(c.path)) {
		free(c.path);
		c.path = NULL;
		return c;
	}
	if (!snapshot_write(directory, c.path, &quiet))
		return c;
	if (states)
		logs_adopt(c.path, root_of(directory), NULL, &quiet);
	c.trace = start_names_add(trace_open((const char *const[]){c.path}, 1, NULL, &quiet));
	if (c.trace)
		c.trace->read_from = from;
	return c;
}

void live_copy_close(struct live_copy *c)
{
	if (c->trace)
		trace_close(c->trace);
	if (c->path)
		run_directory_drop(&(struct run_directory){.path = c->path});
	free(c->path);
	*c = (struct live_copy){0};
}
