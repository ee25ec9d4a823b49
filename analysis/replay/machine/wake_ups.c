#include "analysis/replay/machine/wake_ups.h"
#include "analysis/replay/machine/happenings.h"
#include "analysis/replay/machine/slices.h"
#include "analysis/replay/machine/thread_queues.h"

/* Returns when a thread goes on that is let go on at an operation. */
static int64_t wake_time(const struct operation *o, int64_t now)
{
	if (o->kind == OPERATION_LOOP)
		return now;
	return o->kind == OPERATION_UNTIL ? o->time : now + o->time;
}

void thread_wake(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	const struct operation *o = &s->o->all.at[t->next];

	if (t->busy_waits)
		unsliced_end(s, t, now);
	t->woken = true;
	t->wakes = wake_time(o, now);
	if (s->current != t->next)
		t->unknown = s->threads[s->doer].unknown;
	if (s->result->wakers)
		s->result->wakers[t->next] =
		    s->current == t->next ? NO_NUMBER : (uint32_t)s->current;
	if (t->phase == PHASE_BLOCKED ||
	    (t->phase == PHASE_LEAVING && (t->busy_waits || t->wakes < t->leaving + o->before)))
		happening_add(s, thread, t->wakes);
}

void queue_wake(struct simulation *s, struct queue *q, int64_t now)
{
	uint32_t thread;

	while ((thread = queue_take(s, q)) != NOBODY)
		thread_wake(s, thread, now);
}
