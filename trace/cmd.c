#include "trace/cmd.h"
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 24
#define OUT_BUFFER (1 << 18)

static const struct command *running;
static char program[64]; /* "glimpse events", for messages */
static struct request request;
static const char *format_wanted;

void usage_fail(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: error: ", program);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "; see %s --help\n", program);
	exit(EXIT_ERROR);
}

/* ---- options that subcommands share ---- */

static void take_spec(const char *value)
{
	request.spec = value;
}

static void take_format(const char *value)
{
	format_wanted = value;
}

static void take_help(const char *unused);

static const struct cmd_option shared[] = {
    {'s', "spec", "FILE", "another specification than the one in the logs", take_spec},
    {0, "format", "FORMAT", NULL, take_format},
    {'h', "help", NULL, "this text", take_help},
    {0, NULL, NULL, NULL, NULL},
};

static const char *const format_names[] = {"text", "csv", "json"};

static bool option_offered(const struct cmd_option *o)
{
	return o->take != take_format || running->formats;
}

/* All options of the running subcommand, its own first. */
static unsigned options_list(const struct cmd_option **list)
{
	unsigned n = 0;

	for (const struct cmd_option *o = running->options; o && o->name; o++)
		list[n++] = o;
	for (const struct cmd_option *o = shared; o->name; o++)
		if (option_offered(o))
			list[n++] = o;
	return n;
}

static void formats_print(FILE *out)
{
	const char *before = "";

	for (unsigned i = 0; i < 3; i++) {
		if (!(running->formats & FORMATS(i)))
			continue;
		fprintf(out, "%s%s%s", before, format_names[i],
			i == FORMAT_TEXT ? " (for people)" : "");
		before = ", ";
	}
	fputc('\n', out);
}

static bool value_optional(const struct cmd_option *o)
{
	return o->value && o->value[0] == '[';
}

static void option_print(const struct cmd_option *o)
{
	char head[64];
	const char *help = o->help ? o->help : "";

	snprintf(head, sizeof head, "%c%c%s--%s%s%s", o->letter ? '-' : ' ',
		 o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
		 !o->value || value_optional(o) ? "" : " ", o->value ? o->value : "");
	printf("  %-24s ", head);
	for (const char *end; (end = strchr(help, '\n')); help = end + 1)
		printf("%.*s\n%27s", (int)(end - help), help, "");
	if (o->take == take_format)
		formats_print(stdout);
	else
		puts(help);
}

static void take_help(const char *unused)
{
	const struct cmd_option *list[MAX_OPTIONS];
	unsigned n = options_list(list);

	(void)unused;
	printf("usage: %s [OPTIONS] DIRECTORY...\n\n%s\nSeveral directories are read as one "
	       "trace.\n\noptions:\n",
	       program, running->teaches);
	for (unsigned i = 0; i < n; i++)
		option_print(list[i]);
	printf("\nexamples:\n%s", running->examples);
	exit(fflush(stdout) ? EXIT_ERROR : EXIT_FINE);
}

/* ---- the command line ---- */

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
		usage_fail("unknown format '%s'", format_wanted);
	return FORMAT_TEXT;
}

static void getopt_tables(const struct cmd_option **list, unsigned n, struct option *options,
			  char *letters)
{
	*letters++ = ':';
	for (unsigned i = 0; i < n; i++) {
		options[i] = (struct option){list[i]->name,
					     value_optional(list[i]) ? optional_argument
					     : list[i]->value	     ? required_argument
								     : no_argument,
					     NULL, 256 + (int)i};
		if (!list[i]->letter)
			continue;
		*letters++ = list[i]->letter;
		if (list[i]->value)
			*letters++ = ':';
		if (value_optional(list[i]))
			*letters++ = ':';
	}
	options[n] = (struct option){0};
	*letters = '\0';
}

static const struct cmd_option *option_taken(const struct cmd_option **list, unsigned n, int code)
{
	for (unsigned i = 0; i < n; i++)
		if (code == 256 + (int)i || (list[i]->letter && code == list[i]->letter))
			return list[i];
	return NULL;
}

static void options_parse(int argc, char **argv)
{
	const struct cmd_option *list[MAX_OPTIONS];
	struct option options[MAX_OPTIONS + 1];
	char letters[2 * MAX_OPTIONS + 2];
	unsigned n = options_list(list);
	int code;

	getopt_tables(list, n, options, letters);
	opterr = 0;
	while ((code = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (code == ':')
			usage_fail("%s wants a value", argv[optind - 1]);
		if (code == '?' && optopt >= 256)
			usage_fail("--%s takes no value", list[optopt - 256]->name);
		if (code == '?' && optopt)
			usage_fail("unknown option '-%c'", optopt);
		if (code == '?')
			usage_fail("unknown option '%s'", argv[optind - 1]);
		option_taken(list, n, code)->take(optarg);
	}
	request.directories = (const char *const *)argv + optind;
	request.ndirectories = (unsigned)(argc - optind);
	request.format = format_choose();
	if (request.ndirectories == 0)
		usage_fail("a log directory is wanted");
}

/* A full disk shows when the buffer is written, which may be only now. */
static int output_end(int status)
{
	bool failed = ferror(stdout);

	errno = 0;
	if (fclose(stdout) == 0 && !failed)
		return status;
	diag_error(&request.diag, DIAG_NOWHERE, "cannot write standard output: %s",
		   errno ? strerror(errno) : "an error of the stream");
	return EXIT_ERROR;
}

int command_main(const struct command *c, int argc, char **argv)
{
	running = c;
	snprintf(program, sizeof program, "glimpse %s", c->name);
	request = (struct request){.out = stdout, .diag = {.out = stderr, .program = program}};
	/* Who reads us may stop: then we end, silently, even if our parent ignores the signal. */
	signal(SIGPIPE, SIG_DFL);
	options_parse(argc, argv);
	setvbuf(stdout, NULL, _IOFBF, OUT_BUFFER);
	return output_end(c->run(&request));
}

struct trace *request_open(struct request *r)
{
	return request_open_part(r, NULL);
}

struct trace *request_open_part(struct request *r, const struct trace_part *part)
{
	return trace_open_part(r->directories, r->ndirectories, r->spec, part, &r->diag);
}
