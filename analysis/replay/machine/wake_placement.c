#include "analysis/replay/machine/wake_placement.h"
#include "analysis/replay/machine/busy_waits.h"
#include "analysis/replay/machine/run_queues.h"
#include "analysis/replay/machine/slices.h"

/*
 * A thread goes on at the processor that it had in the recorded run. After a delay, in which other
 * programs may have had its processor, it stays there if the recorded one is busy now, and its own
 * is idle.
 */
static void core_follow(const struct simulation *s, struct thread *t, const struct operation *o)
{
	bool stays = o->kind == OPERATION_DELAY && t->core != NOBODY && !s->cores[t->core].busy;

	if (!stays || !s->cores[o->core].busy)
		t->core = o->core;
}

/* Whether a woken thread waits for a processor. */
static bool has_to_queue(const struct simulation *s, const struct thread *t)
{
	if (!s->machine->cores)
		return false;
	return !s->free_cores ||
	       (s->cores && s->machine->stays && t->core != NOBODY && s->cores[t->core].busy);
}

/* A woken thread takes the place of the one that runs on its processor. */
static void core_conquer(struct simulation *s, uint32_t core, int64_t now)
{
	uint32_t thread = s->cores[core].thread;
	struct thread *t = &s->threads[thread];

	if ((t->phase != PHASE_RUNNING && t->phase != PHASE_SPINNING) || t->began >= now)
		return;
	if (t->phase == PHASE_SPINNING) {
		spin_end(s, t, now);
	} else {
		unsliced_end(s, t, now);
		t->work += t->until - now;
		s->result->running -= t->until - now;
	}
	ready_add(s, thread, now);
	t->happening = 0;
	processor_leave(s, core, now);
}

void thread_resume(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	const struct operation *o = &s->o->all.at[t->next];
	bool known = o->latency != NO_LATENCY;

	if (s->cores && s->machine->placed && o->core < s->machine->cores)
		core_follow(s, t, o);
	if (has_to_queue(s, t)) {
		bool first = s->cores && s->machine->preempts && t->core != NOBODY &&
			     s->cores[t->core].ready.head == NOBODY;

		ready_add(s, thread, now);
		if (known && (o->switched || o->others))
			t->switching = o->latency;
		if (s->yield)
			yielder_displace(s, t, now);
		if (first)
			core_conquer(s, t->core, now);
		return;
	}
	if (s->machine->cores)
		core_choose(s, t);
	t->ready = now;
	state_add(s, thread, STATE_READY, now);
	pull_expect(s, now);
	thread_dispatch(s, thread,
			now + (known && (!o->switched || o->others) ? o->latency : s->o->wake_up));
}
