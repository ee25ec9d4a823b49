#include "formats/export.h"
#include "analysis/calls/calls.h"
#include "base/output.h"
#include "cli/common/command.h"
#include "cli/common/intervals.h"
#include "cli/common/selection_options.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct export_format *format;
static int64_t slice;

__attribute__((noreturn)) static void formats_list(void)
{
	for (const struct export_format *const *f = export_formats; *f; f++)
		printf("%-10s  %s\n", (*f)->name, (*f)->summary);
	usage_end();
}

static void take_format(const char *value)
{
	if (strcmp(value, "list") == 0)
		formats_list();
	for (const struct export_format *const *f = export_formats; *f; f++)
		if (strcmp(value, (*f)->name) == 0) {
			format = *f;
			return;
		}
	usage_fail("--format: unknown format '%s'; --format=list lists the formats", value);
}

static void take_slice(const char *value)
{
	slice = usage_time("--slice", value);
	if (slice <= 0)
		usage_fail("--slice: '%s' is not above 0", value);
}

/* ---- a directory ---- */

static int directory_fill_by(void *request, const char *path, struct diag *diag)
{
	(void)diag;
	return format->fill(path, request) ? EXIT_FINE : EXIT_ERROR;
}

/* ---- a file ---- */

static void make_failed(void *diag, const char *path)
{
	diag_error(diag, DIAG_NOWHERE, "cannot create %s: %s", path, strerror(errno));
}

static bool file_save(struct command_request *r, const struct output *output, const FILE *file,
		      const struct export_request *e)
{
	const char *path = output_file_name(output, file);

	if (!path)
		diag_error(&r->diag, DIAG_NOWHERE,
			   "cannot write %s: --format=%s needs a regular file", r->output,
			   format->name);
	return path && format->save(path, e);
}

static int file_write(struct command_request *r, const struct export_request *e)
{
	struct output *output;
	FILE *file;

	if (!r->output)
		return format->write(r->out, e) ? EXIT_FINE : EXIT_ERROR;
	output = output_begin(NULL, 0, make_failed, &r->diag);
	file = output_file(output, "%s", r->output);
	if (!file || !(format->write ? format->write(file, e) : file_save(r, output, file, e))) {
		output_discard(output);
		return EXIT_ERROR;
	}
	return output_commit(output) ? EXIT_FINE : EXIT_ERROR;
}

/* ---- the command ---- */

static int trace_write(struct command_request *r, struct export_request *e)
{
	return format->fill ? directory_make(r->output, directory_fill_by, e, &r->diag)
			    : file_write(r, e);
}

static int trace_export(struct command_request *r)
{
	struct export_request e = {.trace = request_open(r), .slice = slice, .diag = &r->diag};
	const struct interval **intervals = NULL;
	bool *threads = NULL;
	int status = EXIT_ERROR;

	if (e.trace && format->calls && !trace_has_calls(e.trace)) {
		diag_error(&r->diag, DIAG_NOWHERE, CALLS_MISSING);
	} else if (e.trace && selection_threads(e.trace, &threads, &r->diag) &&
		   (!format->intervals || (intervals = intervals_chosen(e.trace, &r->diag)))) {
		e.threads = threads;
		e.intervals = intervals;
		status = trace_write(r, &e);
	}
	free(intervals);
	free(threads);
	trace_close(e.trace);
	return status;
}

static int export_run(struct command_request *r)
{
	if (!format)
		usage_fail("no format given; --format=list lists the formats");
	if (slice && !format->slices)
		usage_fail("--slice: --format=%s cannot be split into time slices; leave it out",
			   format->name);
	if (format->fill && !r->output)
		usage_fail("give an output directory with -o DIRECTORY");
	if (format->save && !r->output)
		usage_fail("give an output file with -o FILE");
	if (format->fill && !request_output_is_free(r, "directory"))
		return EXIT_ERROR;
	return trace_export(r);
}

static const struct choice options[] = {
    {0, "format", "FORMAT", "write this format; 'list' prints all formats", take_format},
    {'o', "output", "PATH", "write to this file, or new directory (standard output)",
     request_take_output},
    THREAD_OPTION("samples, calls and markers of"),
    PROCESS_OPTION("samples, calls and markers of"),
    INTERVAL_OPTION,
    {0, "slice", "LENGTH", "Parquet: time slice per file (about 4 million events of all types)",
     take_slice},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_export = {
    .name = "export",
    .summary = "write a trace for another tool",
    .teaches =
	"Writes a trace for another tool. --format=list lists the formats; doc/formats.md describes what\n"
	"each format keeps and how to open it. A warning counts what the format cannot hold.\n",
    .examples = "  glimpse export run1 --format=perfetto -o run1.pftrace\n"
		"  glimpse export run1 --format=folded | flamegraph.pl > run1.svg\n"
		"  glimpse export run1 --format=sqlite -o run1.db\n"
		"  glimpse export run1 --format=parquet -o run1.parquet\n"
		"  glimpse export --format=list\n",
    .options = options,
    .run = export_run,
};
