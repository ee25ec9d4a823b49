/*
 * Chooses which lanes of a recorded program are folded at first: many threads with similar names,
 * threads that hardly run, and processes that hardly run.
 */
#ifndef GLIMPSE_GORGE_BUILD_FOLDS_H
#define GLIMPSE_GORGE_BUILD_FOLDS_H

#include "base/array.h"
#include "trace/trace.h"

/* A lane for several threads, which is opened by a click. */
struct fold {
	char *name; /* "17 idle threads" */
	char *key;  /* by which a page knows it */
};

struct folds {
	VECTOR(struct fold) list;
};

/* A thread that is to have a lane, in the order of the lanes. */
struct folding {
	unsigned thread; /* index in the trace */
	unsigned process;
	unsigned rank; /* the caller's own */
	unsigned lane; /* threads that share a lane have the same number */
	unsigned fold; /* its place in the list, from 1; 0: it has a lane of its own */
};

/*
 * Folds the n threads of a group, and brings those of a fold together: idle ones come last.
 * running: ns, by thread. shared: lanes are for threads that follow each other.
 */
void folds_make(struct folds *f, const struct trace *t, const int64_t *running,
		struct folding *threads, unsigned n, bool shared);
/*
 * Returns by process whether it ran less than a hundredth of what all did, where such are several
 * and not all; to be freed. NULL: there are none.
 */
bool *short_processes(const struct trace *t, const int64_t *running);
void folds_free(struct folds *f);

#endif
