#include "cli/command.h"
#include "trace/log/graze.h"
#include "trace/write/graze_write.h"
#include <string.h>

static const char *format;

static void take_format(const char *value)
{
	if (strcmp(value, "graze") != 0)
		usage_fail("unknown export format '%s'; the only one is graze", value);
	format = value;
}

/* The original format has only ints: which attribute is not one. */
static bool spec_fits(const struct spec *spec, struct diag *diag)
{
	const struct attribute *attribute = NULL;
	const struct event_type *event = graze_misfit(spec, &attribute);

	if (event)
		diag_error(diag, attribute->where,
			   "the original format has only int attributes, and %s of %s is %s; a "
			   "specification without the event (-s FILE) leaves it out",
			   attribute->name, event->name, type_name(attribute->type));
	return !event;
}

static int graze_fill(void *trace, const char *path, struct diag *diag)
{
	return graze_write(trace, path, diag) ? EXIT_FINE : EXIT_ERROR;
}

static int export_run(struct request *r)
{
	int status = EXIT_ERROR;
	struct trace *t;

	if (!format)
		usage_fail("give --format=graze");
	if (!r->output)
		usage_fail("give an output directory with -o DIRECTORY");
	if (!request_output_is_free(r, "directory"))
		return EXIT_ERROR;
	t = request_open(r);
	if (!t)
		return EXIT_ERROR;
	if (spec_fits(t->spec, &r->diag))
		status = directory_make(r->output, graze_fill, t, &r->diag);
	trace_close(t);
	return status;
}

static const struct choice options[] = {
    {0, "format", "graze", "the original format: header 0x12345670, 4-byte attributes",
     take_format},
    {'o', "output", "DIRECTORY", "a new directory for the logs", request_take_output},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_export = {
    .name = "export",
    .summary = "the logs in another format",
    .teaches =
	"Writes the trace to a new directory in the original format of Graze: a log.N for each\n"
	"thread, and the specification. That format has only events whose attributes are all int.\n"
	"Times are those of CLOCK_MONOTONIC. Every tool reads it back with -s.\n",
    .examples = "  glimpse export run1 --format=graze -o run1.graze\n"
		"  glimpse events -s run1.graze/messages.spec run1.graze\n",
    .options = options,
    .run = export_run,
};
