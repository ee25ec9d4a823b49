/* Lists the names and tails of a log directory, or of a packed file of one. */
#ifndef GLIMPSE_TRACE_OPEN_DIRECTORY_H
#define GLIMPSE_TRACE_OPEN_DIRECTORY_H

#include "trace/format/log_name.h"
#include "trace/format/process_info.h"
#include "trace/format/schema.h"
#include "trace/log/tail.h"
#include "trace/open/subdirectories.h"
#include "trace/pack/pack.h"
#include "trace/trace.h"

struct directory {
	const char *path;             /* as the user gave it, or `inner` */
	const char *given;            /* as the user gave it */
	char *inner;                  /* GIVEN/NAME, of a directory within that; else NULL */
	const char *name;             /* so, NAME */
	struct subdirectories within; /* of one that was given */
	size_t place;                 /* in which it was found */
	uint64_t device, inode;       /* 0, 0: a part of a packed file */
	char *tails_directory;        /* of its tails and process file; NULL: the same */
	struct pack *pack;            /* has its files; NULL: they are in the directory */
	struct log_name *logs;        /* in ascending order */
	size_t nlogs;
	struct log_tail *tails; /* by log; those of a container, too */
	size_t ntails;
	uint64_t container; /* bytes of the container that were read */
	char **specs;       /* paths of its .spec files, sorted */
	size_t nspecs;
	bool claimed; /* a run has begun there, or its directory is empty */
	struct process_info process;
	struct clock_samples samples; /* of its process file and its logs */
	struct clock counter, nanoseconds;
	struct trace_break *breaks; /* of the counter, within the trace */
	const struct id_table *ids; /* of all its logs, as far as they are known */
	int64_t last; /* of a recorder: ns on CLOCK_MONOTONIC of its last event; 0: none */
};

/*
 * Opens a directory; returns false, after a report to diag, if there is no log in it, unless its
 * program may have been killed before its first event.
 */
bool directory_open(struct directory *d, const char *path, struct diag *diag);
/*
 * Opens one of the directories within another, which was opened, as directory_open() does; one that
 * is no longer there, or that has no logs any more, is no error, and no process.
 */
bool directory_open_inner(struct directory *d, const struct directory *outer, const char *name,
			  struct diag *diag);
/* Returns whether it has logs or a process file: it may only have directories that have some. */
bool directory_is_process(const struct directory *d);
/* Returns whether a recorder logs others there, until it merges that into their logs. */
bool directory_is_recorder(const struct directory *d);
/* Reports that there are no logs, and where some may be. */
void directory_report_empty(const struct directory *d, struct diag *diag);
void directory_close(struct directory *d);

/* Returns the tail of a log, or NULL. */
struct log_tail *directory_tail(const struct directory *d, struct log_name log);

/* Returns the index of a file of a packed directory in the packed file, or SIZE_MAX. */
size_t directory_member(const struct directory *d, const char *name);

/* Opens the file of that name for reading; returns -1 with errno set if that fails. */
int directory_file(const struct directory *d, const char *name);

/* Returns PATH/NAME, which the caller frees. */
char *directory_join(const struct directory *d, const char *name);

#endif
