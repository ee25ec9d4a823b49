/*
 * Paths of functions, for exports of what functions cost: each path with its CPU time (or own time,
 * where it is not known when threads ran).
 */
#ifndef GLIMPSE_FORMATS_EXPORT_CALLS_H
#define GLIMPSE_FORMATS_EXPORT_CALLS_H

#include "analysis/calls/calls.h"

/* Frames of a path beyond these are counted where it is so long. */
enum { PATH_MOST = 1000 };

/*
 * Gives the functions from a node to the tree's root, and returns how many; of a path that is
 * longer than PATH_MOST those next to the root.
 */
size_t path_of(const struct call_tree *t, uint32_t node, uint32_t path[PATH_MOST]);

#endif
