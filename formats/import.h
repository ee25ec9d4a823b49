/*
 * Imports: logs from another tool's trace. One file of this folder for each format; import.c lists
 * them.
 */
#ifndef GLIMPSE_FORMATS_IMPORT_H
#define GLIMPSE_FORMATS_IMPORT_H

#include "formats/logs.h"
#include <stdio.h>
#include <sys/types.h>

enum { IMPORT_HEAD = 4096, IMPORT_ARGUMENTS = 32 };

/* What is imported: a file, which may be compressed (gzip), or a directory. */
struct import_input {
	const char *path;
	bool directory;
	unsigned char head[IMPORT_HEAD + 1]; /* the first bytes of a file, with a NUL behind them */
	size_t nhead;
	const char *spec; /* a specification of the user's, -s; NULL: none */
	int64_t modified; /* when the first file was, in seconds since 1970 */
	struct diag *diag;
	/* Private: */
	int pid;             /* of the command that reads it; 0: none */
	const char *tool;    /* its name */
	void *file;          /* of zlib */
	size_t given;        /* of the head, by import_read() */
	uint64_t size, done; /* bytes: of the file; taken by import_read() */
	uint64_t line;       /* of import_line() */
	char *text;
	size_t room, from, to;
	const char *const *more; /* the paths of further files */
	unsigned nmore;
};

struct import_format {
	const char *name;
	const char *summary; /* a line of --format=list */
	/* Returns whether a file or directory looks like it. NULL: it must be named. */
	bool (*recognise)(const struct import_input *in);
	/*
	 * Sets the command whose standard output is read in place of the file: argv, ending with
	 * NULL, in room for IMPORT_ARGUMENTS. It is started before this process is confined. NULL,
	 * or none set: the file itself is read. Returns false after a report to diag.
	 */
	bool (*command)(struct import_input *in, const char **argv);
	/*
	 * Loads what a confined process could not, such as plugins; NULL: nothing. Returns false
	 * after a report.
	 */
	bool (*prepare)(struct import_input *in);
	bool several; /* it may be several files, which import_next() opens one after another */
	/*
	 * Reads all of it. Returns false after a report to diag: nothing is then left of the logs.
	 * What is damaged at the end of a file is an error as well: import_fail() says where.
	 */
	bool (*read)(struct import_input *in, struct logs *l);
};

extern const struct import_format import_bpftrace, import_chrome, import_csv, import_ctf,
    import_firefox, import_fxt, import_graze, import_jfr, import_jsonl, import_logfmt, import_otf2,
    import_otlp, import_perf, import_perfetto, import_strace, import_text, import_uftrace;

/* All of them, in the order in which they are tried; ends with NULL. */
extern const struct import_format *const import_formats[];
/* Returns the format of a name, or NULL. */
const struct import_format *import_format_named(const char *name);
/* Returns the first format that recognises the input, or NULL. */
const struct import_format *import_format_of(const struct import_input *in);

/* Opens what is at a path. Returns false after a report to diag. */
bool import_open(struct import_input *in, const char *path, const char *spec, struct diag *diag);
void import_close(struct import_input *in);
/* Says that n further files belong to it; the paths outlive it. */
void import_more(struct import_input *in, const char *const *paths, unsigned n);

/*
 * Starts the command that a format needs to read the input; nothing if it needs none. Call it
 * before the process is confined. Returns false after a report to diag. import_run() reports a
 * command that failed.
 */
bool import_start(struct import_input *in, const struct import_format *format);

/*
 * Makes logs of it in a directory, which exists and is empty. Returns false after a report to diag.
 */
bool import_run(struct import_input *in, const struct import_format *format, const char *directory);

/* ---- for formats ---- */

/*
 * Reads up to n bytes, decompressed; returns how many, 0 at the end, or -1 after a report. Shows
 * progress.
 */
ssize_t import_read(struct import_input *in, void *to, size_t n);
/*
 * Reads a line without its end (\n or \r\n); returns its length, or -1 at the end of the file or
 * after a report, which *bad says. The line is valid until the next call, and has a NUL behind it.
 */
ssize_t import_line(struct import_input *in, char **line, bool *bad);

/* Returns whether import_rewind() can: it is a file, not a pipe. */
bool import_can_rewind(const struct import_input *in);
/*
 * Goes back to the first byte. Returns false after a report: what a command writes comes only once.
 */
bool import_rewind(struct import_input *in);
/*
 * Goes on with the next file, at its end. Returns false if there is none, or after a report, which
 * *bad says.
 */
bool import_next(struct import_input *in, bool *bad);

/* Reports "PATH: byte N: ...", of lines "PATH:LINE: ...". Returns false. */
__attribute__((format(printf, 2, 3))) bool import_fail(struct import_input *in, const char *format,
						       ...);
/* Reports which library a format needs, and which packages have it. Returns false. */
bool import_built_without(struct import_input *in, const char *library, const char *packages);
/* Warns of n things of a kind that were passed over: "PATH: N WHAT". Nothing if n is 0. */
void import_passed_over(struct import_input *in, uint64_t n, const char *what);

#endif
