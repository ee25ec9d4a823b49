#include "cli/record/command_line.h"
#include "base/array.h"
#include "base/units.h"
#include "base/usage.h"
#include "cli/record/options_file.h"
#include "recorder/messages.h"
#include "recorder/refusals.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PROBES "threads,scheduler,samples"

static struct command_line wanted;

static void take_directory(const char *value)
{
	if (!*value)
		usage_fail("-o needs the name of a directory");
	wanted.directory = value;
}

static void take_probes(const char *value)
{
	char *wrong;

	if (strcmp(value, "list") == 0) {
		probes_print(stdout);
		usage_end();
	}
	wrong = probes_choose(&wanted.probes, value);
	if (wrong)
		usage_fail("%s", wrong);
	if (!value[strspn(value, ",")])
		usage_fail("--probes needs the name of a probe; --probes list lists them");
	wanted.usual = false;
}

static void take_record_spec(const char *value)
{
	struct diag diag = {.out = stderr, .program = RECORD_NAME};

	if (!users_spec_add(&wanted.spec, value, &diag))
		usage_fail("-s %s: this specification cannot be used", value);
}

static void take_children(const char *value)
{
	static const char *const names[] = {"yes", "no"};

	wanted.leave_children = usage_choice("--children", "value", names, 2, value) == 1;
}

/* Takes a word and a size, which is not 0. */
static bool size_take(const char **at, const char *word)
{
	size_t n = strlen(word), digits, zeros;

	if (strncmp(*at, word, n) != 0)
		return false;
	digits = strspn(*at + n, "0123456789");
	zeros = strspn(*at + n, "0");
	if (digits == zeros)
		return false;
	*at += n + digits;
	*at += strspn(*at, "KMG") ? 1 : 0;
	return true;
}

/* Returns what may have been meant, which the caller frees, or NULL. */
static char *keep_guess(const char *value)
{
	const char *size = strpbrk(value, ":= "), *end = size ? size + 1 : value;

	if (!size || !strchr("nlof", *value) || !size_take(&end, "") || *end)
		return NULL;
	return text_format("%s:%s", strchr("nl", *value) ? "newest" : "oldest", size + 1);
}

/* As the runtime reads it; there a mistake is too late. */
static void take_keep(const char *value)
{
	const char *at = value;
	char *guess;

	wanted.keep = value;
	if (strcmp(value, "all") == 0)
		return;
	if (size_take(&at, "oldest:") || size_take(&at, "newest:"))
		at += *at == ',';
	if (at != value && !*at)
		return;
	if (size_take(&at, "all:") && !*at)
		return;
	if ((guess = keep_guess(value)))
		usage_fail("--keep: unknown limit '%s'; did you mean '%s'?", value, guess);
	usage_unknown(
	    "--keep", "limit",
	    (const char *const[]){"all", "oldest:SIZE", "newest:SIZE, such as newest:64M"}, 3,
	    value, strlen(value));
}

static bool drop_is_good(const char *value)
{
	const char *number = strchr(value, '=');
	int64_t ns;

	if (!number || !number[1 + strspn(number + 1, "0. ")])
		return false;
	if (strncmp(value, "calls=", 6) == 0)
		return !value[6 + strspn(value + 6, "0123456789")];
	return strncmp(value, "shorter=", 8) == 0 && units_parse_time(value + 8, &ns) && ns > 0;
}

static void take_drop(const char *value)
{
	char *list = text_format("%s", value), *rest = list;

	for (char *part; (part = strsep(&rest, ","));)
		if (!drop_is_good(part))
			usage_unknown(
			    "--drop", "condition",
			    (const char *const[]){"calls=N", "shorter=TIME, such as shorter=200ns"},
			    2, part, strlen(part));
	free(list);
	wanted.drop = wanted.drop ? text_format("%s,%s", wanted.drop, value) : value;
}

static void take_every(const char *value)
{
	if (usage_time("--every", value) < 100000)
		usage_fail("--every: '%s' is not a time of 100us or more, such as 10ms", value);
	wanted.every = value;
}

