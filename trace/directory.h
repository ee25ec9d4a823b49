/* A log directory: what lies in it. */
#ifndef GLIMPSE_TRACE_DIRECTORY_H
#define GLIMPSE_TRACE_DIRECTORY_H

#include "trace/process.h"
#include "trace/scan.h"
#include "trace/tail.h"

struct directory {
	const char *path;               /* as the user gave it */
	uint32_t *numbers;              /* N of each log.N, ascending */
	size_t nlogs;
	struct tail *tails;             /* by the threads that they belong to */
	size_t ntails;
	char **specs;                   /* paths of its .spec files, sorted */
	size_t nspecs;
	struct process_file process;
	struct pairs pairs;             /* of its process file and its logs */
	struct clock counter, nanoseconds;
};

/* False, and diag knows why, when there is no log. */
bool directory_open(struct directory *d, const char *path, struct diag *diag);
void directory_close(struct directory *d);

/* The tail of log.number, or NULL. */
struct tail *directory_tail(const struct directory *d, uint32_t number);

/* PATH/NAME; the caller frees it. NULL: no memory. */
char *directory_join(const struct directory *d, const char *name);

#endif
