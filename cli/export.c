#include "base/output.h"
#include "cli/common/command.h"
#include "cli/common/intervals.h"
#include "cli/common/selection_options.h"
#include "formats/export_calls.h"
#include "formats/export_firefox.h"
#include "trace/log/graze.h"
#include "trace/write/graze_write.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is exported: the threads (NULL: all), of one format also these intervals. */
struct export_request {
	struct trace *trace;
	const bool *threads;
	const struct interval **intervals;
};

struct export_format {
	const char *name;
	void (*write)(FILE *out, const struct export_request *e); /* NULL: it is a directory */
	bool calls, intervals;          /* what it is of */
};

static const struct export_format *format;

static void calls_write(FILE *out, const struct export_request *e,
			void (*write)(FILE *out, const struct calls *c))
{
	struct call_part part = CALL_PART_ALL;
	struct calls *c;

	part.threads = e->threads;
	c = calls_of(e->trace, &part);
	write(out, c);
	calls_free(c);
}

static void folded_of(FILE *out, const struct export_request *e)
{
	calls_write(out, e, folded_write);
}

static void speedscope_of(FILE *out, const struct export_request *e)
{
	calls_write(out, e, speedscope_write);
}

static void pprof_of(FILE *out, const struct export_request *e)
{
	struct call_part part = CALL_PART_ALL;
	struct off_cpu waits;
	struct calls *c;

	off_cpu_make(&waits, e->trace);
	part.threads = e->threads;
	part.pauses = waits.threads;
	c = calls_of(e->trace, &part);
	if (!pprof_write(out, c, &waits))
		usage_fail("built without protobuf-c, which --format=pprof needs: apt install "
			   "libprotobuf-c-dev protobuf-c-compiler, then configure and make again");
	calls_free(c);
	off_cpu_free(&waits);
}

static void firefox_of(FILE *out, const struct export_request *e)
{
	firefox_write(out, e->trace, e->threads, e->intervals);
}

static const struct export_format formats[] = {
    {"graze", NULL, false, false},
    {"folded", folded_of, true, false},
    {"speedscope", speedscope_of, true, false},
    {"pprof", pprof_of, true, false},
    {"firefox", firefox_of, false, true},
};
enum { NFORMATS = sizeof formats / sizeof *formats };

static void take_format(const char *value)
{
	for (unsigned i = 0; i < NFORMATS; i++)
		if (strcmp(value, formats[i].name) == 0)
			format = &formats[i];
	if (!format || strcmp(format->name, value) != 0)
		usage_fail("unknown export format '%s'; there are graze, folded, speedscope, pprof, firefox", value);
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

/* ---- a file ---- */

static void make_failed(void *diag, const char *path)
{
	diag_error(diag, DIAG_NOWHERE, "cannot create %s: %s", path, strerror(errno));
}

static int file_write(struct request *r, const struct export_request *e)
{
	struct output *output;
	FILE *file;

	if (!r->output) {
		format->write(r->out, e);
		return EXIT_FINE;
	}
	output = output_begin(NULL, 0, make_failed, &r->diag);
	file = output_file(output, "%s", r->output);
	if (!file) {
		output_discard(output);
		return EXIT_ERROR;
	}
	format->write(file, e);
	return output_commit(output) ? EXIT_FINE : EXIT_ERROR;
}

static bool intervals_find(struct request *r, struct export_request *e)
{
	e->intervals = intervals_chosen(e->trace, &r->diag);
	return e->intervals != NULL;
}

static int file_export(struct request *r)
{
	struct export_request e = {.trace = request_open(r)};
	bool *threads = NULL;
	int status = EXIT_ERROR;

	if (e.trace && format->calls && !trace_has_calls(e.trace)) {
		diag_error(&r->diag, DIAG_NOWHERE, CALLS_MISSING);
	} else if (e.trace && selection_threads(e.trace, &threads, &r->diag) &&
		   (!format->intervals || intervals_find(r, &e))) {
		e.threads = threads;
		status = file_write(r, &e);
	}
	free(e.intervals);
	free(threads);
	trace_close(e.trace);
	return status;
}

static int export_run(struct request *r)
{
	if (!format)
		usage_fail("give --format=graze, folded, speedscope, pprof or firefox");
	return format->write ? file_export(r) : graze_export(r);
}

static const struct choice options[] = {
    {0, "format", "FORMAT",
     "graze: the original format, header 0x12345670, 4-byte attributes;\n"
     "folded, speedscope, pprof: what functions cost, by their paths;\n"
     "firefox: threads, samples, processor use and intervals, for profiler.firefox.com",
     take_format},
    {'o', "output", "PATH", "a new directory for logs; else a file [standard output]",
     request_take_output},
    THREAD_OPTION("samples, calls and markers of"),
    PROCESS_OPTION("samples, calls and markers of"),
    INTERVAL_OPTION,
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
	"flamegraph.pl, speedscope.app and pprof: CPU time by the path of functions. pprof also has\n"
	"the time in which threads did not run, with the labels thread, tid, state and wait.\n"
	"firefox: writes a profile for profiler.firefox.com: samples with what their threads ran\n"
	"since the sample before, and the instances of intervals as markers.\n",
    .examples = "  glimpse export run1 --format=graze -o run1.graze\n"
		"  glimpse events -s run1.graze/messages.spec run1.graze\n"
		"  glimpse export run2 --format=folded | flamegraph.pl > run2.svg\n"
		"  glimpse export run2 --format=firefox -o run2.json\n",
    .options = options,
    .run = export_run,
};
