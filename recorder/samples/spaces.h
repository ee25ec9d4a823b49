/*
 * Keeps the address spaces of recorded processes: which file was mapped where, and since when. A
 * process that executes another program has a new one; a forked one has its parent's, as a copy.
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
/* Returns whether there is a space of a process that has not ended. */
bool space_lives(uint32_t pid);
/* Adds what a process that runs already has mapped. */
void space_read(pid_t pid);

/* The files of processes that had samples; files are NULL if there is nothing to write to. */
struct space_files {
	/*
	 * lines "PID SINCE MODULE", where MODULE is as in the file modules of a log directory
	 * (doc/log-format.md)
	 */
	FILE *modules;
	FILE *made; /* names of code that they made: made_write() */
};
/* Begins without spaces. directory: of the trace; kept, not copied. */
void spaces_open(const char *directory);
/* Forgets processes that ended before a time, after it writes their data. */
void spaces_sweep(int64_t before, const struct space_files *files);
void spaces_free(const struct space_files *files);

/* Returns the space that a process had at a time; it has one from then on. */
struct space *space_at(uint32_t pid, int64_t time);
/* Returns a number that no other space has. */
uint32_t space_number(const struct space *s);
/*
 * The process, and since when it runs this program (CLOCK_MONOTONIC, ns; 0: not known), as lines of
 * space_files say.
 */
struct space_identity {
	uint32_t pid;
	int64_t since;
};
struct space_identity space_identity(const struct space *s);
/*
 * Returns the minor version of the oldest Python 3 in whose modules space_rule() found an
 * instruction, INT_MAX: there was none.
 */
int space_python(const struct space *s);

/* Returns the path of the file that is mapped at an instruction; NULL: none is known. */
const char *space_module(struct space *s, uint64_t pc);
/*
 * Returns whether an instruction is in the C library's function that waits for its own locks.
 */
bool space_waits_inside(struct space *s, uint64_t pc);
/* Returns whether a file is mapped as code whose name begins so. */
bool space_has_module(const struct space *s, const char *begin);

/* The mapping of an instruction's address. */
enum space_code {
	SPACE_MODULE, /* a module's, which has a rule for the frame */
	SPACE_MADE,   /* code without a module: made at run time, or of a file that is gone */
	SPACE_NO_CODE /* no code */
};

/* Looks up an instruction. The rule is set for a module's alone. */
enum space_code space_rule(struct space *s, uint64_t pc, struct cfi_rule *rule);
/* The same without the memory of what was found before: for tests. */
enum space_code space_rule_searched(struct space *s, uint64_t pc, struct cfi_rule *rule);
/* Notes an instruction of code without a module, so that its name will be written. */
void space_made_note(struct space *s, uint64_t pc);
/*
 * Sets the rule for the frame of such an instruction, if it returns soon and the process lets us
 * read its code.
 */
bool space_made_rule(struct space *s, uint64_t pc, struct cfi_rule *rule);

#endif
