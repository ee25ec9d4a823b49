#include "viewers/gorge/options.h"
#include "analysis/flame/flame.h"
#include "base/array.h"
#include "base/usage.h"
#include "config.h"
#include "spec/import_path.h"
#include "trace/trace.h"
#include "viewers/gorge/index/layer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_WIDTH = 1200, LEAST_SIZE = 200, GREATEST_SIZE = 30000, GREATEST_SCALE = 8 };

static struct gorge_options taken;

static bool text_ends(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

static double number_argument(const char *option, const char *text, double least, double most)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value >= least && value <= most))
		usage_fail("%s: '%s' is not a number from %g to %g", option, text, least, most);
	return value;
}

static void take_output(const char *path)
{
	taken.output = path;
}

static void take_spec(const char *path)
{
	taken.source.spec = path;
}

static void take_from(const char *text)
{
	taken.view.has_from = true;
	taken.view.window.from = usage_signed_time("--from", text);
}

static void take_to(const char *text)
{
	taken.view.has_to = true;
	taken.view.window.to = usage_signed_time("--to", text);
}

static void take_threads(const char *list)
{
	taken.view.threads = list;
}

static void take_events(const char *list)
{
	taken.view.events = list;
}

static void take_intervals(const char *list)
{
	taken.view.intervals = list;
}

static void take_lanes(const char *list)
{
	taken.view.lanes = list;
}

static void take_layers(const char *list)
{
	unsigned bits;

	if (!layers_read(list, &bits))
		usage_fail("--layers: unknown layer in '%s' (expected own, states, waits, locks, "
			   "wake-ups, events, all or none)",
			   list);
	taken.view.layers = list;
}

static void take_legend(const char *kind)
{
	static const char *const names[] = {"line", "full"};

	taken.view.full_legend = usage_choice("--legend", "legend", names, 2, kind) == 1;
}

static void take_open_view(const char *text)
{
	taken.view.open = *text == '#' ? text + 1 : text;
}

static void take_width(const char *text)
{
	taken.view.width = (int)number_argument("--width", text, LEAST_SIZE, GREATEST_SIZE);
}

static void take_height(const char *text)
{
	taken.view.height = (int)number_argument("--height", text, LEAST_SIZE, GREATEST_SIZE);
}

static void take_functions(const char *text)
{
	taken.view.functions =
	    (unsigned)number_argument("--functions", text, 1, MOST_FUNCTION_ROWS);
}

static void take_scale(const char *text)
{
	taken.scale = number_argument("--scale", text, 0.1, GREATEST_SCALE);
}

static void take_title(const char *title)
{
	taken.view.title = title;
}

static void take_join(const char *unused)
{
	(void)unused;
	trace_joins_runs = true;
}

static void take_beside(const char *unused)
{
	(void)unused;
	taken.beside = true;
}

static void take_theme(const char *name)
{
	taken.view.theme = theme_find(name);
	if (!taken.view.theme)
		usage_fail("--theme: unknown theme '%s' (expected light or dark)", name);
}

static void take_sort(const char *name)
{
	taken.view.sort = usage_choice("--sort", "order", sort_names, NSORTS, name);
}

static void take_order(const char *name)
{
	taken.view.order = usage_choice("--order", "order", order_names, NORDERS, name);
}

static void take_group(const char *name)
{
	taken.view.group = usage_choice("--group", "grouping", grouping_names, NGROUPINGS, name);
}

static void take_flat(const char *unused)
{
	(void)unused;
	taken.view.group = GROUP_NONE;
}

static void take_fold(const char *list)
{
	taken.view.fold = list;
}

/* Adds one more track. */
static void take_track(const char *expression)
{
	static char *tracks;
	char *more = text_format("%s%s%s", tracks ? tracks : "", tracks ? "\n" : "", expression);

	free(tracks);
	taken.view.tracks = tracks = more;
}

static void take_flame(const char *kind)
{
	taken.flame = kind ? flame_kind_find(kind) : FLAME_CPU;
	if (taken.flame < 0)
		usage_fail("--flame: unknown flame graph '%s' (expected cpu, off, bytes, count, "
			   "peak or left)",
			   kind);
}

static void take_path(const char *unused)
{
	(void)unused;
	taken.path = true;
}

static void take_dump(const char *unused)
{
	(void)unused;
	taken.dump = true;
}

static void take_once(const char *unused)
{
	(void)unused;
	taken.once = true;
}

