/* glimpse: the offline tools on a trace, one subcommand each. */
#include "base/nearest.h"
#include "base/visible.h"
#include "cli/common/command.h"
#include "cli/why.h"
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct command *const commands[] = {
    &cmd_info,  &cmd_events, &cmd_match,  &cmd_stats, &cmd_profile,      &cmd_threads,
    &cmd_locks, &cmd_memory, &cmd_rank,   &cmd_why,   &cmd_whatif,       &cmd_check,
    &cmd_diff,  &cmd_export, &cmd_import, &cmd_sql,   &cmd_spark_submit, &cmd_symbols,
    &cmd_pack,  &cmd_unpack, &cmd_ctl,    &cmd_holds,
};

#define NCOMMANDS (sizeof commands / sizeof *commands)

static void summary_print(FILE *out, const struct command *c)
{
	fprintf(out, "  %-13s %s\n", c->name, c->summary);
}

static void help_print(FILE *out)
{
	fputs(
	    "usage: glimpse SUBCOMMAND [OPTIONS] DIRECTORY...\n"
	    "       glimpse record [OPTIONS] -- PROGRAM [ARGUMENT...]\n"
	    "       glimpse why [OPTIONS] -- PROGRAM [ARGUMENT...]\n\n"
	    "Records what the threads of a program do, and analyses the recording, or the logs of a\n"
	    "program with Glimpse's stubs.\n\nTo begin with:\n"
	    "  record        run any program and record its threads, locks and scheduling\n",
	    out);
	summary_print(out, &cmd_why);
	fputs("  gorge         a program of its own: shows the recording in the browser\n\n"
	      "Others:\n",
	      out);
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (commands[i] != &cmd_why)
			summary_print(out, commands[i]);
	fputs("\nSee also 'glimpse SUBCOMMAND --help'. Exit status: 0 success, 1 the answer is no, "
	      "2 error.\n",
	      out);
}

/* Whether a command line names a program, behind "--". */
static bool names_program(char **argv)
{
	while (*argv && strcmp(*argv, "--"))
		argv++;
	return *argv != NULL;
}

static int unknown(const char *name)
{
	const char *names[NCOMMANDS + 1], *nearest;
	char *shown = visible_text(name);

	for (size_t i = 0; i < NCOMMANDS; i++)
		names[i] = commands[i]->name;
	names[NCOMMANDS] = "record";
	nearest = nearest_name(name, names, NCOMMANDS + 1);
	fprintf(stderr, "glimpse: error: unknown subcommand '%s'", shown);
	if (nearest)
		fprintf(stderr, "; did you mean '%s'?\n", nearest);
	else if (access(name, F_OK) == 0)
		fprintf(stderr, "; the subcommand comes before the directory: glimpse stats %s\n",
			shown);
	else
		fputs("; see glimpse --help\n", stderr);
	free(shown);
	return EXIT_ERROR;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;

	if (!name) {
		help_print(stderr);
		return EXIT_ERROR;
	}
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
		puts("glimpse " PACKAGE_VERSION);
		return fflush(stdout) ? EXIT_ERROR : EXIT_FINE;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
		help_print(stdout);
		return fflush(stdout) ? EXIT_ERROR : EXIT_FINE;
	}
	if (strcmp(name, "record") == 0)
		return record_main(argc - 1, argv + 1);
	if (strcmp(name, "why") == 0 && names_program(argv))
		return why_live_main(argc - 1, argv + 1);
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strcmp(name, commands[i]->name) == 0)
			return command_main(commands[i], argc - 1, argv + 1);
	return unknown(name);
}
