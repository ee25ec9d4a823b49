/*
 * A second reader of log directories, written from doc/log-format.md alone, so that the runtime's
 * tests do not depend on trace/ and a misunderstanding between the two shows.
 */
#ifndef GLIMPSE_TESTS_READER_H
#define GLIMPSE_TESTS_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader_event {
	uint32_t thread, level;
	uint32_t index;         /* in its specification */
	uint32_t length;        /* of its first string, with the mark of a cut */
	const char *spec;       /* as the layouts have it: NAME=... */
	uint64_t ticks;
	uint64_t values[3];     /* its attributes of fixed size */
};

struct reader_run {
	struct reader_event *events;    /* log by log, in the order of the records */
	size_t count, room;
	unsigned logs;          /* of level 0 */
	unsigned inner;         /* of other levels */
	unsigned ended;         /* notes END */
	unsigned tails;         /* files that are there and belong to a thread */
	uint64_t lost;          /* notes LOST and what tails count */
	uint64_t losses[5];     /* the same by reason */
	uint64_t dropped;       /* by the process file */
	uint32_t state;
	unsigned changes;       /* records of the file switches, notes SWITCH */
	char names[64][64];     /* newest names of threads, as far as they fit */
	uint32_t pid;
	unsigned faults;        /* what does not agree with the format; each is told on stderr */
};

/*
 * Reads a directory. layouts: for each specification "NAME=LAYOUT,LAYOUT,..." with a letter for
 * each attribute: i (4 bytes), l (8) and s; ends with NULL. False when there is no such
 * directory.
 */
bool reader_read(struct reader_run *run, const char *directory, const char *const *layouts);
void reader_clear(struct reader_run *run);

#endif
