/* Opens the logs of gorge again: when they have grown, or with other definitions. */
#ifndef GLIMPSE_GORGE_SERVER_REOPEN_H
#define GLIMPSE_GORGE_SERVER_REOPEN_H

#include "trace/trace.h"

/* Which logs these are. */
struct log_source {
	const char *const *directories;
	unsigned ndirectories;
	const char *spec; /* a file; NULL: the specification in the logs */
	bool follow;      /* the program may still run */
};

/*
 * Opens the logs, with a specification as for trace_open(). Returns NULL, and diag is told, if they
 * cannot be read. Other definitions: reopen_index() in viewers/gorge/answers/answers.h.
 */
struct trace *reopen_trace(const struct log_source *source, const char *spec, struct diag *diag);

#endif
