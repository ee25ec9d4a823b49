#include "queue.h"

#include "lock.h"

void queue_init(struct queue *q)
{
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->changed, NULL);
	q->head = NULL;
	q->tail = &q->head;
	q->closed = false;
}

void queue_put(struct queue *q, struct block *b)
{
	b->next = NULL;
	lock_take(&q->lock);
	*q->tail = b;
	q->tail = &b->next;
	pthread_mutex_unlock(&q->lock);
	pthread_cond_signal(&q->changed);      /* not before: who is woken may take our processor */
}

struct block *queue_take(struct queue *q)
{
	struct block *b;

	lock_take(&q->lock);
	while (!q->head && !q->closed)
		pthread_cond_wait(&q->changed, &q->lock);
	b = q->head;
	if (b) {
		q->head = b->next;
		if (!q->head)
			q->tail = &q->head;
	}
	pthread_mutex_unlock(&q->lock);
	return b;
}

void queue_close(struct queue *q)
{
	lock_take(&q->lock);
	q->closed = true;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
}

void queue_free(struct queue *q)
{
	struct block *b = q->head;

	while (b) {
		struct block *next = b->next;

		block_free(b);
		b = next;
	}
	pthread_cond_destroy(&q->changed);
	pthread_mutex_destroy(&q->lock);
}
