/* Work in pieces on all processors. */
#ifndef GLIMPSE_BASE_PARALLEL_H
#define GLIMPSE_BASE_PARALLEL_H

#include <stddef.h>

/*
 * Calls work(context, i, worker) once for each i below n, on as many threads as there are
 * processors; worker tells the threads apart (below parallel_workers()). Returns when all are done.
 */
void parallel_for(size_t n, void (*work)(void *context, size_t i, unsigned worker), void *context);
unsigned parallel_workers(void);

/* The same for stretches of n things, from..to-1, each of PARALLEL_STRETCH things but the last. */
#define PARALLEL_STRETCH ((size_t)1 << 16)
void parallel_stretches(size_t n, void (*work)(void *context, size_t from, size_t to), void *context);

#endif
