#include "viewers/nibble/options.h"
#include "base/usage.h"
#include "config.h"
#include "spec/import_path.h"
#include "trace/trace.h"
#include "viewers/nibble/expr/node.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void help_usage(void)
{
	fputs("usage: nibble [OPTION...] DIRECTORY... EXPRESSION...\n"
	      "Draws statistics of a run over time. Expressions with equal units share a plot. "
	      "Several\n"
	      "directories are runs, which are drawn over one another.\n"
	      "\n",
	      stdout);
}

static void help_examples(void)
{
	fputs("\nExamples, where run1 was made by glimpse record:\n"
	      "  nibble run1 'parallel(Running)' 'parallel(Ready)' -o processors.png\n"
	      "  nibble run1 'open(LockWait)' -o waits.png\n"
	      "  nibble run1 'p50(LockWait.time, window 10 ms)' 'p99(LockWait.time, window 10 ms)' "
	      "--log y\n"
	      "  nibble run1 'hist(LockHold.time)' -o holds.svg\n"
	      "  nibble run1 'rate(Lock) per thread' --csv\n"
	      "\n"
	      "Exit status: 0 drawn, 2 error. See nibble(1) for details.\n",
	      stdout);
}

static void help_language(void)
{
	fputs("\nFunctions (E: an event; I: an interval; X: either; X.v: an attribute of an event, "
	      "or a metric\n"
	      "or the time of an interval; s: a series):\n",
	      stdout);
	for (const struct function *f = functions; f->name; f++)
		printf("  %-16s %s\n", f->example, f->does);
	fputs(
	    "\n"
	    "After a name: [thread=0] [thread=\"worker*\"] [where src == 3]. After the last "
	    "argument: window 5 ms\n"
	    "or, for hist, bins 20. After a function: per thread, per src, per (a.size / 64 KiB).\n"
	    "Between series and numbers (3, 10 ms, 64 KiB): + - * / ( ).\n",
	    stdout);
	help_examples();
}

static struct nibble_options taken;

static void take_output(const char *path)
{
	taken.output = path;
}

static void take_spec(const char *path)
{
	taken.spec = path;
}

static void take_file(const char *path)
{
	taken.file = path;
}

static void take_sweep(const char *path)
{
	taken.sweep = path;
}

static void take_from(const char *text)
{
	taken.from = usage_signed_time("--from", text);
}

static void take_to(const char *text)
{
	taken.to = usage_signed_time("--to", text);
}

static void take_threads(const char *list)
{
	taken.threads = list;
}

static void take_title(const char *text)
{
	taken.plot.title = (char *)text;
}

static void take_size(const char *text)
{
	char rest;

	if (sscanf(text, "%5ux%5u%c", &taken.plot.width, &taken.plot.height, &rest) != 2 ||
	    taken.plot.width < 100 || taken.plot.height < 100 || taken.plot.width > 20000 ||
	    taken.plot.height > 20000)
		usage_fail("--size: '%s' is not a size; write 1200x675, each from 100 to 20000",
			   text);
}

static void take_log(const char *axes)
{
	static const char *const names[] = {"x", "y", "xy"};

	usage_choice("--log", "axis", names, 3, axes);
	taken.plot.log_x = strchr(axes, 'x') != NULL;
	taken.plot.log_y = strchr(axes, 'y') != NULL;
}

static void take_grid(const char *unused)
{
	(void)unused;
	taken.plot.grid = true;
}

static void choose(enum nibble_action action)
{
	if (taken.action != ACTION_DRAW && taken.action != action)
		usage_fail("--csv, --json and --dump cannot be combined");
	taken.action = action;
}

static void take_csv(const char *unused)
{
	(void)unused;
	choose(ACTION_CSV);
}

static void take_json(const char *unused)
{
	(void)unused;
	choose(ACTION_JSON);
}

static void take_dump(const char *unused)
{
	(void)unused;
	choose(ACTION_DUMP);
}

static void take_allow_empty(const char *unused)
{
	(void)unused;
	taken.allow_empty = true;
}

static void take_align(const char *event)
{
	taken.align = event;
}

static void take_join(const char *unused)
{
	(void)unused;
	taken.join = trace_joins_runs = true;
}

__attribute__((noreturn)) static void take_version(const char *unused)
{
	(void)unused;
	puts("nibble (" PACKAGE_NAME ") " PACKAGE_VERSION);
	usage_end();
}

static void take_help(const char *unused);

static const struct choice choices[] = {
    {'o', "output", "FILE", "draw into FILE.png, .svg, .pdf or .html (default: a window, or text)",
     take_output},
    {'f', "file", "FILE", "also draw the expressions in FILE; \"plot TITLE\" begins a plot",
     take_file},
    {0, "sweep", "FILE", "draw the CSV of glimpse whatif --sweep --format=csv (-: standard input)",
     take_sweep},
    {'s', "spec", "FILE", "read the intervals from FILE instead of the logs", take_spec},
    {'I', NULL, "DIR", "also search DIR for files that the specification imports",
     import_folder_add},
    {0, "from", "TIME", "start at TIME after the first event: 12.5ms, 3us, 1s", take_from},
    {0, "to", "TIME", "end at TIME", take_to},
    {0, "threads", "LIST", "use only these threads: numbers, names or patterns: 0-3,main,worker*",
     take_threads},
    {0, "title", "TEXT", "title of the plot", take_title},
    {0, "size", "WxH", "size in pixels of 1/96 inch (default 1200x675)", take_size},
    {0, "log", "AXES", "make axes logarithmic: x, y or xy", take_log},
    {0, "grid", NULL, "draw each expression in a separate plot", take_grid},
    {0, "align", "EVENT", "count time from the first EVENT of each run", take_align},
    {0, "join", NULL, "treat the directories as processes of one run", take_join},
    {0, "allow-empty", NULL, "accept a selection without events", take_allow_empty},
    {0, "csv", NULL, "print the series: series,from,to,value (ns, bytes)", take_csv},
    {0, "json", NULL, "print the series as JSON", take_json},
    {0, "dump", NULL, "print the gnuplot script with its data", take_dump},
    {'h', "help", NULL, "print this help and exit", take_help},
    {'V', "version", NULL, "print the version and exit", take_version},
    {0, NULL, NULL, NULL, NULL},
};

__attribute__((noreturn)) static void take_help(const char *unused)
{
	(void)unused;
	help_usage();
	usage_print(choices);
	help_language();
	usage_end();
}

/*
 * What exists is a log directory or a packed trace; the rest are expressions. The first one is
 * always a run.
 */
static void take_operands(char **operands)
{
	taken.runs = (const char *const *)operands;
	if (taken.sweep && operands[0])
		usage_fail("--sweep reads all curves from its file; leave out '%s'", operands[0]);
	if (taken.sweep)
		return;
	if (!operands[0])
		usage_fail("no log directory given; name one, such as glimpse.PROGRAM.PID");
	taken.nruns = 1;
	while (operands[taken.nruns] && access(operands[taken.nruns], F_OK) == 0)
		taken.nruns++;
	taken.expressions = taken.runs + taken.nruns;
	while (taken.expressions[taken.nexpressions])
		taken.nexpressions++;
}

void nibble_options_read(struct nibble_options *o, int argc, char **argv)
{
	int first;

	taken = (struct nibble_options){.from = INT64_MIN, .to = INT64_MAX};
	first = usage_read("nibble", choices, argc, argv);
	if (taken.from >= taken.to)
		usage_fail("--from must be before --to");
	take_operands(argv + first);
	*o = taken;
}
