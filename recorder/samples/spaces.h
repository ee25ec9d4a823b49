/*
 * The address spaces of recorded processes: which file was mapped where, and since when. A process that executes
 * another program has a new one; a forked one has its parent's, as a copy.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_SPACES_H
#define GLIMPSE_RECORDER_SAMPLES_SPACES_H

#include "recorder/samples/image.h"
#include <stdio.h>

struct space;

/* Adds an executable mapping at a time, in the place of what was there. */
void space_map(uint32_t pid, int64_t time, const struct mapping *m);
/* The process has executed another program at a time (CLOCK_MONOTONIC, ns). */
void space_execute(uint32_t pid, int64_t time);
void space_fork(uint32_t pid, uint32_t parent, int64_t time);
/* The process ended. Its spaces are kept for samples that are read later, until spaces_sweep(). */
void space_end(uint32_t pid, int64_t time);
/* Adds what a process that runs already has mapped. */
void space_read(pid_t pid);
/*
 * Forgets processes that ended before a time. Of each that had samples it writes the modules to a file first, NULL: none; in lines
 * "PID SINCE MODULE", where MODULE is as in the file modules of a log directory (doc/log-format.md).
 */
void spaces_sweep(int64_t before, FILE *modules);
void spaces_free(FILE *modules);

/* Returns the space that a process had at a time; it has one from then on. */
struct space *space_at(uint32_t pid, int64_t time);
/* Returns a number that no other space has. */
uint32_t space_number(const struct space *s);
/* Returns the rule for the frame of an instruction; false: no file is known to be mapped there. */
bool space_rule(struct space *s, uint64_t pc, struct cfi_rule *rule);

#endif
