#include "analysis/replay/machine/replay.h"
#include "analysis/replay/machine/busy_waits.h"
#include "analysis/replay/machine/happenings.h"
#include "analysis/replay/machine/lock_queues.h"
#include "analysis/replay/machine/posts.h"
#include "analysis/replay/machine/replay_steps.h"
#include "analysis/replay/machine/run_queues.h"
#include "analysis/replay/machine/simulation.h"
#include "analysis/replay/machine/slices.h"
#include "analysis/replay/machine/standstill.h"
#include "analysis/replay/machine/thread_run.h"
#include "analysis/replay/machine/wake_placement.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

static const struct queue nobody = {NOBODY, NOBODY, false}, ready_nobody = {NOBODY, NOBODY, true};

static void simulation_begin(struct simulation *s)
{
	const struct operations *o = s->o;

	s->threads = array_zero(o->nthreads, sizeof *s->threads);
	s->locks = array_zero(o->nlocks, sizeof *s->locks);
	s->posts = array_zero(o->nposts, sizeof *s->posts);
	s->meetings = array_zero(o->nmeetings, sizeof *s->meetings);
	s->devices = array_zero(o->ndevices + o->nservers, sizeof *s->devices);
	for (uint32_t i = 0; i < o->ndevices + o->nservers; i++)
		s->devices[i].waiting = nobody;
	s->ready = ready_nobody;
	s->handed = array_new(o->pools.n, sizeof *s->handed);
	for (size_t i = 0; i < o->pools.n; i++)
		s->handed[i] = o->pools.at[i].first;
	s->free_cores = s->machine->cores;
	s->order = 1;
	if (s->machine->cores && s->machine->pull) {
		s->cores = array_zero(s->machine->cores, sizeof *s->cores);
		for (unsigned i = 0; i < s->machine->cores; i++)
			s->cores[i].ready = ready_nobody;
	}
	for (uint32_t i = 0; i < o->nlocks; i++)
		s->locks[i] = (struct lock_state){.holder = NOBODY, .waiting = nobody};
	for (uint32_t i = 0; i < o->nposts; i++)
		s->posts[i] = (struct post_state){.expired = INT64_MAX, .waiting = nobody};
	for (uint32_t i = 0; i < o->nmeetings; i++)
		s->meetings[i].waiting = nobody;
	for (uint32_t t = 0; t < o->nthreads; t++) {
		s->threads[t] = (struct thread){.next = o->first[t],
						.blocked = -1,
						.looped = -1,
						.core = NOBODY,
						.limit = INT64_MAX,
						.unsliced = NOBODY};
		s->threads[t].work = o->all.at[o->first[t]].work;
		s->running += !ends_with_process(o, t);
		thread_begin(s, t);
	}
}

/* Called when its time to leave the processor comes: it blocks, or continues if woken. */
static void left(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	s->result->running += now - t->leaving;
	if (t->busy_waits && !t->woken) {
		if (is_wanted(s, t))
			thread_preempt(s, thread, now);
		else
			busy_wait_begin(s, thread, now);
		return;
	}
	if (!t->woken || t->wakes > now) {
		thread_block(s, thread, now);
		return;
	}
	t->busy_waits = false;
	t->phase = PHASE_RUNNING;
	wait_end(s, thread, now);
	thread_run(s, thread, now);
}

/*
 * Whether a thread can still do something without another one: one that spins for a lock that is
 * held cannot.
 */
static bool is_live(const struct simulation *s, uint32_t thread)
{
	const struct thread *t = &s->threads[thread];

	if (t->phase == PHASE_ENDED)
		return false;
	if (t->phase == PHASE_BLOCKED || t->busy_waits)
		return t->woken || is_limited(s, t);
	return !t->spins || lock_admits(s, thread, &s->o->all.at[t->next]);
}

/*
 * A thread that spins may go on, or its slice of time is over: at a standstill it would be for
 * ever.
 */
static void spin_happen(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	bool live = false;

	if (!t->spins) {
		spin_end(s, t, now);
		thread_run(s, thread, now);
		return;
	}
	t->happening = 0;
	for (uint32_t i = 0; i < s->o->nthreads && !live; i++)
		live = is_live(s, i);
	if (!live || !is_wanted(s, t))
		return;
	spin_end(s, t, now);
	thread_preempt(s, thread, now);
}

static void happen(struct simulation *s, const struct happening *h)
{
	switch (s->threads[h->thread].phase) {
	case PHASE_BLOCKED:
		if (!s->threads[h->thread].woken) {
			wait_expire(s, h->thread, h->time);
			break;
		}
		wait_end(s, h->thread, h->time);
		thread_resume(s, h->thread, h->time);
		break;
	case PHASE_LEAVING:
		left(s, h->thread, h->time);
		break;
	case PHASE_SPINNING:
		spin_happen(s, h->thread, h->time);
		break;
	case PHASE_READY:
	case PHASE_RUNNING:
	case PHASE_ENDED:
		thread_run(s, h->thread, h->time);
	}
}

