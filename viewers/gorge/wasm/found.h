/*
 * What was found in the trace of a document when it was written
 * (viewers/gorge/document/analyses.h).
 */
#ifndef GLIMPSE_GORGE_WASM_FOUND_H
#define GLIMPSE_GORGE_WASM_FOUND_H

#include "analysis/graph/critical_path.h"
#include "viewers/gorge/index/stack_times.h"

struct stored_results {
	char *why, *headline;       /* JSON; why: what is wrong if there is no path */
	struct critical_path *path; /* NULL: there is none */
	struct time_window *times;
	struct stack_depth *depths; /* as the trace's threads */
};

#endif
