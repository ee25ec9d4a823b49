#include "analysis/replay/machine/lock_queues.h"
#include "analysis/replay/machine/busy_waits.h"
#include "analysis/replay/machine/happenings.h"
#include "analysis/replay/machine/thread_queues.h"
#include "analysis/replay/machine/wake_ups.h"

static enum discipline lock_discipline(const struct simulation *s, uint32_t lock)
{
	return s->machine->locks ? s->machine->locks[lock] : DISCIPLINE_FREE;
}

/* Whether threads keep their processors while they wait for a lock. */
static bool is_spun_for(const struct simulation *s, uint32_t lock)
{
	return lock_discipline(s, lock) == DISCIPLINE_TICKET ||
	       lock_discipline(s, lock) == DISCIPLINE_SPIN;
}

/* Returns the first in a queue that spins on a processor. */
static uint32_t spinner_first(const struct simulation *s, const struct queue *q)
{
	uint32_t thread = q->head;

	while (thread != NOBODY && s->threads[thread].phase != PHASE_SPINNING)
		thread = s->threads[thread].behind;
	return thread;
}

/*
 * A thread that spins on a processor sees at once that it may have the lock, another one once it
 * runs.
 */
static void spinner_go_on(struct simulation *s, struct queue *q, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	line_remove(s, q, thread);
	t->spins = false;
	t->unknown = s->threads[s->doer].unknown;
	if (s->result->wakers)
		s->result->wakers[t->next] = (uint32_t)s->current;
	if (t->phase == PHASE_SPINNING)
		happening_add(s, thread, now);
}

/* Readers that come one after the other in the queue go on together. */
static void readers_wake(struct simulation *s, uint32_t lock, int64_t now)
{
	struct queue *q = &s->locks[lock].waiting;
	uint32_t next = is_spun_for(s, lock) ? spinner_first(s, q) : q->head;

	if (next == NOBODY || !s->o->all.at[s->threads[next].next].shared)
		return;
	if (is_spun_for(s, lock))
		spinner_go_on(s, q, next, now);
	else
		thread_wake(s, queue_take(s, q), now);
}

/* A thread that spun has the lock as soon as it runs. */
static void spinner_take(struct simulation *s, uint32_t thread, struct lock_state *l)
{
	struct thread *t = &s->threads[thread];

	line_remove(s, &l->waiting, thread);
	t->spins = false;
	t->unknown = l->unknown;
	if (s->result->wakers)
		s->result->wakers[t->next] = (uint32_t)l->opened;
}

static void lock_opened(const struct simulation *s, struct lock_state *l)
{
	l->opened = s->current;
	l->unknown = s->threads[s->doer].unknown;
}

bool lock_is_missed(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	struct thread *t = &s->threads[thread];

	bool missed = lock_discipline(s, o->what) != DISCIPLINE_NONE && !lock_admits(s, thread, o);

	if (missed && loop_goes_on(s, t, now))
		return true;
	loop_end(t);
	return false;
}

bool lock_take(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	struct lock_state *l = &s->locks[o->what];
	struct thread *t = &s->threads[thread];

	if (lock_discipline(s, o->what) == DISCIPLINE_NONE)
		return true;
	if (lock_rooms(s, o->what) && lock_admits(s, thread, o)) {
		l->readers++;
		return true;
	}
	if (lock_admits(s, thread, o)) {
		if (t->spins)
			spinner_take(s, thread, l);
		l->again += !o->shared && l->holder == thread && !l->handed;
		l->handed = false;
		l->holder = thread;
		if (o->shared && !l->readers++)
			lock_opened(s, l);
		if (o->shared)
			readers_wake(s, o->what, now);
		return true;
	}
	if (lock_discipline(s, o->what) == DISCIPLINE_LIFO)
		queue_add_first(s, &l->waiting, thread);
	else if (!is_spun_for(s, o->what))
		queue_add(s, &l->waiting, thread);
	else if (!t->spins)
		line_add(s, &l->waiting, thread);
	t->spins = is_spun_for(s, o->what);
	t->woken = false;
	return false;
}

/* A thread gives a slot of a semaphore back. */
static void room_leave(struct simulation *s, struct lock_state *l, int64_t now)
{
	uint32_t next = queue_take(s, &l->waiting);

	l->readers -= l->readers > 0;
	lock_opened(s, l);
	if (next != NOBODY)
		thread_wake(s, next, now);
}

void lock_release(struct simulation *s, const struct operation *o, int64_t now)
{
	struct lock_state *l = &s->locks[o->what];
	uint32_t next;

	if (lock_discipline(s, o->what) == DISCIPLINE_NONE)
		return;
	if (lock_rooms(s, o->what)) {
		room_leave(s, l, now);
		return;
	}
	if ((o->shared && l->readers && --l->readers) || l->again) {
		l->again -= !o->shared && l->again;
		return;
	}
	l->holder = NOBODY;
	lock_opened(s, l);
	next = lock_discipline(s, o->what) == DISCIPLINE_SPIN ? spinner_first(s, &l->waiting)
							      : l->waiting.head;
	if (next == NOBODY)
		return;
	if (lock_discipline(s, o->what) != DISCIPLINE_FREE)
		l->holder = next, l->handed = true;
	if (is_spun_for(s, o->what))
		spinner_go_on(s, &l->waiting, next, now);
	else
		thread_wake(s, queue_take(s, &l->waiting), now);
}
