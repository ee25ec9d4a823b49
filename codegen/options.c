#include "codegen/options.h"
#include "codegen/java.h"
#include "codegen/memory.h"
#include "config.h"
#include "spec/warnings.h"
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

	fputs("glimpsec: error: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputs("; see glimpsec --help\n", stderr);
	exit(2);
}

static void apply_language(struct options *o, const char *name)
{
	o->target = target_find(name);
	if (!o->target)
		refuse("there are no stubs for the language '%s'", name);
}

static void apply_output(struct options *o, const char *directory)
{
	o->directory = directory;
}

static void apply_class(struct options *o, const char *name)
{
	(void)o;
	if (!java_choose_class(name))
		refuse("a class of Java cannot be called '%s'", name);
}

static void apply_package(struct options *o, const char *name)
{
	(void)o;
	if (!java_choose_package(name))
		refuse("a package of Java cannot be called '%s'", name);
}

static void choose(struct options *o, enum action action)
{
	if (o->action != ACTION_GENERATE && o->action != action)
		refuse("--check, --dump and --estimate exclude each other");
	o->action = action;
}

static void apply_check(struct options *o, const char *unused)
{
	(void)unused;
	choose(o, ACTION_CHECK);
}

static void apply_dump(struct options *o, const char *unused)
{
	(void)unused;
	choose(o, ACTION_DUMP);
}

static void apply_estimate(struct options *o, const char *unused)
{
	(void)unused;
	choose(o, ACTION_ESTIMATE);
}

static void check_warning(const char *name)
{
	for (const struct warning *w = warnings; w->name; w++)
		if (!strcmp(w->name, name))
			return;
	refuse("there is no warning '%s'", name);
}

static void mute(struct options *o, const char *name)
{
	const char **m = o->muted;

	while (*m)
		m++;
	*m = name;
}

static void unmute(struct options *o, const char *name)
{
	const char **kept = o->muted;

	for (const char **m = o->muted; *m; m++)
		if (strcmp(*m, name))
			*kept++ = *m;
	*kept = NULL;
}

static void apply_warning(struct options *o, const char *name)
{
	bool on = strncmp(name, "no-", 3) != 0;

	if (!on)
		name += 3;
	if (!strcmp(name, "error")) {
		o->warnings_are_errors = on;
		return;
	}
	check_warning(name);
	if (on)
		unmute(o, name);
	else
		mute(o, name);
}

static void apply_help(struct options *o, const char *unused);

static void apply_version(struct options *o, const char *unused)
{
	(void)o, (void)unused;
	puts("glimpsec (" PACKAGE_NAME ") " PACKAGE_VERSION);
	exit(0);
}

static const struct choice choices[] = {
	{'l', "language", "LANG", "the program's language, below (default: c)", apply_language},
	{'o', "output", "DIR", "where the files go (default: the working directory)", apply_output},
	{0, "class", "NAME", "for Java: the class (default: GzEvent)", apply_class},
	{0, "package", "NAME", "for Java: the class's package (default: none)", apply_package},
	{0, "check", NULL, "look for errors only; write no file", apply_check},
	{0, "dump", NULL, "print what the specification means, as JSON", apply_dump},
	{0, "estimate", NULL, "print the bytes that each event takes in a log", apply_estimate},
	{'W', NULL, "NAME", "-Wno-NAME mutes a warning; -Werror: all are errors", apply_warning},
	{'h', "help", NULL, "print this", apply_help},
	{'V', "version", NULL, "print the version", apply_version},
};
enum { NCHOICES = sizeof choices / sizeof *choices };

static void print_choice(const struct choice *c)
{
	char form[64];

	if (!c->name)
		snprintf(form, sizeof form, "-%c%s", c->letter, c->argument);
	else
		snprintf(form, sizeof form, "%c%c%c --%s%s%s", c->letter ? '-' : ' ',
			 c->letter ? c->letter : ' ', c->letter ? ',' : ' ', c->name,
			 c->argument ? "=" : "", c->argument ? c->argument : "");
	printf("  %-22s %s\n", form, c->help);
}

static const char *const introduction =
	"Usage: glimpsec [OPTION]... SPEC...\n"
	"From a specification of events and intervals, write the functions that log the events.\n"
	"SPEC is a file, or - for standard input.\n"
	"\n";

static const char *const example =
	"\n"
	"A specification says which moments matter and which of them belong together:\n"
	"\n"
	"  $ cat messages.spec\n"
	"  glimpse messages\n"
	"    event Sendmsg(src, seq) = plus;\n"
	"    event Recvmsg(src, seq) = box;\n"
	"    interval Transit [ s:Sendmsg -> r:Recvmsg ] Match = line;\n"
	"  end\n"
	"\n"
	"glimpsec writes one function for each event; the program calls it at that moment:\n"
	"\n"
	"  $ glimpsec messages.spec           # messages_glimpse.h, messages_glimpse.c\n"
	"  #include \"messages_glimpse.h\"      // in prog.c\n"
	"  Sendmsg_Stamp(self, number);       // where a message is sent\n"
	"  $ cc prog.c messages_glimpse.c -lglimpse -o prog\n"
	"  $ GLIMPSE_DIR=run1 ./prog\n"
	"  $ glimpse stats run1               # how long the messages took\n"
	"\n"
	"-DGLIMPSE_DISABLE compiles the calls to nothing.\n"
	"Exit status: 0 fine; 2 there was an error, and no file was written.\n";

static void apply_help(struct options *o, const char *unused)
{
	(void)o, (void)unused;
	fputs(introduction, stdout);
	for (int i = 0; i < NCHOICES; i++)
		print_choice(&choices[i]);
	puts("\nLanguages:");
	for (const struct target *const *t = targets; *t; t++)
		printf("  %-22s %s\n", (*t)->name, (*t)->description);
	puts("\nWarnings:");
	for (const struct warning *w = warnings; w->name; w++)
		printf("  %-22s %s\n", w->name, w->meaning);
	fputs(example, stdout);
	exit(0);
}

/* getopt's two forms of the table. A long option's value is its index behind all letters. */
enum { LONG_BASE = 256 };

static void forms_make(char *letters, struct option *names)
{
	for (int i = 0; i < NCHOICES; i++) {
		const struct choice *c = &choices[i];
		if (c->letter)
			*letters++ = c->letter;
		if (c->letter && c->argument)
			*letters++ = ':';
		if (c->name)
			*names++ = (struct option){
				.name = c->name,
				.has_arg = c->argument ? required_argument : no_argument,
				.val = LONG_BASE + i,
			};
	}
}

static const struct choice *choice_find(int value)
{
	for (int i = 0; i < NCHOICES; i++)
		if (value == LONG_BASE + i || value == choices[i].letter)
			return &choices[i];
	fputs("Try 'glimpsec --help'.\n", stderr);
	exit(2);
}

struct options options_read(int argc, char **argv)
{
	struct options o = {
		.target = targets[0],
		.directory = ".",
		.muted = memory_new((size_t)argc + 1, sizeof *o.muted), /* one for each argument */
	};
	char letters[2 * NCHOICES + 1] = "";
	struct option names[NCHOICES + 1] = {0};
	int value;

	forms_make(letters, names);
	while ((value = getopt_long(argc, argv, letters, names, NULL)) != -1)
		choice_find(value)->apply(&o, optarg);
	o.specs = argv + optind;
	o.nspecs = argc - optind;
	if (o.nspecs == 0)
		refuse("no specification is named");
	return o;
}

void options_free(struct options *o)
{
	free(o->muted);
}
