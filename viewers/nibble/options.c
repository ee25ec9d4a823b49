#include "viewers/nibble/options.h"

#include "config.h"
#include "viewers/nibble/help.h"
#include "viewers/units.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct choice {
	int letter;		     /* beyond the letters: it has no short form */
	const char *name, *argument; /* argument: NULL when it takes none */
	const char *help;
	void (*apply)(struct options *o, const char *argument);
};

__attribute__((format(printf, 1, 2), noreturn)) static void refuse(const char *format, ...)
{
	va_list arguments;

	fputs("nibble: error: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputs("; see nibble --help\n", stderr);
	exit(2);
}

static void apply_output(struct options *o, const char *path)
{
	o->output = path;
}

static void apply_spec(struct options *o, const char *path)
{
	o->spec = path;
}

static void apply_file(struct options *o, const char *path)
{
	o->file = path;
}

static int64_t time_of(const char *option, const char *text)
{
	int64_t ns;

	if (!time_read(text, &ns))
		refuse("%s %s: a time is written like 12.5ms, 3us, 1s or 250 (nanoseconds)", option,
		       text);
	return ns;
}

static void apply_from(struct options *o, const char *text)
{
	o->from = time_of("--from", text);
}

static void apply_to(struct options *o, const char *text)
{
	o->to = time_of("--to", text);
}

static void apply_threads(struct options *o, const char *list)
{
	o->threads = list;
}

static void apply_title(struct options *o, const char *text)
{
	o->plot.title = (char *)text;
}

static void apply_size(struct options *o, const char *text)
{
	char rest;

	if (sscanf(text, "%5ux%5u%c", &o->plot.width, &o->plot.height, &rest) != 2 ||
	    o->plot.width < 100 || o->plot.height < 100 || o->plot.width > 20000 ||
	    o->plot.height > 20000)
		refuse("--size %s: a size is written like 1200x675, each from 100 to 20000", text);
}

static void apply_log(struct options *o, const char *axes)
{
	if (strcmp(axes, "x") != 0 && strcmp(axes, "y") != 0 && strcmp(axes, "xy") != 0)
		refuse("--log %s: the axis is x, y or xy", axes);
	o->plot.log_x = strchr(axes, 'x') != NULL;
	o->plot.log_y = strchr(axes, 'y') != NULL;
}

static void apply_grid(struct options *o, const char *unused)
{
	(void)unused;
	o->plot.grid = true;
}

static void choose(struct options *o, enum action action)
{
	if (o->action != ACTION_DRAW && o->action != action)
		refuse("--csv, --json and --dump exclude each other");
	o->action = action;
}

static void apply_csv(struct options *o, const char *unused)
{
	(void)unused;
	choose(o, ACTION_CSV);
}

static void apply_json(struct options *o, const char *unused)
{
	(void)unused;
	choose(o, ACTION_JSON);
}

static void apply_dump(struct options *o, const char *unused)
{
	(void)unused;
	choose(o, ACTION_DUMP);
}

static void apply_allow_empty(struct options *o, const char *unused)
{
	(void)unused;
	o->allow_empty = true;
}

static void apply_align(struct options *o, const char *event)
{
	o->align = event;
}

static void apply_join(struct options *o, const char *unused)
{
	(void)unused;
	o->join = true;
}

__attribute__((noreturn)) static void apply_version(struct options *o, const char *unused)
{
	(void)o;
	(void)unused;
	puts("nibble (" PACKAGE_NAME ") " PACKAGE_VERSION);
	exit(0);
}

static void apply_help(struct options *o, const char *unused);

enum { WITHOUT_LETTER = 256 };

static const struct choice choices[] = {
    {'o', "output", "FILE", "draw into FILE.png, .svg, .pdf or .html; else in a window or as text",
     apply_output},
    {'f', "file", "FILE", "draw the plots of this file, too: expressions, and lines \"plot TITLE\"",
     apply_file},
    {'s', "spec", "FILE", "use the intervals of this specification", apply_spec},
    {WITHOUT_LETTER, "from", "TIME", "begin there: 12.5ms, 3us, 1s", apply_from},
    {WITHOUT_LETTER, "to", "TIME", "end there", apply_to},
    {WITHOUT_LETTER, "threads", "LIST",
     "of these threads only: 0-3,7 or names, patterns: main,worker*", apply_threads},
    {WITHOUT_LETTER, "title", "TEXT", "what stands over the plot", apply_title},
    {WITHOUT_LETTER, "size", "WxH", "in pixels of the screen, 1/96 inch: 1200x675", apply_size},
    {WITHOUT_LETTER, "log", "AXES", "logarithmic: x, y or xy", apply_log},
    {WITHOUT_LETTER, "grid", NULL, "a plot of its own for each expression", apply_grid},
    {WITHOUT_LETTER, "align", "EVENT", "time is 0 at the first of these events in each run",
     apply_align},
    {WITHOUT_LETTER, "join", NULL, "the directories are processes of one run", apply_join},
    {WITHOUT_LETTER, "allow-empty", NULL, "a selection without an event is no error",
     apply_allow_empty},
    {WITHOUT_LETTER, "csv", NULL, "print the series: series,from,to,value (ns, bytes)", apply_csv},
    {WITHOUT_LETTER, "json", NULL, "print the series as JSON", apply_json},
    {WITHOUT_LETTER, "dump", NULL, "print the gnuplot script and its data", apply_dump},
    {'h', "help", NULL, "print this", apply_help},
    {'V', "version", NULL, "print the version", apply_version},
};
enum { NCHOICES = sizeof choices / sizeof *choices };

__attribute__((noreturn)) static void apply_help(struct options *o, const char *unused)
{
	char name[40];

	(void)o;
	(void)unused;
	help_usage();
	for (int i = 0; i < NCHOICES; i++) {
		const struct choice *c = &choices[i];

		snprintf(name, sizeof name, "--%s%s%s", c->name, c->argument ? " " : "",
			 c->argument ? c->argument : "");
		if (c->letter < WITHOUT_LETTER)
			printf("  -%c, %-14s %s\n", c->letter, name, c->help);
		else
			printf("      %-14s %s\n", name, c->help);
	}
	help_language();
	exit(0);
}

/* The table as getopt_long() wants it: val is the index of the choice beyond the letters. */
static void build_getopt(char *letters, struct option *names)
{
	for (int i = 0; i < NCHOICES; i++) {
		const struct choice *c = &choices[i];

		names[i] = (struct option){c->name, c->argument ? required_argument : no_argument,
					   NULL, WITHOUT_LETTER + i};
		if (c->letter >= WITHOUT_LETTER)
			continue;
		*letters++ = (char)c->letter;
		if (c->argument)
			*letters++ = ':';
	}
	*letters = '\0';
}

static const struct choice *choice_of(int result)
{
	if (result >= WITHOUT_LETTER)
		return &choices[result - WITHOUT_LETTER];
	for (int i = 0; i < NCHOICES; i++)
		if (choices[i].letter == result)
			return &choices[i];
	return NULL;
}

/*
 * What exists is a log directory or a packed trace; the rest are expressions. The first one is
 * always a run.
 */
static void take_operands(struct options *o, char **operands)
{
	o->runs = (const char *const *)operands;
	if (!operands[0])
		refuse("no log directory is given");
	o->nruns = 1;
	while (operands[o->nruns] && access(operands[o->nruns], F_OK) == 0)
		o->nruns++;
	o->expressions = o->runs + o->nruns;
	while (o->expressions[o->nexpressions])
		o->nexpressions++;
	if (o->nexpressions == 0 && !o->file)
		refuse("nothing to draw: give an expression such as 'count(Sendmsg)'");
}

void options_read(struct options *o, int argc, char **argv)
{
	struct option names[NCHOICES + 1] = {0};
	char letters[2 * NCHOICES + 1];
	int result;

	*o = (struct options){.from = INT64_MIN, .to = INT64_MAX};
	build_getopt(letters, names);
	while ((result = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		const struct choice *c = choice_of(result);

		if (!c) {
			fputs("see nibble --help\n", stderr);
			exit(2);
		}
		c->apply(o, optarg);
	}
	if (o->from >= o->to)
		refuse("--from must be before --to");
	take_operands(o, argv + optind);
}
