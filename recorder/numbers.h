/*
 * Writes the ids of threads in their own PID namespace, if that is not the recorder's, to a file in
 * the recorder's log directory, with lines "TID SINCE SPACE NUMBER". TID is the recorder's number,
 * SINCE a time (CLOCK_MONOTONIC, ns), SPACE the namespace's inode.
 */
#ifndef GLIMPSE_RECORDER_NUMBERS_H
#define GLIMPSE_RECORDER_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#define NUMBERS_FILE "numbers.of"

/* ---- written while threads are observed ---- */

/* Returns the inode of the recorder's own namespace; 0: it is not known. */
uint64_t numbers_own_space(void);
/*
 * Returns the inode of the namespace that a process has a number in; 0: it is the recorder's own,
 * or not known.
 */
uint64_t numbers_space(uint32_t pid);
/*
 * Notes the number of a thread in that namespace, if it can still be read; since: when the thread
 * was first seen.
 */
void numbers_note(uint64_t space, uint32_t pid, uint32_t tid, int64_t since);
/*
 * Writes all that was noted to a file; an error is not reported, as the file is not needed to read
 * the logs.
 */
void numbers_write(const char *path);

/* ---- read at the end ---- */

struct number {
	uint32_t tid;
	int64_t since;
	uint64_t space;
	uint32_t inner;
};

struct numbers {
	struct number *at; /* by thread, then by time */
	size_t n;
};

/* Reads a file; one that is not there has no lines. */
struct numbers numbers_read(const char *path);
/* Returns what was noted last of a thread, after one time and not after another; NULL: nothing. */
const struct number *numbers_find(const struct numbers *n, uint32_t tid, int64_t after, int64_t to);
void numbers_free(struct numbers *n);

#endif
