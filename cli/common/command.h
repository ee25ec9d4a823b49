/*
 * Declares what the subcommands of glimpse share. A subcommand is one file that defines one struct
 * command; glimpse.c lists them.
 */
#ifndef GLIMPSE_CLI_COMMON_COMMAND_H
#define GLIMPSE_CLI_COMMON_COMMAND_H

#include "base/usage.h"
#include "trace/trace.h"
#include <stdio.h>

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };
#define FORMATS(f) (1u << (f))

/* Exit statuses of every subcommand. */
enum { EXIT_FINE = 0, EXIT_NO = 1, EXIT_ERROR = 2 };

/* What the command line asks for, beside the subcommand's own options. */
struct command_request {
	const char *const *directories;
	unsigned ndirectories;
	unsigned nfirst;        /* of them, before the argument "--"; all, without one */
	const char *spec;       /* -s; NULL: those of the logs */
	const char *hypotheses; /* another specification that is read; NULL: there is none */
	enum format format;
	FILE *out;          /* standard output; errors are reported at the end */
	const char *output; /* -o; NULL: there was none */
	const char *report; /* another file that is written; NULL: there is none */
	struct diag diag;
};

struct command {
	const char *name;
	const char *summary;  /* one line */
	const char *operands; /* NULL: DIRECTORY..., log directories; [...]: optional */
	const char *teaches;  /* what --help says between the usage and the options */
	const char *examples; /* lines of --help */
	unsigned formats;     /* FORMATS() of what --format may be; 0: there is none */
	bool wraps;           /* lines of text may be wrapped: they are no data */
	bool compares;        /* its directories are not one trace: "--" parts them */
	bool steers;          /* writes to log directories, and asks who runs */
	bool looks;           /* its operand is a process that runs: it cannot be confined */
	const struct choice *options;
	/*
	 * Does what a confined program cannot, before the command is confined, and reads nothing of
	 * the logs; NULL: there is no such thing. An exit status: all but EXIT_FINE end the
	 * command.
	 */
	int (*before)(struct command_request *r);
	int (*run)(struct command_request *r); /* gives an exit status */
};

/* Parses the command line of a subcommand and runs it. */
int command_main(const struct command *c, int argc, char **argv);

/*
 * Confines this process to the files that the command line names, and what the command puts beside
 * them; for other processes than the command's own, which is confined before it runs.
 */
void request_confine(const struct command_request *r);

/* Says which program messages begin with, where it is another one that the user ran. */
void request_take_program(const char *name);
/* Takes the value of -o; for the tables of subcommands that make something. */
void request_take_output(const char *path);
/* Says which specification is read besides. */
void request_take_hypotheses(const char *path);
/* Says which file is written besides. */
void request_take_report(const char *path);
/* Returns whether nothing has the name of -o, or reports it. what: "file", "directory". */
bool request_output_is_free(struct command_request *r, const char *what);
/*
 * Makes a directory that fill() fills with files: the directory appears when it is complete, or not
 * at all. Returns an exit status, as fill() does.
 */
typedef int directory_fill(void *context, const char *path, struct diag *diag);
int directory_make(const char *path, directory_fill *fill, void *context, struct diag *diag);

/* Opens the trace that the command line names; returns NULL after a report to diag. */
struct trace *request_open(struct command_request *r);
/* Opens a part of the trace that the command line names. */
struct trace *request_open_part(struct command_request *r, const struct trace_part *part);

/* The subcommand that makes a trace, with a command line of its own; returns an exit status. */
int record_main(int argc, char **argv);

extern const struct command cmd_check, cmd_ctl, cmd_diff, cmd_events, cmd_export, cmd_holds,
    cmd_import, cmd_info, cmd_locks, cmd_match, cmd_memory, cmd_pack, cmd_profile, cmd_rank,
    cmd_spark_submit, cmd_sql, cmd_stats, cmd_symbols, cmd_threads, cmd_unpack, cmd_whatif, cmd_why;

#endif
