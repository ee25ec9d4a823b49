/*
 * Exports of what functions cost: each path of functions with its CPU time (or own time, where it is
 * not known when threads ran), for tools that draw such things.
 */
#ifndef GLIMPSE_FORMATS_EXPORT_CALLS_H
#define GLIMPSE_FORMATS_EXPORT_CALLS_H

#include "analysis/calls/calls.h"
#include "analysis/flame/off_cpu.h"
#include <stdio.h>

/* Frames of a path beyond these are counted where it is so long. */
enum { PATH_MOST = 1000 };

/* A line for each path: main;first;third 3155679. */
void folded_write(FILE *out, const struct calls *c);
/* For https://www.speedscope.app: a profile for each thread. */
void speedscope_write(FILE *out, const struct calls *c);
/*
 * A profile.proto of pprof, compressed; returns false if it was built without protobuf-c. The calls are
 * those with the pauses of `waits`: each stack has a sample for each state of its thread.
 */
bool pprof_write(FILE *out, const struct calls *c, const struct off_cpu *waits);

/*
 * Gives the functions from a node to the tree's root, and returns how many; of a path that is longer
 * than PATH_MOST those next to the root.
 */
size_t path_of(const struct call_tree *t, uint32_t node, uint32_t path[PATH_MOST]);

#endif
