#include "viewers/gorge/options.h"
#include "analysis/flame/flame.h"
#include "base/array.h"
#include "base/units.h"
#include "base/usage.h"
#include "viewers/gorge/index/layer.h"
#include "config.h"
#include "spec/import_path.h"
#include "trace/trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_WIDTH = 1200, LEAST_SIZE = 200, GREATEST_SIZE = 30000, GREATEST_SCALE = 8 };

static struct gorge_options taken;

static int64_t time_argument(const char *option, const char *text)
{
	int64_t ns;

	if (!units_parse_signed_time(text, &ns))
		usage_fail("%s takes a time such as 1.5ms, '20 us' or 3s, not '%s'", option, text);
	return ns;
}

static double number_argument(const char *option, const char *text, double least, double most)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value >= least && value <= most))
		usage_fail("%s takes a number from %g to %g, not '%s'", option, least, most, text);
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
	taken.view.window.from = time_argument("--from", text);
}

static void take_to(const char *text)
{
	taken.view.has_to = true;
	taken.view.window.to = time_argument("--to", text);
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
		usage_fail("--layers takes own, states, waits, locks, wake-ups, events, all or none, "
			   "not '%s'", list);
	taken.view.layers = list;
}

static void take_legend(const char *kind)
{
	if (strcmp(kind, "full") != 0 && strcmp(kind, "line") != 0)
		usage_fail("--legend is line or full, not '%s'", kind);
	taken.view.full_legend = !strcmp(kind, "full");
}

static void take_width(const char *text)
{
	taken.view.width = (int)number_argument("--width", text, LEAST_SIZE, GREATEST_SIZE);
}

