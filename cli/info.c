#include "cli/command.h"
#include "cli/info.h"

static int run(struct request *r)
{
	struct trace *t = request_open(r);

	if (!t)
		return EXIT_ERROR;
	if (r->format == FORMAT_JSON)
		info_json(r->out, t);
	else
		info_text(r->out, t);
	trace_close(t);
	return EXIT_FINE;
}

const struct command cmd_info = {
    .name = "info",
    .summary = "threads, events of each type, time span, losses, clock, overhead",
    .teaches =
	"Shows what is in a trace: the programs, their threads, how many events of each type,\n"
	"when they happened, what was lost, and what logging cost.\n",
    .examples = "  glimpse info run1\n"
		"  glimpse info --format=json run1 | jq '.threads[].name'\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_JSON),
    .run = run,
};
