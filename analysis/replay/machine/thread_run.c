#include "analysis/replay/machine/thread_run.h"
#include "analysis/replay/machine/busy_waits.h"
#include "analysis/replay/machine/device_queues.h"
#include "analysis/replay/machine/happenings.h"
#include "analysis/replay/machine/lock_queues.h"
#include "analysis/replay/machine/piece_pools.h"
#include "analysis/replay/machine/posts.h"
#include "analysis/replay/machine/replay_steps.h"
#include "analysis/replay/machine/run_queues.h"
#include "analysis/replay/machine/slices.h"
#include "analysis/replay/machine/wake_ups.h"

/* Whether others run first, if there are any. */
static bool yields(const struct simulation *s, uint32_t thread, const struct operation *o,
		   int64_t now)
{
	if (!is_wanted(s, &s->threads[thread]))
		return false;
	return !o->time || (s->machine->slice <= o->time &&
			    now - s->threads[thread].began >= s->machine->slice / 2);
}

/* A thread that does not sleep between tries waits for the lock. */
static bool try_sleep(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	if (!delay_begin(s, thread, o, now))
		return false;
	loop_end(&s->threads[thread]);
	return true;
}

static bool operate(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	struct thread *t = &s->threads[thread];

	if (t->woken && o->kind != OPERATION_TAKE) {
		t->woken = false;
		return true;
	}
	switch ((enum operation_kind)o->kind) {
	case OPERATION_TAKE:
		return lock_take(s, thread, o, now);
	case OPERATION_RELEASE:
		lock_release(s, o, now);
		return true;
	case OPERATION_POST:
		post_make(s, o, now);
		return true;
	case OPERATION_WAIT:
		return post_await(s, thread, o);
	case OPERATION_MEET:
		return meeting_join(s, thread, o, now);
	case OPERATION_DELAY:
		return delay_begin(s, thread, o, now);
	case OPERATION_POLL:
		return s->posts[o->what].posted || delay_begin(s, thread, o, now);
	case OPERATION_TRY:
		return !lock_is_missed(s, thread, o, now) || try_sleep(s, thread, o, now);
	case OPERATION_UNTIL:
		return sleep_begin(s, thread, o, now);
	case OPERATION_LOOP:
		return loop_poll(s, thread, o, now);
	case OPERATION_SERVE:
		return device_ask(s, thread, o, now);
	case OPERATION_YIELD:
		return !yields(s, thread, o, now);
	case OPERATION_LIMIT:
	case OPERATION_NEXT:
	case OPERATION_BACK:
	case OPERATION_END:
		break;
	}
	return true;
}

static void yield(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	t->woken = true;
	t->blocked = now;
	thread_preempt(s, thread, now);
	t->switching = s->o->all.at[t->next].latency;
}

static void end_thread(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	t->phase = PHASE_ENDED;
	s->result->ends[thread] = now;
	state_add(s, thread, STATE_OTHER, now);
	if (!ends_with_process(s->o, thread)) {
		s->running--;
		if (now > s->result->duration) {
			s->result->duration = now;
			s->result->unknown = t->unknown;
		}
	}
	processor_leave(s, t->core, now);
}

/*
 * Lets a thread run up to a time; returns false if it has to leave its processor or something else
 * happens before it is done.
 */
static bool work(struct simulation *s, uint32_t thread, int64_t *now)
{
	struct thread *t = &s->threads[thread];
	bool wanted = s->machine->cores && is_wanted(s, t);

	unsliced_end(s, t, *now);
	while (t->work) {
		int64_t end = *now + t->work;

		if (s->machine->cores && *now >= t->slice_end) {
			if (wanted) {
				thread_preempt(s, thread, *now);
				return false;
			}
			t->slice_end = *now + s->machine->slice;
		}
		if (wanted && end > t->slice_end)
			end = t->slice_end;
		t->work -= end - *now;
		t->until = end;
		s->result->running += end - *now;
		if (s->nheap && s->heap[0].time < end) {
			happening_add(s, thread, end);
			if (s->machine->cores && end > t->slice_end)
				unsliced_add(s, thread);
			return false;
		}
		*now = end;
		if (s->machine->cores)
			slices_pass(s, t, end);
	}
	return true;
}

/* Returns where a thread goes on after one in a loop. What is left out is done at that time. */
static size_t loop_after(struct simulation *s, struct thread *t, const struct operation *o,
			 int64_t now)
{
	size_t after = t->next + 1;

	if (!s->posts[o->what].posted)
		return o->time < 0 ? t->next - (size_t)-o->time : after;
	loop_end(t);
	for (int64_t left = o->time; left > 0; left--, after++)
		if (s->result->done)
			s->result->begun[after] = s->result->done[after] = now;
	return after;
}

