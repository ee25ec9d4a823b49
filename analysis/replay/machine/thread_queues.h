/* Keeps queues of waiting threads, linked through the threads. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_MACHINE_THREAD_QUEUES_H
#define GLIMPSE_ANALYSIS_REPLAY_MACHINE_THREAD_QUEUES_H

#include "analysis/replay/machine/simulation.h"

static inline void queue_add(struct simulation *s, struct queue *q, uint32_t thread)
{
	s->threads[thread].link[q->processors] = NOBODY;
	if (q->head == NOBODY)
		q->head = thread;
	else
		s->threads[q->tail].link[q->processors] = thread;
	q->tail = thread;
}

static inline void queue_add_first(struct simulation *s, struct queue *q, uint32_t thread)
{
	s->threads[thread].link[q->processors] = q->head;
	if (q->head == NOBODY)
		q->tail = thread;
	q->head = thread;
}

static inline uint32_t queue_take(struct simulation *s, struct queue *q)
{
	uint32_t thread = q->head;

	if (thread != NOBODY)
		q->head = s->threads[thread].link[q->processors];
	return thread;
}

void queue_remove(struct simulation *s, struct queue *q, uint32_t thread);
/*
 * The same of the queue of a lock for which threads spin: they may also be in one for a processor.
 */
void line_add(struct simulation *s, struct queue *q, uint32_t thread);
void line_remove(struct simulation *s, struct queue *q, uint32_t thread);

#endif
