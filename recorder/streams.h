/*
 * Closes the program's streams and other descriptors in the recorder. The recorder keeps only
 * standard error: whoever reads what the program writes, or waits for its lock, then waits for the
 * program and not for the recorder.
 */
#ifndef GLIMPSE_RECORDER_STREAMS_H
#define GLIMPSE_RECORDER_STREAMS_H

#include <stdbool.h>
#include <sys/types.h>

/* Notes which descriptors this process was started with. Called before it opens any. */
void streams_begin(void);
/* Closes those of the program in this process, once the program has them; standard error stays. */
void streams_leave(void);
/* Closes standard error, too. */
void streams_leave_error(void);
/* This process may outlive the recorder: no reader of a stream and no terminal notices that. */
void streams_outlive(void);
/*
 * If standard error is a pipe or a socket, its reader may wait until all have closed it: so does
 * the recorder once neither the program nor a child of it has it any more. Returns when to call
 * again, in ms; -1: never.
 */
int streams_follow(pid_t program);

#endif
