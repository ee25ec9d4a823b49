#include "cli/common/command.h"
#include "base/array.h"
#include "base/confine.h"
#include "base/output.h"
#include "cli/common/screen.h"
#include "spec/import_path.h"
#include "trace/open/confine_trace.h"
#include "trace/open/foreign.h"
#include "trace/symbols/confine_symbols.h"
#include "trace/symbols/start_names.h"
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUT_BUFFER (1 << 18)

static const struct command *running;
static char program[64]; /* "glimpse events", for messages */
static struct command_request request;
static const char *format_wanted;
static struct choice choices[USAGE_MOST + 1];

/* ---- options that subcommands share ---- */

static void take_spec(const char *value)
{
	request.spec = value;
}

static void take_join(const char *unused)
{
	(void)unused;
	trace_joins_runs = true;
}

static void take_format(const char *value)
{
	format_wanted = value;
}

static void take_help(const char *unused);

static char formats_help[64];

static const struct choice shared[] = {
    {'s', "spec", "FILE", "use this specification, not the one in the logs", take_spec},
    {'I', NULL, "DIR", "also search DIR for the files that it imports (repeatable)",
     import_folder_add},
    {0, "format", "FORMAT", formats_help, take_format},
    COLOR_OPTION,
    {0, "join", NULL, "read directories of successive runs as one trace", take_join},
    {'h', "help", NULL, "print this help", take_help},
    {0, NULL, NULL, NULL, NULL},
};

static const char *const format_names[] = {"text", "csv", "json"};

static void formats_describe(void)
{
	size_t n = 0;

	for (unsigned i = 0; i < 3; i++)
		if (running->formats & FORMATS(i))
			n += (size_t)snprintf(formats_help + n, sizeof formats_help - n, "%s%s%s",
					      n ? ", " : "", format_names[i],
					      i == FORMAT_TEXT ? " (for people)" : "");
}

/* All options of the running subcommand, its own first. */
static void choices_gather(void)
{
	struct choice *to = choices;

	for (const struct choice *c = running->options; c && c->take; c++)
		*to++ = *c;
	for (const struct choice *c = shared; c->take; c++)
		if ((c->take != take_format || running->formats) &&
		    (c->take != screen_take_color || running->formats & FORMATS(FORMAT_TEXT)) &&
		    (c->take != take_join || !(running->compares || running->operands)))
			*to++ = *c;
	*to = (struct choice){0};
}

static const char *operands(void)
{
	if (running->operands)
		return running->operands;
	return running->compares ? "DIRECTORY... -- DIRECTORY..." : "DIRECTORY...";
}

static void take_help(const char *unused)
{
	(void)unused;
	printf("usage: %s [OPTIONS] %s\n\n%s\n%soptions:\n", program, operands(), running->teaches,
	       running->compares || running->operands
		   ? ""
		   : "Several directories, with the log directories in them, are "
		     "read as one trace.\n\n");
	usage_print(choices);
	printf("\nexamples:\n%s", running->examples);
	usage_end();
}

/* ---- the command line ---- */

__attribute__((noreturn)) static void format_unknown(void)
{
	const char *names[3];
	unsigned n = 0;

	for (unsigned i = 0; i < 3; i++)
		if (running->formats & FORMATS(i))
			names[n++] = format_names[i];
	usage_unknown("--format", "format", names, n, format_wanted, strlen(format_wanted));
}

static enum format format_choose(void)
{
	for (unsigned i = 0; i < 3; i++) {
		if (!format_wanted && (running->formats & FORMATS(i)))
			return i;
		if (format_wanted && (running->formats & FORMATS(i)) &&
		    strcmp(format_wanted, format_names[i]) == 0)
			return i;
	}
	if (format_wanted)
		format_unknown();
	return FORMAT_TEXT;
}

/*
 * Returns how many operands come after the argument that ends the options. getopt moves it before
 * all operands, and keeps the order of these. 0: there is none.
 */
static unsigned operands_behind(const char *end, char *const *given, int argc)
{
	int i = argc;

	while (strcmp(end, "--") == 0 && i-- > 0)
		if (given[i] == end)
			return (unsigned)(argc - 1 - i);
	return 0;
}

