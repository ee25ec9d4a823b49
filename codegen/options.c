#include "codegen/options.h"
#include "base/array.h"
#include "base/usage.h"
#include "codegen/c.h"
#include "codegen/java.h"
#include "config.h"
#include "spec/import_path.h"
#include "spec/lint.h"
#include <stdlib.h>
#include <string.h>

static struct options taken;

static void take_language(const char *name)
{
	taken.target = target_find(name);
	if (!taken.target)
		usage_fail("unknown language '%s'", name);
}

static void take_output(const char *directory)
{
	taken.directory = directory;
}

static void take_class(const char *name)
{
	if (!java_choose_class(name))
		usage_fail("'%s' cannot be the name of a Java class", name);
}

static void take_package(const char *name)
{
	if (!java_choose_package(name))
		usage_fail("'%s' cannot be the name of a Java package", name);
}

static void options_choose(enum action action)
{
	if (taken.action != ACTION_GENERATE && taken.action != action)
		usage_fail("--check, --dump and --estimate cannot be combined");
	taken.action = action;
}

static void take_namespace(const char *unused)
{
	(void)unused;
	c_choose_namespace();
}

static void take_check(const char *unused)
{
	(void)unused;
	options_choose(ACTION_CHECK);
}

static void take_format(const char *name)
{
	static const char *const names[] = {"text", "json"};

	taken.json = usage_choice("--format", "format", names, 2, name) == 1;
}

static void take_dump(const char *unused)
{
	(void)unused;
	options_choose(ACTION_DUMP);
}

static void take_estimate(const char *unused)
{
	(void)unused;
	options_choose(ACTION_ESTIMATE);
}

static void mute(const char *name)
{
	const char **m = taken.muted;

	while (*m)
		m++;
	*m = name;
}

static void unmute(const char *name)
{
	const char **kept = taken.muted;

	for (const char **m = taken.muted; *m; m++)
		if (strcmp(*m, name))
			*kept++ = *m;
	*kept = NULL;
}

static void take_warning(const char *name)
{
	bool on = strncmp(name, "no-", 3) != 0;
	const struct warning *w = warnings;

	if (!on)
		name += 3;
	if (!strcmp(name, "error")) {
		taken.warnings_are_errors = on;
		return;
	}
	while (w->name && strcmp(w->name, name) != 0)
		w++;
	if (!w->name)
		usage_fail("unknown warning '%s'", name);
	if (on)
		unmute(name);
	else
		mute(name);
}

static void take_help(const char *unused);

static void take_version(const char *unused)
{
	(void)unused;
	puts("glimpsec (" PACKAGE_NAME ") " PACKAGE_VERSION);
	usage_end();
}

static const struct choice choices[] = {
    {'l', "language", "LANG", "the program's language, below (default: c)", take_language},
    {'o', "output", "DIR", "the directory to write to (default: the working directory)",
     take_output},
    {'I', NULL, "DIR", "look for imports in DIR, too; can be given more than once",
     import_folder_add},
    {0, "class", "NAME", "for Java: the class (default: GzEvent)", take_class},
    {0, "package", "NAME", "for Java: the class's package (default: none)", take_package},
    {0, "namespace", NULL,
     "for C++ and C: put the functions into a namespace of the specification's\n"
     "name, NAME::EVENT_Stamp(); in C they are called NAME_EVENT_Stamp()",
     take_namespace},
    {0, "check", NULL, "look for errors only; write no file", take_check},
    {0, "format", "FORMAT",
     "with --check: how to print messages, text (default) or json, for editors", take_format},
    {0, "dump", NULL, "print what the specification means, as JSON", take_dump},
    {0, "estimate", NULL, "print the bytes that each event takes in a log", take_estimate},
    {'W', NULL, "NAME", "-Wno-NAME disables a warning; -Werror makes all errors", take_warning},
    {'h', "help", NULL, "print this help", take_help},
    {'V', "version", NULL, "print the version", take_version},
    {0, NULL, NULL, NULL, NULL},
};

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
    "Exit status: 0 success; 2 error, and no file was written.\n";

static void take_help(const char *unused)
{
	(void)unused;
	fputs(introduction, stdout);
	usage_print(choices);
	puts("\nLanguages:");
	for (const struct target *const *t = targets; *t; t++)
		printf("  %-24s %s\n", (*t)->name, (*t)->description);
	puts("\nWarnings:");
	for (const struct warning *w = warnings; w->name; w++)
		printf("  %-24s %s\n", w->name, w->meaning);
	fputs(example, stdout);
	usage_end();
}

struct options options_read(int argc, char **argv)
{
	taken = (struct options){
	    .target = targets[0],
	    .directory = ".",
	    /* one for each argument */
	    .muted = array_zero((size_t)argc + 1, sizeof *taken.muted),
	};
	taken.specs = argv + usage_read("glimpsec", choices, argc, argv);
	while (taken.specs[taken.nspecs])
		taken.nspecs++;
	if (taken.nspecs == 0)
		usage_fail("no specification given");
	if (taken.json && taken.action != ACTION_CHECK)
		usage_fail("--format=json needs --check");
	return taken;
}

void options_free(struct options *o)
{
	free(o->muted);
}
