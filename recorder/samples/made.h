/*
 * Keeps the code that a process generated at run time: its sampled addresses, and where their names
 * are.
 */
#ifndef GLIMPSE_RECORDER_SAMPLES_MADE_H
#define GLIMPSE_RECORDER_SAMPLES_MADE_H

#include "recorder/samples/made_names.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct generated_code;

/*
 * Returns a new one for a process that runs a program since then (CLOCK_MONOTONIC, ns; 0: not
 * known). Opens the folder of its perf map as the process sees it. directory: of the trace, where
 * the probe java puts a perf map; kept, not copied. The caller frees the result with made_free().
 */
struct generated_code *made_new(pid_t pid, int64_t since, const char *directory);
void made_free(struct generated_code *m);

/* Notes a sampled address; only a limited number is kept. */
void made_note(struct generated_code *m, uint64_t address);

/* Returns whether a mapped file is called like a jitdump file. */
bool made_is_dump(const char *path);
/* Opens a jitdump file that the process has mapped, unless one is open. */
void made_dump_open(struct generated_code *m, const char *path);

/*
 * Writes the names of the addresses, after the process has ended or in between. Each line is "PID
 * SINCE TIME START END NAME". SINCE is that of made_new(); the rest is as in the file made of a log
 * directory (doc/log-format.md), with times in ns. Says on stderr if names were cut.
 */
void made_write(const struct generated_code *m, FILE *out);
/* Writes such a line. */
void made_name_write(FILE *out, pid_t pid, int64_t since, const struct made_name *n);

#endif
