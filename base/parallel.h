/* Runs work on all processors, in parts that any thread may do. */
#ifndef GLIMPSE_BASE_PARALLEL_H
#define GLIMPSE_BASE_PARALLEL_H

#include <pthread.h>
#include <stddef.h>

/*
 * Calls work(context, i, worker) once for each i below n, on as many threads as there are
 * processors; worker tells the threads apart (below parallel_workers()). Returns when all are done.
 */
void parallel_for(size_t n, void (*work)(void *context, size_t i, unsigned worker), void *context);
unsigned parallel_workers(void);

/* Calls work(context, from, to) for chunks from..to-1 of n items, PARALLEL_CHUNK or the last. */
#define PARALLEL_CHUNK ((size_t)1 << 16)
void parallel_chunks(size_t n, void (*work)(void *context, size_t from, size_t to), void *context);
/* As memset(): large memory is written, and so made, on all processors. */
void parallel_fill(void *memory, unsigned char byte, size_t bytes);

/*
 * Orders a part of the work: each thread waits until those with lower numbers have passed. Numbers
 * are given out in ascending order from 0, as parallel_for() does.
 */
struct tickets {
	pthread_mutex_t mutex;
	pthread_cond_t turn;
	size_t next;
};

#define TICKETS_INITIALIZER \
	{ \
		PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 \
	}

void tickets_init(struct tickets *t);
/* Returns when it is the number's turn, which lasts until tickets_pass(). */
void tickets_wait(struct tickets *t, size_t number);
void tickets_pass(struct tickets *t);

#endif
