/*
 * System calls of the runtime that fail: the function of this program that makes them takes the
 * place of the one in the static library. Calls of the program itself are as they are.
 */
#ifndef GLIMPSE_TESTS_FAILURES_H
#define GLIMPSE_TESTS_FAILURES_H

#include <stdbool.h>

enum call {
	CALL_OPENAT, CALL_CLOSE, CALL_FCNTL, CALL_FSTAT, CALL_FSTATAT, CALL_FACCESSAT,
	CALL_UNLINKAT, CALL_MKDIR, CALL_PWRITE, CALL_PREAD, CALL_READ, CALL_WRITE, CALL_FTRUNCATE,
	CALL_FALLOCATE, CALL_MMAP, CALL_MUNMAP, CALL_MADVISE, CALL_COPY, CALL_GETCWD, CALL_PRCTL,
	CALL_FSTATFS, CALL_GETRLIMIT, CALL_FDOPENDIR, CALL_IO_SETUP, CALL_IO_SUBMIT,
	CALL_IO_GETEVENTS, CALL_IO_DESTROY, CALL_TGKILL, CALLS, CALL_NONE = CALLS
};

#define FAILURE_SHORT (-1)      /* as an error: half of the bytes are written, or all but one */

/* What fails, in memory that the processes of a scene share. */
struct failures {
	int call;               /* which, or CALL_NONE */
	int error;
	unsigned nth;           /* the first that fails, from 0 */
	bool on;                /* and all later ones */
	unsigned count[CALLS];  /* how many were made */
	unsigned failed;
};

extern struct failures *failures;
extern const char *const call_names[CALLS];

#endif
