#include "analysis/replay/machine/thread_queues.h"

void queue_remove(struct simulation *s, struct queue *q, uint32_t thread)
{
	struct queue rest = {NOBODY, NOBODY, q->processors};
	uint32_t next;

	while ((next = queue_take(s, q)) != NOBODY)
		if (next != thread)
			queue_add(s, &rest, next);
	*q = rest;
}

void line_add(struct simulation *s, struct queue *q, uint32_t thread)
{
	s->threads[thread].behind = NOBODY;
	if (q->head == NOBODY)
		q->head = thread;
	else
		s->threads[q->tail].behind = thread;
	q->tail = thread;
}

void line_remove(struct simulation *s, struct queue *q, uint32_t thread)
{
	uint32_t before = NOBODY, behind = s->threads[thread].behind;

	for (uint32_t t = q->head; t != thread; t = s->threads[t].behind)
		before = t;
	if (before == NOBODY)
		q->head = behind;
	else
		s->threads[before].behind = behind;
	if (q->tail == thread)
		q->tail = before;
}