static void take_height(const char *text)
{
	taken.view.height = (int)number_argument("--height", text, LEAST_SIZE, GREATEST_SIZE);
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

static void take_theme(const char *name)
{
	taken.view.theme = theme_find(name);
	if (!taken.view.theme)
		usage_fail("--theme is light or dark, not '%s'", name);
}

static void take_sort(const char *name)
{
	if (sort_find(name) < 0)
		usage_fail("--sort is spec, logged, start, name or activity, not '%s'", name);
	taken.view.sort = (enum sort)sort_find(name);
}

static void take_order(const char *name)
{
	if (order_find(name) < 0)
		usage_fail("--order is time or logical, not '%s'", name);
	taken.view.order = (enum order)order_find(name);
}

static void take_group(const char *name)
{
	if (grouping_find(name) < 0)
		usage_fail("--group is process, creator, name or none, not '%s'", name);
	taken.view.group = (enum grouping)grouping_find(name);
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
		usage_fail("--flame is of cpu, off, bytes, count, peak or left, not '%s'", kind);
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
	{'o', "output", "FILE",
	 "write the picture to FILE; its suffix picks svg, png, pdf or html", take_output},
	{'s', "spec", "FILE",
	 "take events' looks and intervals from FILE, not from the logs", take_spec},
	{'I', NULL, "DIR", "look in DIR, too, for what that specification imports", import_folder_add},
	{0, "join", NULL, "directories of runs that followed each other are one trace, too",
	 take_join},
	{0, "from", "TIME",
	 "start at TIME after the trace's first event: 1.5ms, 20us, 3s", take_from},
	{0, "to", "TIME", "end at TIME", take_to},
	{0, "threads", "LIST",
	 "show these threads only: 0-3,7 or names, patterns: main,worker*", take_threads},
	{0, "events", "LIST", "show these events: names, patterns, all or none", take_events},
	{0, "intervals", "LIST", "show these intervals: the same", take_intervals},
	{0, "layers", "LIST",
	 "of a recorded program, show these layers: own, states, waits, locks,\n"
	 "wake-ups, events, all or none (own,states,waits)",
	 take_layers},
	{0, "legend", "KIND",
	 "line, or full: with tables of counts (line, for a recorded program)", take_legend},
	{0, "lanes", "LIST",
	 "lanes: threads, kinds of objects (locks), objects, or their names;\n"
	 "alive: of the threads that live in the time shown, those that follow\n"
	 "each other on one (so it is otherwise, where there are over 100)",
	 take_lanes},
	{0, "track", "EXPRESSION",
	 "draw a series of nibble under the lanes: 'open(Transit)'; more than once", take_track},
	{0, "sort", "ORDER",
	 "order of the lanes: spec (so it is otherwise: the specification's, then\n"
	 "by name and creation), name, start, logged or activity",
	 take_sort},
	{0, "order", "WHAT",
	 "time, or 'logical': columns by what happens before what",
	 take_order},
	{0, "group", "BY", "group the threads by process (so it is otherwise), creator, name or none",
	 take_group},
	{0, "flat", NULL, "do not group the threads of several processes", take_flat},
	{0, "fold", "LIST",
	 "one low lane for each of these groups, or threads: names, patterns or all", take_fold},
	{0, "width", "PIXELS", "width of the picture (1200)", take_width},
	{0, "height", "PIXELS", "height of the picture (as high as its lanes need)", take_height},
	{0, "scale", "N", "make a png N times as large, for screens with small pixels", take_scale},
	{0, "title", "TEXT", "title of the picture (the program's name)", take_title},
	{0, "theme", "NAME", "light or dark", take_theme},
	{0, "flame", "[=OF]",
	 "draw a flame graph of cpu time (cpu), of waiting (off), or of memory:\n"
	 "bytes taken, their count, peak, or left, which is never freed",
	 take_flame},
	{0, "path", NULL, "draw the critical path, which the end of the run waited for", take_path},
	{0, "once", NULL, "end when the page in the browser is closed", take_once},
	{0, "follow", NULL,
	 "show a program that still runs: read its logs again and again", take_follow},
	{0, "dump", NULL, "print what would be drawn, as text, and draw nothing", take_dump},
	{'h', "help", NULL, "print this and exit", take_help},
	{0, "version", NULL, "print the version and exit", take_version},
	{0, NULL, NULL, NULL, NULL},
};

static void take_help(const char *unused)
{
	(void)unused;
	puts("Usage: gorge [OPTION]... DIR...\n"
	     "\n"
	     "Draws the time-space diagram of a run: time goes right, each thread has a lane, symbols\n"
	     "mark events, bars are intervals within a thread, lines lead from thread to thread.\n"
	     "DIR is a log directory; several are one trace. Without -o the view opens in the browser:\n"
	     "its address, which only this machine can reach, is printed; Ctrl-C ends it.\n");
	usage_print(choices);
	puts("\n"
	     "Events without a symbol and intervals without a connection in the specification are only\n"
	     "drawn when --events or --intervals name them, or when all of them are without one.\n"
	     "\n"
	     "Examples:\n"
	     "  gorge run1                                    to look around, in the browser\n"
	     "  gorge run1 --follow                           the same of a program that still runs\n"
	     "  gorge run1 -o run1.svg                        the whole run\n"
	     "  gorge run1 -o run1.html                       to look around without gorge: for a bug report\n"
	     "  gorge run1 --from 20ms --to 25ms -o burst.png a part of it, closer\n"
	     "  gorge run1 --intervals Transit -o t.pdf       one kind of interval\n"
	     "  gorge run1 --lanes threads,locks -o locks.png who has each lock, and who waits for it\n"
	     "  gorge run1 -s mine.spec -o new.svg            intervals that you just thought of\n"
	     "  gorge --flame run1 -o flame.svg               which functions take the time\n"
	     "  gorge --flame=off run1 -o waits.svg           and what is waited for in them\n"
	     "\n"
	     "Exit status: 0 drawn, 2 error.");
	usage_end();
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
	if (taken.source.follow && (taken.output || taken.dump))
		usage_fail("--follow shows the program in the browser; leave out %s",
			   taken.dump ? "--dump" : "-o");
	if (taken.view.order == ORDER_LOGICAL && taken.view.tracks)
		usage_fail("--track draws over time; leave it out, or --order logical");
	if (taken.view.order == ORDER_LOGICAL && (taken.view.has_from || taken.view.has_to))
		usage_fail("--from and --to are times, and --order logical has none; leave them out");
	if (taken.flame >= 0 && !taken.output && !taken.dump)
		usage_fail("--flame draws a file; name it with -o FILE.svg");
	if (taken.path && !taken.output && !taken.dump)
		usage_fail("--path is for files; in the browser the key q has the critical path");
	if (taken.path && taken.view.order == ORDER_LOGICAL)
		usage_fail("--path is of times, and --order logical has none; leave one out");
	if (taken.source.ndirectories == 0)
		usage_fail("name a log directory, such as glimpse.PROGRAM.PID");
	return taken;
}
