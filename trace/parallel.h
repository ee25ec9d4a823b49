/* Work in pieces on all processors. */
#ifndef GLIMPSE_TRACE_PARALLEL_H
#define GLIMPSE_TRACE_PARALLEL_H

#include <stddef.h>

/*
 * Calls work(context, i, worker) once for each i below n, on as many threads as there are
 * processors; worker tells the threads apart (below parallel_workers()). Returns when all are done.
 */
void parallel_for(size_t n, void (*work)(void *context, size_t i, unsigned worker), void *context);
unsigned parallel_workers(void);

#endif
