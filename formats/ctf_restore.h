/*
 * What glimpse export writes into the environment of a CTF trace, read again: specification,
 * processes, threads.
 */
#ifndef GLIMPSE_FORMATS_CTF_RESTORE_H
#define GLIMPSE_FORMATS_CTF_RESTORE_H

#include "base/array.h"
#include "formats/logs.h"

/* The environment of a trace, however it is read. */
struct ctf_environment {
	/* Return the text, or the number, of an entry; NULL, or 0: there is none. */
	const char *(*text)(const void *context, const char *name);
	int64_t (*number)(const void *context, const char *name);
	const void *context;
};

/* A line of glimpse_threads. */
struct ctf_thread {
	uint32_t number, process, log;
	char *name, *later;
};

struct ctf_restore {
	bool is_ours; /* the trace has a specification, which is read */
	int64_t base; /* value of the clock at time 0 */
	VECTOR(struct logs_process *) processes;
	VECTOR(struct ctf_thread) threads;
};

/*
 * Reads the environment, and makes the processes, if the trace is one of ours. Returns false after
 * a report to diag.
 */
bool ctf_restore_begin(struct ctf_restore *r, struct logs *l, const struct ctf_environment *e,
		       struct diag *diag);
void ctf_restore_end(struct ctf_restore *r);

/* Makes the thread of a number in the exported trace; NULL: the environment has none. */
struct logs_thread *ctf_restore_thread(const struct ctf_restore *r, uint64_t number, uint64_t tid);

#endif
