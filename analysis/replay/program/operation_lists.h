/*
 * Takes operations apart into a list for each thread, to change them, and puts them together again.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_PROGRAM_OPERATION_LISTS_H
#define GLIMPSE_ANALYSIS_REPLAY_PROGRAM_OPERATION_LISTS_H

#include "analysis/replay/program/operations.h"

typedef VECTOR(struct operation) operation_list;

struct operation_lists {
	operation_list *threads;
	uint32_t *origins; /* of each thread: that of the trace which it is or copies */
	double *pace;      /* of each thread: operations.pace; NULL */
	uint32_t nthreads;
	operation_list pieces; /* of all pieces, from which their `first` counts meanwhile */
};

/* Copies the operations of threads and pieces. operation_lists_put() frees the result. */
struct operation_lists operation_lists_of(struct operations *o);
/* Adds a thread, a copy of one. Returns its number. */
uint32_t operation_lists_copy(struct operation_lists *l, uint32_t thread);
/* Removes a thread; those after it have smaller numbers then. */
void operation_lists_remove(struct operation_lists *l, uint32_t thread);
/*
 * Returns how long an operation waits by itself, as a sleep does: not for a lock, or another
 * thread.
 */
int64_t operation_waiting(const struct operation *o);
/* Adds an operation to a list before the one at an index. */
void operation_insert(operation_list *list, size_t at, struct operation new);
/*
 * Takes the lists over as the operations. The times of the recorded run and the listed waits are
 * about the operations before, and are dropped.
 */
void operation_lists_put(struct operation_lists *l, struct operations *o);

#endif
