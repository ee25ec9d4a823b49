#include "analysis/replay/machine/standstill.h"
#include "analysis/replay/machine/busy_waits.h"
#include "analysis/replay/machine/lock_queues.h"
#include "analysis/replay/machine/piece_pools.h"
#include "analysis/replay/machine/replay_steps.h"
#include "analysis/replay/machine/slices.h"
#include "analysis/replay/machine/thread_queues.h"
#include "analysis/replay/machine/wake_ups.h"
#include "base/array.h"
#include <string.h>

static void posters_find(struct simulation *s)
{
	const struct operations *o = s->o;

	s->posters = array_new(o->nposts, sizeof *s->posters);
	memset(s->posters, 0xff, o->nposts * sizeof *s->posters);
	for (uint32_t t = 0; t < o->nthreads; t++)
		for (size_t i = o->first[t]; i < o->first[t + 1]; i++)
			if (o->all.at[i].kind == OPERATION_POST)
				s->posters[o->all.at[i].what] = t;
	for (size_t i = 0; i < o->pieces.n; i++)
		if (s->result->runners[i] != NOBODY)
			piece_posters_find(s, i);
}

static bool waits_for_post(const struct operation *o)
{
	return o->kind == OPERATION_WAIT || o->kind == OPERATION_LOOP;
}

static bool waits_for_lock(const struct simulation *s, uint32_t thread)
{
	return s->o->all.at[s->threads[thread].next].kind == OPERATION_TAKE;
}

/* Returns the thread that a blocked one waits for; NOBODY: not one, or not known. */
static uint32_t waited_for(const struct simulation *s, uint32_t thread)
{
	const struct operation *o = &s->o->all.at[s->threads[thread].next];

	if (s->threads[thread].phase == PHASE_ENDED)
		return NOBODY;
	if (o->kind == OPERATION_TAKE)
		return s->locks[o->what].holder;
	return waits_for_post(o) ? s->posters[o->what] : NOBODY;
}

/*
 * Returns a thread of a circle in which threads wait for each other, found from one; NOBODY: there
 * is none.
 */
static uint32_t circle_find(const struct simulation *s, uint32_t thread)
{
	for (uint32_t i = 0; i < s->o->nthreads && thread != NOBODY; i++)
		thread = waited_for(s, thread);
	return thread;
}

/* A wait ends without its post; for who polls it has come. */
static void wait_untie(struct simulation *s, uint32_t thread)
{
	const struct operation *o = &s->o->all.at[s->threads[thread].next];

	s->current = s->threads[thread].next;
	s->doer = thread;
	s->posts[o->what].posted |= o->kind == OPERATION_LOOP;
	queue_remove(s, &s->posts[o->what].waiting, thread);
	thread_wake(s, thread, s->now);
	turns_expect(s, s->now);
	s->result->untied++;
}

/*
 * Ends one wait of a circle, for a post of a thread that waits for a lock of the waiter. Returns
 * whether there is one.
 */
static bool circle_untie(struct simulation *s, uint32_t first)
{
	uint32_t thread = first, next;

	do {
		next = waited_for(s, thread);
		if (waits_for_lock(s, thread) && !waits_for_lock(s, next)) {
			wait_untie(s, next);
			return true;
		}
		thread = next;
	} while (thread != first);
	return false;
}

/* Whether a thread waits for a post of one that is not there, or has ended. */
static bool waits_for_nobody(const struct simulation *s, uint32_t thread)
{
	const struct operation *o = &s->o->all.at[s->threads[thread].next];
	uint32_t poster;

	if (s->threads[thread].phase == PHASE_ENDED || !waits_for_post(o))
		return false;
	poster = s->posters[o->what];
	return poster == NOBODY || s->threads[poster].phase == PHASE_ENDED;
}

/* A lock is free, whoever held it. */
static void lock_untie(struct simulation *s, uint32_t lock)
{
	s->locks[lock].readers = s->locks[lock].again = 0;
	lock_release(s, &(struct operation){.kind = OPERATION_RELEASE, .what = lock}, s->now);
	turns_expect(s, s->now);
	s->result->untied++;
}

static void meeting_untie(struct simulation *s, uint32_t meeting)
{
	queue_wake(s, &s->meetings[meeting].waiting, s->now);
	turns_expect(s, s->now);
	s->result->untied++;
}

/*
 * Ends the first wait of all, of a thread that stands still for more than one other, such as
 * several readers. Returns whether there is one.
 */
static bool any_untie(struct simulation *s)
{
	for (uint32_t t = 0; t < s->o->nthreads; t++) {
		const struct operation *o = &s->o->all.at[s->threads[t].next];

		if (s->threads[t].phase == PHASE_ENDED)
			continue;
		if (waits_for_post(o))
			wait_untie(s, t);
		else if (o->kind == OPERATION_TAKE && s->locks[o->what].waiting.head != NOBODY)
			lock_untie(s, o->what);
		else if (o->kind == OPERATION_MEET)
			meeting_untie(s, o->what);
		else
			continue;
		return true;
	}
	return false;
}

bool standstill_end(struct simulation *s)
{
	steps_add(s, s->o->nthreads);
	if (!s->posters)
		posters_find(s);
	for (uint32_t t = 0; t < s->o->nthreads; t++) {
		uint32_t first = s->threads[t].phase == PHASE_ENDED ? NOBODY : circle_find(s, t);

		if (first != NOBODY && circle_untie(s, first))
			return true;
		if (waits_for_nobody(s, t)) {
			wait_untie(s, t);
			return true;
		}
	}
	return any_untie(s);
}

/* Whether a thread waits for one other thread. */
static bool waits_for_one(const struct simulation *s, uint32_t thread)
{
	const struct thread *t = &s->threads[thread];
	const struct operation *o = &s->o->all.at[t->next];

	if ((t->phase != PHASE_BLOCKED && t->phase != PHASE_LEAVING) || t->woken ||
	    is_limited(s, t))
		return false;
	return o->kind == OPERATION_WAIT ||
	       (o->kind == OPERATION_TAKE && !s->locks[o->what].readers);
}

void circle_end(struct simulation *s, uint32_t first)
{
	uint32_t thread = first;

	for (uint32_t i = 0; i < s->o->nthreads && waits_for_one(s, thread); i++) {
		if (!s->posters)
			posters_find(s);
		thread = waited_for(s, thread);
		if (thread == NOBODY)
			return;
		if (thread == first) {
			if (s->threads[first].blocked > s->now)
				s->now = s->threads[first].blocked;
			circle_untie(s, first);
			return;
		}
	}
}
