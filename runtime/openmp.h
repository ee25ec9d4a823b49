/* The names of OpenMP's threads. */
#ifndef GLIMPSE_RUNTIME_OPENMP_H
#define GLIMPSE_RUNTIME_OPENMP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes the name of the calling thread: "omp 2" for thread 2 of a team, "omp 2.1" for thread 1
 * of the team that this one opened, and so on with a number for each level of nesting. Thread 0
 * of a team is the thread that opened the team and keeps its name; in the outermost team it is "omp
 * 0". Returns false, and writes nothing, if the calling thread is in no team, or may be in none.
 */
bool gl_openmp_name(char *name, size_t size);

#endif
