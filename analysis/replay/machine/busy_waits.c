#include "analysis/replay/machine/busy_waits.h"
#include "analysis/replay/machine/happenings.h"
#include "analysis/replay/machine/lock_queues.h"
#include "analysis/replay/machine/run_queues.h"
#include "analysis/replay/machine/slices.h"

void thread_block(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	t->phase = PHASE_BLOCKED;
	state_add(s, thread, STATE_BLOCKED, now);
	if (t->woken)
		happening_add(s, thread, t->wakes);
	else if (is_limited(s, t))
		happening_add(s, thread, t->limit > now ? t->limit : now);
	processor_leave(s, t->core, now);
}

void yielder_displace(struct simulation *s, const struct thread *by, int64_t now)
{
	for (uint32_t i = 0; i < s->o->nthreads; i++) {
		struct thread *t = &s->threads[i];

		if (t->busy_waits && t->phase == PHASE_LEAVING && !t->woken &&
		    s->o->all.at[t->next].yields && (!s->cores || t->core == by->core)) {
			t->busy_waits = false;
			s->result->running += now - t->leaving;
			t->happening = 0;
			thread_block(s, i, now);
			return;
		}
	}
}

/* Whether a thread may still do what others poll for: it waits for nobody, and does not poll. */
static bool goes_on(const struct simulation *s, const struct thread *t, bool wins)
{
	bool waits = (t->phase == PHASE_BLOCKED || t->phase == PHASE_LEAVING || t->busy_waits) &&
		     !t->woken && !is_limited(s, t);

	waits |= t->spins && !lock_admits(s, (uint32_t)(t - s->threads), &s->o->all.at[t->next]);
	waits |= wins && (t->phase == PHASE_READY ||
			  (t->blocked >= 0 && s->o->all.at[t->next].kind == OPERATION_TAKE));
	return t->phase != PHASE_ENDED && t->looped < 0 && !waits;
}

/*
 * Whether any thread may still do what others poll for. wins: threads that wait for a lock or a
 * processor do not count.
 */
static bool threads_go_on(struct simulation *s, bool wins)
{
	if (goes_on(s, &s->threads[s->going], wins))
		return true;
	for (uint32_t i = 0; i < s->o->nthreads; i++)
		if (goes_on(s, &s->threads[i], wins)) {
			s->going = i;
			return true;
		}
	return false;
}

/*
 * A thread that has polled so often does not count on those that wait for a lock or a processor: it
 * may be who always gets it first.
 */
enum { MOST_LOOPS = 1000 };

bool loop_goes_on(struct simulation *s, struct thread *t, int64_t now)
{
	t->looped = now;
	t->loops++;
	return threads_go_on(s, t->loops > MOST_LOOPS);
}

void loop_end(struct thread *t)
{
	t->looped = -1;
	t->loops = 0;
}

void patience_end(struct simulation *s)
{
	if (threads_go_on(s, false))
		return;
	for (size_t i = s->unsliced.n; i--;)
		if (s->threads[s->unsliced.at[i]].busy_waits)
			unsliced_cut(s, s->unsliced.at[i], s->reached);
}

void busy_wait_begin(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	bool yields = s->o->all.at[t->next].yields;

	t->busy_waits = true;
	t->phase = PHASE_LEAVING;
	t->leaving = now;
	t->happening = 0;
	s->yield |= yields;
	if (t->woken) {
		happening_add(s, thread, t->wakes);
	} else if (s->machine->cores && (yields ? is_wanted(s, t) : !threads_go_on(s, false))) {
		t->busy_waits = false;
		thread_block(s, thread, now);
	} else if (s->machine->cores && !yields) {
		if (t->slice_end <= now && is_wanted(s, t)) {
			thread_preempt(s, thread, now);
			return;
		}
		if (t->slice_end <= now)
			t->slice_end = now + s->machine->slice;
		if (is_wanted(s, t))
			happening_add(s, thread, t->slice_end);
		else
			unsliced_add(s, thread);
	}
}

void wait_begin(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	int64_t leaves = now + s->o->all.at[t->next].before;

	if (t->blocked < 0)
		t->blocked = now;
	if (s->o->all.at[t->next].before == OPERATION_SPINS) {
		busy_wait_begin(s, thread, now);
		return;
	}
	if (leaves == now) {
		thread_block(s, thread, now);
		return;
	}
	t->phase = PHASE_LEAVING;
	t->leaving = now;
	happening_add(s, thread, t->woken && t->wakes < leaves ? t->wakes : leaves);
}
