#include "analysis/replay/machine/run_queues.h"
#include "analysis/replay/machine/happenings.h"
#include "analysis/replay/machine/slices.h"
#include "analysis/replay/machine/thread_queues.h"

void state_add(struct simulation *s, uint32_t thread, enum thread_state state, int64_t now)
{
	replay_states *all;

	if (!s->result->states)
		return;
	all = &s->result->states[thread];
	if (all->n && all->at[all->n - 1].from == now)
		all->n--;
	if (!all->n || all->at[all->n - 1].state != state)
		*vector_add(all) = (struct replay_state){now, state};
}

void thread_dispatch(struct simulation *s, uint32_t thread, int64_t start)
{
	struct thread *t = &s->threads[thread];

	s->result->ready += start - t->ready;
	state_add(s, thread, STATE_RUNNING, start);
	if (s->cores)
		s->cores[t->core].thread = thread;
	t->phase = PHASE_RUNNING;
	t->began = t->until = start;
	t->slice_end = start + s->machine->slice;
	happening_add(s, thread, start);
}

void pull_expect(struct simulation *s, int64_t now)
{
	if (!s->free_cores || !s->waiting) {
		s->pulling = 0;
	} else if (!s->pulling) {
		s->pulling = s->order;
		happening_push(s, NOBODY, now + s->machine->pull);
	}
}

/*
 * Returns where a thread waits for a processor: at the one that it had last, else at the one with
 * the fewest.
 */
static struct queue *queue_choose(struct simulation *s, struct thread *t)
{
	if (!s->cores)
		return &s->ready;
	if (t->core == NOBODY) {
		t->core = 0;
		for (uint32_t i = 1; i < s->machine->cores; i++)
			if (s->cores[i].length < s->cores[t->core].length)
				t->core = i;
	}
	s->cores[t->core].length++;
	s->waiting++;
	return &s->cores[t->core].ready;
}

/* Takes the next thread off the queue of a processor. */
static uint32_t core_take(struct simulation *s, uint32_t core)
{
	uint32_t thread = queue_take(s, &s->cores[core].ready);

	if (thread != NOBODY) {
		s->cores[core].length--;
		s->waiting--;
	}
	return thread;
}

void core_choose(struct simulation *s, struct thread *t)
{
	uint32_t i = 0;

	s->free_cores--;
	if (!s->cores)
		return;
	if (t->core == NOBODY || s->cores[t->core].busy) {
		while (s->cores[i].busy)
			i++;
		t->core = i;
	}
	s->cores[t->core].busy = true;
}

void ready_add(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	t->phase = PHASE_READY;
	t->ready = now;
	t->switching = s->o->switching;
	state_add(s, thread, STATE_READY, now);
	queue_add(s, queue_choose(s, t), thread);
	turns_expect(s, now);
	pull_expect(s, now);
}

void processor_leave(struct simulation *s, uint32_t core, int64_t now)
{
	uint32_t next = s->cores ? core_take(s, core) : queue_take(s, &s->ready);

	if (next != NOBODY) {
		thread_dispatch(s, next, now + s->threads[next].switching);
	} else {
		s->free_cores++;
		if (s->cores)
			s->cores[core].busy = false;
	}
	pull_expect(s, now);
}

void thread_preempt(struct simulation *s, uint32_t thread, int64_t now)
{
	ready_add(s, thread, now);
	processor_leave(s, s->threads[thread].core, now);
}

void processor_pull(struct simulation *s, int64_t now)
{
	uint32_t from = NOBODY, thread;

	for (uint32_t i = 0; i < s->machine->cores; i++) {
		uint32_t head = s->cores[i].ready.head;

		if (head != NOBODY &&
		    (from == NOBODY ||
		     s->threads[head].ready < s->threads[s->cores[from].ready.head].ready))
			from = i;
	}
	thread = core_take(s, from);
	core_choose(s, &s->threads[thread]);
	s->pulling = 0;
	pull_expect(s, now);
	thread_dispatch(s, thread, now + s->threads[thread].switching);
}