/* Reads a whole number within bounds; option: its name. */
static uint32_t number_take(const char *option, const char *value, unsigned long least,
			    unsigned long most)
{
	char *end;
	unsigned long number = strtoul(value, &end, 10);

	if (!strchr("0123456789", *value) || end == value || *end || number < least ||
	    number > most)
		usage_fail("%s: '%s' is not a number from %lu to %lu", option, value, least, most);
	return (uint32_t)number;
}

static void take_sample(const char *value)
{
	wanted.rate = number_take("--sample", value, 1, 10000);
}

static void take_stack(const char *value)
{
	wanted.stack = number_take("--stack", value, 1024, 32768) & ~7u;
}

static void take_functions(const char *value)
{
	wanted.functions = wanted.functions ? text_format("%s,%s", wanted.functions, value) : value;
}

static void take_attach(const char *value)
{
	char *end;
	long pid = strtol(value, &end, 10);

	if (end == value || *end || pid <= 0)
		usage_fail("--attach: '%s' is not a process id", value);
	wanted.attach = (pid_t)pid;
}

static void take_jit(const char *unused)
{
	(void)unused;
	wanted.jit = true;
}

static void take_full(const char *unused)
{
	(void)unused;
	wanted.full = true;
}

static void take_require(const char *value)
{
	char *end;
	double percent = strtod(value, &end);

	if (end == value || strcmp(end, "%") != 0 || !(percent > 0 && percent <= 100))
		usage_fail("--require: '%s' is no share, such as 95%%", value);
	wanted.require = percent / 100;
}

static void take_quiet(const char *unused)
{
	(void)unused;
	wanted.quiet = true;
}

static void take_record_help(const char *unused);

static const struct choice record_options[] = {
    {'o', NULL, "DIR", "record to this directory (glimpse.PROGRAM.PID)", take_directory},
    {'p', "probes", "LIST", "what to record (" DEFAULT_PROBES "); 'list' explains them",
     take_probes},
    {'s', "spec", "SPEC",
     "add intervals from this specification, for all tools that read\nthis run (repeatable)",
     take_record_spec},
    {0, "children", "no", "do not record the processes that the program starts", take_children},
    {0, "keep", "WHAT",
     "keep newest:SIZE of each thread, oldest:SIZE of each log, or all\n(GLIMPSE_KEEP, else all)",
     take_keep},
    {0, "drop", "WHEN",
     "stop recording a function, lock or allocation site after N calls\n"
     "(calls=N), or if its calls are shorter on average (shorter=TIME)",
     take_drop},
    {0, "full", NULL,
     "record all, whatever it costs: each acquisition of a free lock,\nand samples at the full rate",
     take_full},
    {0, "require", "SHARE", "fail if less of the program's processor time was seen (95%)",
     take_require},
    {0, "every", "TIME", "sample resources once per TIME (10ms)", take_every},
    {0, "sample", "HZ", "sample a running thread's call stack at this rate (997)", take_sample},
    {0, "stack", "BYTES", "unwind a sample from this much of the stack (8192)", take_stack},
    {0, "jit", NULL, "make node and Python (3.12 or later) name their functions", take_jit},
    {0, "functions", "PATTERN", "record only functions or methods that match ('std::*')",
     take_functions},
    {0, "attach", "PID", "observe a running process\n(scheduler, samples, resources)", take_attach},
    {'q', "quiet", NULL, "print no summary and no notes", take_quiet},
    {'h', "help", NULL, "print this help", take_record_help},
    {0, NULL, NULL, NULL, NULL},
};

static void take_record_help(const char *unused)
{
	(void)unused;
	fputs(
	    "usage: " RECORD_NAME " [OPTIONS] [@FILE] -- PROGRAM [ARGUMENT...]\n\n"
	    "Runs an unmodified program and records what its threads do: which ones run, and\n"
	    "which ones wait and for whom. The result is a directory for gorge and all\n"
	    "subcommands of glimpse. The program keeps its streams, signals, terminal and exit\n"
	    "status. The processes that it starts are recorded, too. @FILE reads options from a\n"
	    "file, which is split into words like a shell command; # begins a comment.\n\noptions:\n",
	    stdout);
	usage_print(record_options);
	fputs("\nexamples:\n"
	      "  " RECORD_NAME " -o run1 -- pigz -p4 big.tar && gorge run1\n"
	      "  " RECORD_NAME " --probes threads,scheduler,memory -- ./server --port 80\n"
	      "  " RECORD_NAME " --probes list\n"
	      "\nExit status: the program's; 128 + n after signal n; 127 if the program does not\n"
	      "exist, 126 if it cannot be run, 125 after an error of " RECORD_NAME ".\n",
	      stdout);
	usage_end();
}