static void take_follow(const char *unused)
{
	(void)unused;
	taken.source.follow = true;
}

__attribute__((noreturn)) static void take_help(const char *unused);

__attribute__((noreturn)) static void take_version(const char *unused)
{
	(void)unused;
	puts("gorge (" PACKAGE_NAME ") " PACKAGE_VERSION);
	usage_end();
}

static const struct choice choices[] = {
    {'o', "output", "FILE", "write the picture to FILE; the suffix selects svg, png, pdf or html",
     take_output},
    {'s', "spec", "FILE", "read styles and intervals from FILE instead of the logs", take_spec},
    {'I', NULL, "DIR", "also search DIR for files that the specification imports",
     import_folder_add},
    {0, "join", NULL, "join directories of consecutive runs into one trace, too", take_join},
    {0, "beside", NULL, "show two runs one above the other, and what differs", take_beside},
    {0, "from", "TIME", "start at TIME after the first event: 1.5ms, 20us, 3s", take_from},
    {0, "to", "TIME", "end at TIME", take_to},
    {0, "threads", "LIST", "show only these threads: numbers, names or patterns: 0-3,main,worker*",
     take_threads},
    {0, "events", "LIST", "show these events: names, patterns, all or none", take_events},
    {0, "intervals", "LIST", "show these intervals: names, patterns, all or none", take_intervals},
    {0, "layers", "LIST",
     "show these layers of a recorded program: own, states, waits, locks,\n"
     "wake-ups, events, all or none (default own,states,waits)",
     take_layers},
    {0, "legend", "KIND",
     "line, or full with tables of counts (default line for a recorded\n"
     "program, full for other traces)",
     take_legend},
    {0, "lanes", "LIST",
     "show these lanes: threads, kinds of objects (locks), objects, or their\n"
     "names; alive: only threads alive in the window; threads that do not\n"
     "overlap share a lane (default above 100 threads)",
     take_lanes},
    {0, "track", "EXPRESSION",
     "draw a nibble series below the lanes, as 'open(Transit)'; repeatable", take_track},
    {0, "sort", "ORDER",
     "order of lanes: spec (default: as in the specification, then by name\n"
     "and creation), name, start, logged or activity",
     take_sort},
    {0, "order", "WHAT", "time (default), or logical: columns in happened-before order",
     take_order},
    {0, "group", "BY", "group the threads by process (default), creator, name or none", take_group},
    {0, "flat", NULL, "show threads of all processes in one list", take_flat},
    {0, "fold", "LIST",
     "fold each of these groups or threads to one low lane: names, patterns\n"
     "or all",
     take_fold},
    {0, "width", "PIXELS", "width of the picture (default 1200)", take_width},
    {0, "height", "PIXELS", "height of the picture (default: what the lanes need)", take_height},
    {0, "functions", "N",
     "show so many rows of sampled functions below a thread (default: one,\n"
     "where there is room for a name)",
     take_functions},
    {0, "scale", "N", "enlarge a png N times, for high-resolution screens", take_scale},
    {0, "title", "TEXT", "title of the picture (default: the recorded command)", take_title},
    {0, "theme", "NAME", "colours: light or dark", take_theme},
    {0, "flame", "[=OF]",
     "draw a flame graph of CPU time (cpu, the default), off-CPU time (off),\n"
     "allocated bytes (bytes), allocations (count), bytes in use at the\n"
     "peak (peak) or leaked bytes (left)",
     take_flame},
    {0, "path", NULL, "draw the critical path: the work that the end of the run waited for",
     take_path},
    {0, "once", NULL, "exit when the page in the browser is closed", take_once},
    {0, "follow", NULL, "show a program that is still running, and keep reading its logs",
     take_follow},
    {0, "dump", NULL, "print the content of the picture as text instead of drawing it", take_dump},
    {0, "open-view", "TEXT",
     "open the browser or the html file with the view that an address of the\n"
     "page has behind its #: 'from=120ms&to=150ms&theme=dark'",
     take_open_view},
    {'h', "help", NULL, "print this help and exit", take_help},
    {0, "version", NULL, "print the version and exit", take_version},
    {0, NULL, NULL, NULL, NULL},
};