static void next_happen(struct simulation *s)
{
	struct happening h = happening_take(s);

	s->now = s->reached = h.time;
	steps_add(s, 1);
	if (h.thread == NOBODY) {
		if (h.order == s->pulling)
			processor_pull(s, h.time);
	} else if (h.order == s->threads[h.thread].happening) {
		happen(s, &h);
		if (s->patient)
			patience_end(s);
		if (s->machine->unties)
			circle_end(s, h.thread);
	}
}

/* Counts the running time of a thread up to the end of the run: work is counted when it begins. */
static void running_cut(struct replay *r, const struct thread *t)
{
	int64_t ran_from = t->began > r->duration ? t->began : r->duration;

	if (t->phase == PHASE_RUNNING && t->until > ran_from)
		r->running -= t->until - ran_from;
	else if (t->phase == PHASE_SPINNING && t->until < r->duration)
		r->running += r->duration - t->until;
	else if (t->phase == PHASE_LEAVING && t->leaving < r->duration)
		r->running += r->duration - t->leaving;
}

/* The end of the run ends a thread: what it has not done yet is over then. */
static void thread_cut(struct simulation *s, uint32_t thread)
{
	struct replay *r = s->result;
	size_t i = s->o->first[thread + 1];

	running_cut(r, &s->threads[thread]);
	while (r->done && i-- > s->o->first[thread] && !r->done[i]) {
		if (!r->begun[i])
			r->begun[i] = r->duration;
		r->done[i] = r->duration;
	}
	while (r->states && r->states[thread].n &&
	       r->states[thread].at[r->states[thread].n - 1].from >= r->duration)
		r->states[thread].n--;
	r->ends[thread] = r->duration;
	state_add(s, thread, STATE_OTHER, r->duration);
	s->threads[thread].phase = PHASE_ENDED;
}

/* What threads do at the end of the run, they do not finish. */
static void run_cut(struct simulation *s)
{
	for (uint32_t t = 0; t < s->o->nthreads && !s->running; t++)
		if (s->threads[t].phase != PHASE_ENDED)
			thread_cut(s, t);
}

static void stuck_find(struct simulation *s)
{
	struct replay *r = s->result;

	r->stuck_threads = array_new(s->o->nthreads, sizeof *r->stuck_threads);
	for (uint32_t t = 0; t < s->o->nthreads; t++)
		if (s->threads[t].phase != PHASE_ENDED)
			r->stuck_threads[r->nstuck++] = operations_thread(s->o, t);
	r->stuck = r->nstuck != 0 || s->stopped;
}

static void simulation_end(struct simulation *s)
{
	free(s->threads);
	free(s->locks);
	free(s->posts);
	free(s->posters);
	free(s->meetings);
	free(s->devices);
	free(s->heap);
	free(s->handed);
	free(s->cores);
	free(s->unsliced.at);
}

/* Returns a replay of which nothing has happened yet. */
static struct replay *replay_new(const struct operations *o, const struct machine *m)
{
	struct replay *r = array_zero(1, sizeof *r);

	r->ends = array_zero(o->nthreads, sizeof *r->ends);
	if (!m->forgets) {
		r->begun = array_zero(o->all.n, sizeof *r->begun);
		r->done = array_zero(o->all.n, sizeof *r->done);
		r->wakers = array_new(o->all.n, sizeof *r->wakers);
		memset(r->wakers, 0xff, o->all.n * sizeof *r->wakers);
	}
	r->lock_waits = array_zero(o->nlocks, sizeof *r->lock_waits);
	r->nthreads = o->nthreads;
	r->runners = array_new(o->pieces.n, sizeof *r->runners);
	memset(r->runners, 0xff, o->pieces.n * sizeof *r->runners);
	if (m->states)
		r->states = array_zero(o->nthreads, sizeof *r->states);
	return r;
}

struct replay *replay_run(const struct operations *o, const struct machine *m)
{
	struct replay *r = replay_new(o, m);
	struct simulation s = {.o = o, .machine = m, .result = r};

	steps_begin(&s);
	simulation_begin(&s);
	while (!s.stopped && s.running && (s.nheap || (m->unties && standstill_end(&s))))
		next_happen(&s);
	run_cut(&s);
	stuck_find(&s);
	steps_end(&s);
	simulation_end(&s);
	return r;
}

void replay_free(struct replay *r)
{
	free(r->begun);
	free(r->done);
	free(r->wakers);
	free(r->runners);
	free(r->ends);
	free(r->lock_waits);
	free(r->stuck_threads);
	for (uint32_t t = 0; r->states && t < r->nthreads; t++)
		free(r->states[t].at);
	free(r->states);
	free(r);
}
