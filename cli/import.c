#include "formats/import.h"
#include "cli/common/command.h"
#include "cli/import_cache.h"
#include <string.h>

static const struct import_format *format;
static struct import_input input;

__attribute__((noreturn)) static void formats_list(void)
{
	for (const struct import_format *const *f = import_formats; *f; f++)
		printf("%-10s  %s\n", (*f)->name, (*f)->summary);
	usage_end();
}

static void take_format(const char *value)
{
	if (strcmp(value, "list") == 0)
		formats_list();
	format = import_format_named(value);
	if (!format)
		usage_fail("--format: unknown format '%s'; --format=list lists the formats", value);
}

static bool cached, fresh; /* --cached; the logs are there already */

static void take_cached(const char *reader)
{
	cached = true;
	if (reader)
		request_take_program(reader);
}

static int directory_fill_from(void *in, const char *path, struct diag *diag)
{
	if (!import_run(in, format, path))
		return EXIT_ERROR;
	if (!cached || import_cache_note(path, input.path, input.spec))
		return EXIT_FINE;
	diag_write_failed(diag, path);
	return EXIT_ERROR;
}

/* Chooses where the logs are kept. Returns false after a report, or if they are there. */
static int cache_choose(struct command_request *r)
{
	r->output = import_cache_find(input.path, input.spec, &fresh);
	if (r->output)
		return EXIT_FINE;
	diag_error(
	    &r->diag, DIAG_NOWHERE,
	    "found no directory for the logs of %s; name one: glimpse import -o DIRECTORY %s",
	    input.path, input.path);
	return EXIT_ERROR;
}

static int output_choose(struct command_request *r)
{
	if (cached)
		return cache_choose(r);
	if (!r->output)
		usage_fail("give an output directory with -o DIRECTORY");
	return request_output_is_free(r, "directory") ? EXIT_FINE : EXIT_ERROR;
}

/* Text is recognised by the specification of -s: a mistake in that is what to say. Reports it. */
static bool spec_is_wrong(struct command_request *r)
{
	struct spec *spec = r->spec ? spec_read(r->spec, &r->diag) : NULL;
	bool wrong = r->spec && !spec;

	spec_free(spec);
	return wrong;
}

/* Looks at the input, and starts what reads it: confined, this process could run nothing. */
static int input_open(struct command_request *r)
{
	if (!r->ndirectories || (cached && r->ndirectories > 1))
		usage_fail("give one file, or the directory of one trace");
	if (!import_open(&input, r->directories[0], r->spec, &r->diag))
		return EXIT_ERROR;
	if (!format)
		format = import_format_of(&input);
	if (!format && cached)
		return EXIT_NO;
	if (!format && spec_is_wrong(r))
		return EXIT_ERROR;
	if (!format) {
		diag_error(
		    &r->diag, DIAG_NOWHERE,
		    "%s: unrecognised format; name it with --format (--format=list lists the formats)",
		    input.path);
		return EXIT_ERROR;
	}
	if (r->ndirectories > 1 && !format->several)
		usage_fail("give one file: only text, csv, jsonl and logfmt take several");
	import_more(&input, r->directories + 1, r->ndirectories - 1);
	if (output_choose(r) != EXIT_FINE)
		return EXIT_ERROR;
	return fresh || import_start(&input, format) ? EXIT_FINE : EXIT_ERROR;
}

static int import_command(struct command_request *r)
{
	int status =
	    fresh ? EXIT_FINE : directory_make(r->output, directory_fill_from, &input, &r->diag);

	import_close(&input);
	if (!cached || status != EXIT_FINE)
		return status;
	fprintf(stderr, "%s: %s (%s) is read from %s\n", r->diag.program, input.path, format->name,
		r->output);
	fprintf(r->out, "%s\n", r->output);
	return status;
}

static const struct choice options[] = {
    {0, "format", "FORMAT", "read this format (recognised by the content); 'list' prints all",
     take_format},
    {0, "cached", "[=READER]",
     "keep the logs beside the file for the next time, and print their\n"
     "directory; exit status 1: unrecognised format. Messages begin with\n"
     "READER, the program that needs the logs",
     take_cached},
    {'o', "output", "DIRECTORY", "create this log directory; it must not exist",
     request_take_output},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_import = {
    .name = "import",
    .summary = "make logs from another tool's trace",
    .operands = "FILE...",
    .teaches =
	"Converts another tool's trace to logs, which every Glimpse tool reads like its own. The format is\n"
	"recognised by the content; gzip is unpacked. A warning counts what the logs cannot keep.\n",
    .examples = "  glimpse import trace.json -o run\n"
		"  glimpse import access.log access.log.1.gz -s weblog.spec -o run\n"
		"  glimpse import --format=list\n"
		"  gorge run\n",
    .options = options,
    .before = input_open,
    .run = import_command,
};
