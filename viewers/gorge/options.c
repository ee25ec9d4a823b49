#include "viewers/gorge/options.h"
#include "config.h"
#include "viewers/units.h"
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_WIDTH = 1200, LEAST_SIZE = 200, GREATEST_SIZE = 30000, GREATEST_SCALE = 8 };

struct choice {
	char letter;                    /* 0: it has no short form */
	const char *name, *argument;    /* argument: NULL when it takes none */
	const char *help;
	void (*apply)(struct options *o, const char *argument);
};

__attribute__((format(printf, 1, 2), noreturn))
static void refuse(const char *format, ...)
{
	va_list arguments;

	fputs("gorge: error: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputs("; see gorge --help\n", stderr);
	exit(2);
}

static int64_t time_argument(const char *option, const char *text)
{
	int64_t ns;

	if (!time_read(text, &ns))
		refuse("%s takes a time such as 1.5ms, '20 us' or 3s, not '%s'", option, text);
	return ns;
}

static double number_argument(const char *option, const char *text, double least, double most)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value >= least && value <= most))
		refuse("%s takes a number from %g to %g, not '%s'", option, least, most, text);
	return value;
}

static void apply_output(struct options *o, const char *path)
{
	o->output = path;
}

static void apply_spec(struct options *o, const char *path)
{
	o->spec = path;
}

static void apply_from(struct options *o, const char *text)
{
	o->view.has_from = true;
	o->view.window.from = time_argument("--from", text);
}

static void apply_to(struct options *o, const char *text)
{
	o->view.has_to = true;
	o->view.window.to = time_argument("--to", text);
}

static void apply_threads(struct options *o, const char *list)
{
	o->view.threads = list;
}

static void apply_events(struct options *o, const char *list)
{
	o->view.events = list;
}

static void apply_intervals(struct options *o, const char *list)
{
	o->view.intervals = list;
}

static void apply_width(struct options *o, const char *text)
{
	o->view.width = (int)number_argument("--width", text, LEAST_SIZE, GREATEST_SIZE);
}

static void apply_height(struct options *o, const char *text)
{
	o->view.height = (int)number_argument("--height", text, LEAST_SIZE, GREATEST_SIZE);
}

static void apply_scale(struct options *o, const char *text)
{
	o->scale = number_argument("--scale", text, 0.1, GREATEST_SCALE);
}

static void apply_title(struct options *o, const char *title)
{
	o->view.title = title;
}

static void apply_theme(struct options *o, const char *name)
{
	o->view.theme = theme_find(name);
	if (!o->view.theme)
		refuse("--theme is light or dark, not '%s'", name);
}

static void apply_dump(struct options *o, const char *unused)
{
	(void)unused;
	o->dump = true;
}

static void apply_once(struct options *o, const char *unused)
{
	(void)unused;
	o->once = true;
}

__attribute__((noreturn)) static void apply_help(struct options *o, const char *unused);

__attribute__((noreturn)) static void apply_version(struct options *o, const char *unused)
{
	(void)o, (void)unused;
	puts("gorge (" PACKAGE_NAME ") " PACKAGE_VERSION);
	exit(0);
}

static const struct choice choices[] = {
	{'o', "output", "FILE", "write the picture to FILE; its suffix picks svg, png or pdf", apply_output},
	{'s', "spec", "FILE", "take events' looks and intervals from FILE, not from the logs", apply_spec},
	{0, "from", "TIME", "start at TIME after the trace's first event: 1.5ms, 20us, 3s", apply_from},
	{0, "to", "TIME", "end at TIME", apply_to},
	{0, "threads", "LIST", "show these threads only: 0-3,7 or names, patterns: main,worker*", apply_threads},
	{0, "events", "LIST", "show these events: names, patterns, all or none", apply_events},
	{0, "intervals", "LIST", "show these intervals: the same", apply_intervals},
	{0, "width", "PIXELS", "width of the picture (1200)", apply_width},
	{0, "height", "PIXELS", "height of the picture (as high as its lanes need)", apply_height},
	{0, "scale", "N", "make a png N times as large, for screens with small pixels", apply_scale},
	{0, "title", "TEXT", "title of the picture (the program's name)", apply_title},
	{0, "theme", "NAME", "light or dark", apply_theme},
	{0, "once", NULL, "end when the page in the browser is closed", apply_once},
	{0, "dump", NULL, "print what would be drawn, as text, and draw nothing", apply_dump},
	{'h', "help", NULL, "print this and exit", apply_help},
	{0, "version", NULL, "print the version and exit", apply_version},
};