/* Returns where a thread goes on that has slept after a try of a lock. */
static size_t try_after(struct simulation *s, struct thread *t, const struct operation *o,
			int64_t now)
{
	s->result->lock_waits[o->what] += now - t->blocked;
	if (lock_is_missed(s, (uint32_t)(t - s->threads), o, now))
		return t->next;
	if (s->result->wakers)
		s->result->wakers[t->next] = (uint32_t)s->locks[o->what].opened;
	return t->next + 1;
}

/* Returns which operation of a thread comes after one. */
static size_t operation_after(struct simulation *s, struct thread *t, const struct operation *o,
			      int64_t now)
{
	if (o->kind == OPERATION_LOOP)
		return loop_after(s, t, o, now);
	if (o->kind == OPERATION_TRY && t->blocked >= 0)
		return try_after(s, t, o, now);
	if (o->kind == OPERATION_BACK)
		return t->back;
	if (o->kind == OPERATION_NEXT && s->handed[o->what] < s->o->pools.at[o->what].end)
		return piece_begin(s, t, o->what);
	return t->next + 1;
}

/* Returns what a thread runs before its next operation: of a piece at its own pace. */
static int64_t work_before(const struct simulation *s, const struct thread *t)
{
	int64_t work = s->o->all.at[t->next].work;

	if (!s->o->pace || t->next < s->o->first[s->o->nthreads])
		return work;
	return (int64_t)((double)work * s->o->pace[t - s->threads] + 0.5);
}

static void operation_end(struct simulation *s, struct thread *t, int64_t now)
{
	const struct operation *o = &s->o->all.at[t->next];
	bool last = o->kind == OPERATION_MEET && t->blocked < 0;
	size_t before = t->next;

	if (t->blocked >= 0 && o->kind == OPERATION_TAKE)
		s->result->lock_waits[o->what] += now - t->blocked;
	if (s->result->done)
		s->result->done[t->next] = now;
	t->next = operation_after(s, t, o, now);
	t->woken = false;
	t->blocked = -1;
	t->limit = o->kind == OPERATION_LIMIT ? now + o->time : INT64_MAX;
	if (t->next == before)
		t->work = 0; /* it ran for the try after its sleep */
	else if (o->kind != OPERATION_END)
		t->work = work_before(s, t) + (last ? o->after : 0); /* it lets the others go on */
}

/* A thread that tries a lock began when it tried first. */
static void begin(struct simulation *s, const struct thread *t, int64_t now)
{
	if (s->result->begun && (t->looped < 0 || s->o->all.at[t->next].kind != OPERATION_TRY))
		s->result->begun[t->next] = now;
}

void wait_end(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	const struct operation *o = &s->o->all.at[t->next];

	if (o->kind == OPERATION_SERVE && device_capacity(s, o))
		s->current = t->next, s->doer = thread, device_finish(s, &s->devices[o->what], now);
	t->work = o->after;
}

void thread_run(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	while (!s->stopped && work(s, thread, &now)) {
		const struct operation *o = &s->o->all.at[t->next];

		s->reached = now;
		steps_add(s, 1);
		if (t->busy_waits) {
			if (!t->woken || t->wakes > now) {
				busy_wait_begin(s, thread, now);
				return;
			}
			t->busy_waits = false;
			wait_end(s, thread, now);
			continue;
		}
		if (o->kind == OPERATION_END) {
			begin(s, t, now);
			operation_end(s, t, now);
			end_thread(s, thread, now);
			return;
		}
		if (t->blocked < 0)
			begin(s, t, now);
		s->current = t->next;
		s->doer = thread;
		if (!operate(s, thread, o, now)) {
			if (o->kind == OPERATION_YIELD)
				yield(s, thread, now);
			else if (t->spins)
				spin_begin(s, thread, now);
			else
				wait_begin(s, thread, now);
			return;
		}
		operation_end(s, t, now);
	}
}

void thread_begin(struct simulation *s, uint32_t thread)
{
	struct thread *t = &s->threads[thread];

	t->phase = PHASE_BLOCKED;
	t->blocked = 0;
	begin(s, t, 0);
	s->current = t->next;
	s->doer = thread;
	if (operate(s, thread, &s->o->all.at[t->next], 0))
		thread_wake(s, thread, 0);
}
