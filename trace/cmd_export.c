#include "trace/cmd.h"
#include "trace/graze.h"
#include "trace/graze_write.h"
#include "trace/interrupt.h"
#include "trace/unmake.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *format, *output;

static void take_format(const char *value)
{
	if (strcmp(value, "graze") != 0)
		usage_fail("there is no export format '%s'; it can be graze", value);
	format = value;
}

static void take_output(const char *value)
{
	output = value;
}

/* The original format has only ints: which attribute is not one. */
static bool spec_fits(const struct spec *spec, struct diag *diag)
{
	const struct attribute *attribute = NULL;
	const struct event_type *event = graze_misfit(spec, &attribute);

	if (event)
		diag_error(diag, attribute->where,
			   "the original format has only int attributes, and %s of %s is %s; "
			   "-s FILE can leave the event out",
			   attribute->name, event->name, type_name(attribute->type));
	return !event;
}

static bool output_free(struct diag *diag)
{
	if (access(output, F_OK) == 0) {
		diag_error(diag, DIAG_NOWHERE, "%s exists; give a new directory with -o", output);
		return false;
	}
	return true;
}

/* All or nothing: the directory gets its name when it is complete. */
static bool directory_write(const struct trace *t, struct diag *diag)
{
	size_t length = strlen(output);
	char *path;
	bool good = false;

	while (length > 1 && output[length - 1] == '/')
		length--;
	if (asprintf(&path, "%.*s.XXXXXX", (int)length, output) < 0)
		return false;
	interrupt_catch();
	if (!mkdtemp(path)) {
		diag_error(diag, DIAG_NOWHERE, "cannot make %s: %s", output, strerror(errno));
		free(path);
		return false;
	}
	good = graze_write(t, path, diag);
	if (good && rename(path, output) != 0) {
		diag_error(diag, DIAG_NOWHERE, "cannot make %s: %s", output, strerror(errno));
		good = false;
	}
	if (!good)
		directory_unmake(path);
	free(path);
	interrupt_end();
	return good;
}

static int run(struct request *r)
{
	struct trace *t;
	bool good;

	if (!format)
		usage_fail("--format=graze is wanted");
	if (!output)
		usage_fail("-o DIRECTORY is wanted");
	if (!output_free(&r->diag))
		return EXIT_ERROR;
	t = request_open(r);
	if (!t)
		return EXIT_ERROR;
	good = spec_fits(t->spec, &r->diag) && directory_write(t, &r->diag);
	trace_close(t);
	return good ? EXIT_FINE : EXIT_ERROR;
}

static const struct choice options[] = {
    {0, "format", "graze", "the original format: header 0x12345670, 4-byte attributes",
     take_format},
    {'o', "output", "DIRECTORY", "a new directory for the logs", take_output},
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
    .run = run,
};
