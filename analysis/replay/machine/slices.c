#include "analysis/replay/machine/slices.h"
#include "analysis/replay/machine/happenings.h"

/* While others wait for the processor of a thread that spins, its slice ends. */
static void turn_expect(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	if (t->phase != PHASE_SPINNING || t->happening || !s->machine->cores || !is_wanted(s, t))
		return;
	slices_pass(s, t, now);
	happening_add(s, thread, t->slice_end);
}

void unsliced_add(struct simulation *s, uint32_t thread)
{
	s->patient += s->threads[thread].busy_waits;
	s->threads[thread].unsliced = (uint32_t)s->unsliced.n;
	*vector_add(&s->unsliced) = thread;
}

void unsliced_remove(struct simulation *s, struct thread *t)
{
	uint32_t last = s->unsliced.at[s->unsliced.n - 1];

	s->patient -= t->busy_waits;
	s->unsliced.at[t->unsliced] = last;
	s->threads[last].unsliced = t->unsliced;
	t->unsliced = NOBODY;
	s->unsliced.n--;
}

void unsliced_cut(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	unsliced_end(s, t, now);
	if (t->busy_waits) {
		happening_add(s, thread, t->slice_end);
		return;
	}
	if (t->slice_end >= t->until)
		return;
	t->work += t->until - t->slice_end;
	s->result->running -= t->until - t->slice_end;
	t->until = t->slice_end;
	happening_add(s, thread, t->until);
}

void turns_expect(struct simulation *s, int64_t now)
{
	for (uint32_t t = 0; s->spinning && t < s->o->nthreads; t++)
		turn_expect(s, t, now);
	for (size_t i = s->unsliced.n; i--;)
		if (is_wanted(s, &s->threads[s->unsliced.at[i]]))
			unsliced_cut(s, s->unsliced.at[i], now);
}

void spin_begin(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];

	if (t->blocked < 0)
		t->blocked = now;
	if (now >= t->slice_end)
		t->slice_end = is_wanted(s, t) ? now : now + s->machine->slice;
	t->phase = PHASE_SPINNING;
	t->until = now;
	t->happening = 0;
	s->spinning++;
	turn_expect(s, thread, now);
}

void spin_end(struct simulation *s, struct thread *t, int64_t now)
{
	s->spinning--;
	slices_pass(s, t, now);
	s->result->running += now - t->until;
	t->phase = PHASE_RUNNING;
}