static void take_help(const char *unused)
{
	(void)unused;
	puts(
	    "Usage: gorge [OPTION]... DIR...\n"
	    "\n"
	    "Draws the time-space diagram of a run. Time goes right, and each thread has a lane. Symbols\n"
	    "mark events, bars are intervals within a thread, and lines lead from thread to thread.\n"
	    "DIR is a log directory; several directories form one trace. Without -o, gorge opens the\n"
	    "view in the browser and prints its address, which only this machine can reach. Ctrl-C\n"
	    "ends gorge.\n");
	usage_print(choices);
	puts(
	    "\n"
	    "The picture shows the events that have a symbol and the intervals that have a connection in\n"
	    "the specification, or all of them if none has. --events and --intervals select others.\n"
	    "\n"
	    "Examples:\n"
	    "  gorge run1                                    explore the run in the browser\n"
	    "  gorge run1 --follow                           explore a program that is still running\n"
	    "  gorge --beside run1 run2                      compare two runs\n"
	    "  gorge run1 -o run1.svg                        the whole run\n"
	    "  gorge run1 -o run1.html                       one file that needs no gorge, for a bug report\n"
	    "  gorge run1 --from 20ms --to 25ms -o burst.png 5 ms of the run, enlarged\n"
	    "  gorge run1 --intervals LockWait -o waits.pdf  one kind of interval\n"
	    "  gorge run1 --lanes threads,locks -o locks.png who holds each lock, and who waits for it\n"
	    "  gorge run1 -s mine.spec -o new.svg            intervals of your own specification\n"
	    "  gorge --flame run1 -o flame.svg               which functions use the CPU\n"
	    "  gorge --flame=off run1 -o waits.svg           what the threads wait for, by function\n"
	    "\n"
	    "Exit status: 0 drawn, 2 error.");
	usage_end();
}

/* Refuses what two runs, one above the other, have not. */
static void check_beside(void)
{
	const char *const *runs = taken.source.directories;

	if (taken.source.ndirectories != 2)
		usage_fail("--beside compares two runs: gorge --beside BEFORE AFTER");
	if (trace_joins_runs)
		usage_fail("--beside shows two runs and --join makes them one; leave one out");
	if (taken.output || taken.dump)
		usage_fail("--beside shows the runs in the browser and cannot be combined with %s; "
			   "draw each of them: gorge %s -o FILE, gorge %s -o FILE",
			   taken.dump ? "--dump" : "-o", runs[0], runs[1]);
	if (taken.source.follow || taken.view.order == ORDER_LOGICAL)
		usage_fail("--beside cannot be combined with %s",
			   taken.source.follow ? "--follow" : "--order logical");
}

void gorge_options_split(struct gorge_options *o)
{
	if (!o->beside)
		return;
	o->upper = o->source;
	o->upper.ndirectories = o->source.ndirectories = 1;
	o->source.directories++;
}

struct gorge_options gorge_options_read(int argc, char **argv)
{
	taken = (struct gorge_options){
	    .view = {.width = DEFAULT_WIDTH, .theme = &theme_light, .group = GROUP_PROCESS},
	    .scale = 1,
	    .flame = -1};
	taken.source.directories =
	    (const char *const *)argv + usage_read("gorge", choices, argc, argv);
	while (taken.source.directories[taken.source.ndirectories])
		taken.source.ndirectories++;
	if (taken.beside)
		check_beside();
	trace_asks_runs = true;
	if (taken.source.follow && (taken.output || taken.dump))
		usage_fail(
		    "--follow shows the program in the browser and cannot be combined with %s",
		    taken.dump ? "--dump" : "-o");
	if (taken.view.open && ((taken.output && !text_ends(taken.output, ".html")) || taken.dump))
		usage_fail("--open-view needs the browser or an html file; use --from, --to and "
			   "others for pictures");
	if (taken.view.order == ORDER_LOGICAL && taken.view.tracks)
		usage_fail("--track needs real time and cannot be combined with --order logical");
	if (taken.view.order == ORDER_LOGICAL && (taken.view.has_from || taken.view.has_to))
		usage_fail("--from and --to need real time and cannot be combined with "
			   "--order logical");
	if (taken.flame >= 0 && !taken.output && !taken.dump)
		usage_fail("--flame needs an output file; name it with -o FILE.svg");
	if (taken.path && !taken.output && !taken.dump)
		usage_fail("--path needs an output file; name it with -o FILE.svg, or press q in "
			   "the browser for the critical path");
	if (taken.path && taken.view.order == ORDER_LOGICAL)
		usage_fail("--path needs real time and cannot be combined with --order logical");
	if (taken.source.ndirectories == 0)
		usage_fail("no log directory given; name one, such as glimpse.PROGRAM.PID");
	return taken;
}
