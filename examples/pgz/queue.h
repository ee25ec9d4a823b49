/* Blocks from one kind of thread to the next, first in, first out. */
#ifndef PGZ_QUEUE_H
#define PGZ_QUEUE_H

#include "block.h"
#include <pthread.h>

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct block *head, **tail;
	bool closed;                    /* nothing more will be put */
};

void queue_init(struct queue *q);

/* Never waits: there are only so many blocks. */
void queue_put(struct queue *q, struct block *b);

/* Waits for a block; NULL when the queue is closed and empty. The block is the caller's. */
struct block *queue_take(struct queue *q);

/* Lets the takers have what is there and then go. */
void queue_close(struct queue *q);

/* Frees the queue and the blocks in it. */
void queue_free(struct queue *q);

#endif
