#include "base/output.h"
#include "cli/common/command.h"
#include "cli/common/selection_options.h"
#include "formats/export_calls.h"
#include "trace/log/graze.h"
#include "trace/write/graze_write.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What glimpse writes; calls: of the calls of functions, to a file. */
struct export_format {
	const char *name;
	void (*write)(FILE *out, const struct calls *c);
};

static const struct export_format *format;

static void pprof_or_not(FILE *out, const struct calls *c)
{
	if (!pprof_write(out, c))
		usage_fail("built without protobuf-c, which --format=pprof needs: apt install "
			   "libprotobuf-c-dev protobuf-c-compiler, then configure and make again");
}

static const struct export_format formats[] = {
    {"graze", NULL},
    {"folded", folded_write},
    {"speedscope", speedscope_write},
    {"pprof", pprof_or_not},
};
enum { NFORMATS = sizeof formats / sizeof *formats };

static void take_format(const char *value)
{
	for (unsigned i = 0; i < NFORMATS; i++)
		if (strcmp(value, formats[i].name) == 0)
			format = &formats[i];
	if (!format || strcmp(format->name, value) != 0)
		usage_fail("unknown export format '%s'; there are graze, folded, speedscope, pprof", value);
}

/* ---- graze ---- */

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

static int graze_export(struct request *r)
{
	int status = EXIT_ERROR;
	struct trace *t;

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

/* ---- calls ---- */

static void make_failed(void *diag, const char *path)
{
	diag_error(diag, DIAG_NOWHERE, "cannot create %s: %s", path, strerror(errno));
}

static int calls_write(struct request *r, const struct calls *c)
{
	struct output *output;
	FILE *file;

	if (!r->output) {
		format->write(r->out, c);
		return EXIT_FINE;
	}
	output = output_begin(NULL, 0, make_failed, &r->diag);
	file = output_file(output, "%s", r->output);
	if (!file) {
		output_discard(output);
		return EXIT_ERROR;
	}
	format->write(file, c);
	return output_commit(output) ? EXIT_FINE : EXIT_ERROR;
}

static int calls_export(struct request *r)
{
	struct call_part part = CALL_PART_ALL;
	int status = EXIT_ERROR;
	struct trace *t = request_open(r);
	bool *threads = NULL;
	struct calls *c;

	if (t && !trace_has_calls(t)) {
		diag_error(&r->diag, DIAG_NOWHERE, CALLS_MISSING);
	} else if (t && selection_threads(t, &threads, &r->diag)) {
		part.threads = threads;
		c = calls_of(t, &part);
		status = calls_write(r, c);
		calls_free(c);
	}
	free(threads);
	trace_close(t);
	return status;
}

static int export_run(struct request *r)
{
	if (!format)
		usage_fail("give --format=graze, folded, speedscope or pprof");
	return format->write ? calls_export(r) : graze_export(r);
}

static const struct choice options[] = {
    {0, "format", "FORMAT",
     "graze: the original format, header 0x12345670, 4-byte attributes;\n"
     "folded, speedscope, pprof: what functions cost, by their paths",
     take_format},
    {'o', "output", "PATH", "a new directory for logs; a file for what functions cost",
     request_take_output},
    THREAD_OPTION("calls in"),
    PROCESS_OPTION("calls in"),
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_export = {
    .name = "export",
    .summary = "the logs in another format",
    .teaches =
	"graze: writes the trace to a new directory in the original format of Graze: a log.N for\n"
	"each thread, and the specification. That format has only events whose attributes are all\n"
	"int. Times are those of CLOCK_MONOTONIC. Every tool reads it back with -s.\n"
	"folded, speedscope and pprof: writes what functions cost (see glimpse profile) for\n"
	"flamegraph.pl, speedscope.app and pprof: CPU time by the path of functions.\n",
    .examples = "  glimpse export run1 --format=graze -o run1.graze\n"
		"  glimpse events -s run1.graze/messages.spec run1.graze\n"
		"  glimpse export run2 --format=folded | flamegraph.pl > run2.svg\n",
    .options = options,
    .run = export_run,
};