static void command_line_read(int argc, char **argv)
{
	char **given = array_new((size_t)argc, sizeof *given);
	int first;

	memcpy(given, argv, (size_t)argc * sizeof *given);
	formats_describe();
	choices_gather();
	first = usage_read(program, choices, argc, argv);
	request.directories = (const char *const *)argv + first;
	request.ndirectories = (unsigned)(argc - first);
	request.nfirst = request.ndirectories - operands_behind(argv[first - 1], given, argc);
	free(given);
	request.format = format_choose();
	if (request.ndirectories == 0 && !(running->operands && *running->operands == '['))
		usage_fail("no %s given", running->looks      ? "process"
					  : running->operands ? "file"
							      : "log directory");
}

/* ---- confinement ---- */

void request_confine(const struct command_request *r)
{
	struct confinement c;

	confine_begin(&c, running->steers ? CONFINE_ASKS : 0);
	confine_allow_trace(&c, r->directories, r->ndirectories, r->spec);
	if (r->hypotheses)
		confine_allow_spec(&c, r->hypotheses);
	confine_allow_symbols(&c, r->directories, r->ndirectories);
	for (unsigned i = 0; running->steers && i < r->ndirectories; i++) {
		confine_allow_run(&c, CONFINE_WRITE, r->directories[i]);
		confine_allow_output(&c, r->directories[i]);
	}
	if (r->output)
		confine_allow_output(&c, r->output);
	if (r->report)
		confine_allow_output(&c, r->report);
	confine_end(&c);
}

/* A full disk shows when the buffer is written, which may be only now. */
static int output_end(int status)
{
	bool failed;

	screen_close();
	failed = ferror(stdout);

	errno = 0;
	if (fclose(stdout) == 0 && !failed)
		return status;
	diag_error(&request.diag, DIAG_NOWHERE, "cannot write to standard output: %s",
		   errno ? strerror(errno) : "the stream failed");
	return EXIT_ERROR;
}

/* Reads other tools' traces by the logs that are made of them. */
static int foreign_logs(void)
{
	request.directories =
	    foreign_open(request.directories, request.ndirectories, request.spec, &request.diag);
	return request.directories ? EXIT_FINE : EXIT_ERROR;
}

/*
 * Large arrays have mappings of their own, however many were freed before: a freed one leaves no
 * hole in the heap, which the next one might not fit into.
 */
static void memory_arrange(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
}

int command_main(const struct command *c, int argc, char **argv)
{
	int status = EXIT_FINE;

	memory_arrange();
	running = c;
	snprintf(program, sizeof program, "glimpse %s", c->name);
	request =
	    (struct command_request){.out = stdout, .diag = {.out = stderr, .program = program}};
	/* Who reads us may stop: then we end, silently, even if our parent ignores the signal. */
	signal(SIGPIPE, SIG_DFL);
	command_line_read(argc, argv);
	setvbuf(stdout, NULL, _IOFBF, OUT_BUFFER);
	if (c->formats && request.format == FORMAT_TEXT)
		request.out = screen_open(c->wraps);
	if (!c->operands)
		status = foreign_logs();
	if (status == EXIT_FINE && c->before)
		status = c->before(&request);
	if (status != EXIT_FINE)
		return output_end(status);
	if (!c->looks)
		request_confine(&request);
	return output_end(c->run(&request));
}

/* ---- what subcommands make where -o says ---- */

void request_take_program(const char *name)
{
	request.diag.program = name;
}

void request_take_output(const char *path)
{
	request.output = path;
}

void request_take_hypotheses(const char *path)
{
	request.hypotheses = path;
}

void request_take_report(const char *path)
{
	request.report = path;
}

bool request_output_is_free(struct command_request *r, const char *what)
{
	if (access(r->output, F_OK) != 0)
		return true;
	diag_error(&r->diag, DIAG_NOWHERE, "%s already exists; give a new %s with -o", r->output,
		   what);
	return false;
}

static void make_failed(void *diag, const char *path)
{
	diag_error(diag, DIAG_NOWHERE, "cannot create %s: %s", path, strerror(errno));
}

int directory_make(const char *path, directory_fill *fill, void *context, struct diag *diag)
{
	struct output *output = output_begin(NULL, 0, make_failed, diag);
	const char *temporary = output_directory(output, path);
	int status = temporary ? fill(context, temporary, diag) : EXIT_ERROR;

	if (status == EXIT_ERROR) {
		output_discard(output);
		return EXIT_ERROR;
	}
	return output_commit(output) ? status : EXIT_ERROR;
}

/* ---- the trace ---- */

struct trace *request_open(struct command_request *r)
{
	return request_open_part(r, NULL);
}

struct trace *request_open_part(struct command_request *r, const struct trace_part *part)
{
	return start_names_add(
	    trace_open_part(r->directories, r->ndirectories, r->spec, part, &r->diag));
}
