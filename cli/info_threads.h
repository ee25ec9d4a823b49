/* Prints the table of threads in `glimpse info`. */
#ifndef GLIMPSE_CLI_INFO_THREADS_H
#define GLIMPSE_CLI_INFO_THREADS_H

#include "trace/trace.h"
#include <stdio.h>

/*
 * Prints a row for each thread; where these are many, one for all threads of a process whose names
 * differ by numbers alone.
 */
void info_threads_print(FILE *out, const struct trace *t);

#endif