enum { NCHOICES = sizeof choices / sizeof *choices };

static void print_choice(const struct choice *c)
{
	char name[40];

	snprintf(name, sizeof name, "--%s%s%s", c->name, c->argument ? " " : "",
		 c->argument ? c->argument : "");
	if (c->letter)
		printf("  -%c, %-18s %s\n", c->letter, name, c->help);
	else
		printf("      %-18s %s\n", name, c->help);
}

static void apply_help(struct options *o, const char *unused)
{
	(void)o, (void)unused;
	puts("Usage: gorge [OPTION]... DIR...\n"
	     "\n"
	     "Draws the time-space diagram of a run: time goes right, each thread has a lane, symbols\n"
	     "mark events, bars are intervals within a thread, lines lead from thread to thread.\n"
	     "DIR is a log directory; several are one trace. Without -o the view opens in the browser:\n"
	     "its address, which only this machine can reach, is printed; Ctrl-C ends it.\n");
	for (int i = 0; i < NCHOICES; i++)
		print_choice(&choices[i]);
	puts("\n"
	     "Events without a symbol and intervals without a connection in the specification are only\n"
	     "drawn when --events or --intervals name them, or when all of them are without one.\n"
	     "\n"
	     "Examples:\n"
	     "  gorge run1                                    to look around, in the browser\n"
	     "  gorge run1 -o run1.svg                        the whole run\n"
	     "  gorge run1 --from 20ms --to 25ms -o burst.png a part of it, closer\n"
	     "  gorge run1 --intervals Transit -o t.pdf       one kind of interval\n"
	     "  gorge run1 -s mine.spec -o new.svg            intervals that you just thought of\n"
	     "\n"
	     "Exit status: 0 drawn, 2 error.");
	exit(0);
}

/* What getopt_long() wants: an option's value is 256 + its index in choices. */
static void make_tables(struct option *longs, char *shorts)
{
	for (int i = 0; i < NCHOICES; i++) {
		longs[i] = (struct option){
			.name = choices[i].name, .val = 256 + i,
			.has_arg = choices[i].argument ? required_argument : no_argument,
		};
		if (!choices[i].letter)
			continue;
		*shorts++ = choices[i].letter;
		if (choices[i].argument)
			*shorts++ = ':';
	}
	*shorts = '\0';
}

static const struct choice *choice_for(int value)
{
	for (int i = 0; i < NCHOICES; i++)
		if (value == 256 + i || (choices[i].letter && value == choices[i].letter))
			return &choices[i];
	return NULL;
}

struct options options_read(int argc, char **argv)
{
	struct options o = {.view = {.width = DEFAULT_WIDTH, .theme = &theme_light}, .scale = 1};
	struct option longs[NCHOICES + 1] = {0};
	char shorts[2 * NCHOICES + 1];
	int value;

	make_tables(longs, shorts);
	while ((value = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct choice *c = choice_for(value);
		if (!c) {
			fputs("gorge: try gorge --help\n", stderr);
			exit(2);
		}
		c->apply(&o, optarg);
	}
	o.directories = (const char *const *)argv + optind;
	o.ndirectories = (unsigned)(argc - optind);
	if (o.ndirectories == 0)
		refuse("name a log directory, such as glimpse.PROGRAM.PID");
	return o;
}
