/* A log directory, or a packed file of one: what lies in it. */
#ifndef GLIMPSE_TRACE_OPEN_DIRECTORY_H
#define GLIMPSE_TRACE_OPEN_DIRECTORY_H

#include "trace/format/log_name.h"
#include "trace/format/process_info.h"
#include "trace/log/scan.h"
#include "trace/log/tail.h"
#include "trace/pack/pack.h"

struct directory {
	const char *path;               /* as the user gave it */
	struct pack *pack;              /* in which its files are; NULL: they lie in the directory */
	struct log_name *logs;          /* in ascending order */
	size_t nlogs;
	struct log_tail *tails;             /* by the logs that they belong to */
	size_t ntails;
	char **specs;                   /* paths of its .spec files, sorted */
	size_t nspecs;
	struct process_info process;
	struct clock_samples samples;             /* of its process file and its logs */
	struct clock counter, nanoseconds;
	const struct id_table *ids;     /* what the ids mean as far as it is known: they hold for the whole directory */
};

/* False, and diag knows why, when there is no log. */
bool directory_open(struct directory *d, const char *path, struct diag *diag);
void directory_close(struct directory *d);

/* The tail of a log, or NULL. */
struct log_tail *directory_tail(const struct directory *d, struct log_name log);

/* The file of that name, open for reading; -1 with errno set. */
int directory_file(const struct directory *d, const char *name);

/* PATH/NAME; the caller frees it. NULL: no memory. */
char *directory_join(const struct directory *d, const char *name);

#endif
