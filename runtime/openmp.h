/* Names of OpenMP's threads. */
#ifndef GLIMPSE_RUNTIME_OPENMP_H
#define GLIMPSE_RUNTIME_OPENMP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * "omp 2" for the thread 2 of a team, "omp 2.1" for the thread 1 of the team that this one opened,
 * and so on: a number for each level of nesting. The thread 0 of a team is the one that opened it
 * and has that one's name; the program's first thread is "omp 0". False, and nothing written, when
 * the calling thread is none of OpenMP's.
 */
bool gl_openmp_name(char *name, size_t size);

#endif