/* Reads a line of a file like a command line of its own. */
static void line_take(const char *path, const struct options_line *l)
{
	char **words = array_zero(l->nwords + 2, sizeof *words);
	char *place = text_format("%s:%u: ", path, l->number);
	int count = (int)l->nwords + 1;

	usage_place(place);
	words[0] = (char *)RECORD_NAME;
	memcpy(words + 1, l->words, l->nwords * sizeof *words);
	if (usage_read_leading(RECORD_NAME, record_options, count, words) < count)
		usage_fail("'%s' is not an option; name the program on the command line",
			   words[optind]);
	usage_place("");
	free(place);
	free(words);
}

static void file_take(const char *path)
{
	static VECTOR(struct options_file) files; /* their words are values of options */
	struct options_file *f = vector_add(&files);
	unsigned line;
	char *wrong = options_file_read(f, path, &line);

	if (wrong && line)
		usage_fail("%s:%u: %s", path, line, wrong);
	if (wrong)
		usage_fail("%s: %s", path, wrong);
	for (size_t i = 0; i < f->nlines; i++)
		line_take(path, &f->lines[i]);
}

/* Returns the program and its arguments, in argv. */
static char **record_command_line(int argc, char **argv)
{
	int at = 0;

	for (;;) {
		bool ended;

		argv[at] = (char *)RECORD_NAME;
		at += usage_read_leading(RECORD_NAME, record_options, argc - at, argv + at);
		ended = strcmp(argv[at - 1], "--") == 0;
		if (ended || at >= argc || argv[at][0] != '@' || !argv[at][1])
			return argv + at;
		file_take(argv[at] + 1);
	}
}

/* Those that are there: a build may lack some. */
static void default_probes_choose(void)
{
	static const char *const usual[] = {"threads", "scheduler", "samples", NULL};
	static const char *const outside[] = {"scheduler", "samples", "resources", NULL};
	const char *const *names = wanted.attach ? outside : usual;

	for (size_t i = 0; names[i]; i++) {
		char *wrong = probes_choose(&wanted.probes, names[i]);

		if (wrong && probes_known(names[i]))
			record_note("%s", wrong);
		free(wrong);
	}
}

/* Those that look at names of functions, or libraries of the user's own, which may. */
static bool functions_wanted(const struct probes *p)
{
	bool own = false;

	for (size_t i = 0; i < p->count; i++)
		own |= strchr(p->names[i], '/') != NULL;
	return own || probes_have(p, "functions") || probes_have(p, "java");
}

struct command_line command_line_take(int argc, char **argv)
{
	usage_failure(RECORD_FAILED);
	wanted.usual = true;
	wanted.program = record_command_line(argc, argv);
	messages_quiet = wanted.quiet;
	if (wanted.usual)
		default_probes_choose();
	if (wanted.functions && !functions_wanted(&wanted.probes))
		usage_fail("--functions needs the probe functions or java; add --probes functions");
	if ((wanted.rate || wanted.stack) && !probes_have(&wanted.probes, "samples"))
		usage_fail("--sample and --stack need the probe samples; add it to --probes");
	if (wanted.jit && (wanted.attach || !probes_have(&wanted.probes, "samples")))
		usage_fail("--jit %s",
			   wanted.attach
			       ? "cannot be combined with --attach: the program runs already"
			       : "needs the probe samples; add it to --probes");
	if (wanted.attach && *wanted.program)
		usage_fail("--attach observes a running process and takes no program");
	if (!wanted.attach && !*wanted.program)
		usage_fail("no program given");
	return wanted;
}
