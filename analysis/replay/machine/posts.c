#include "analysis/replay/machine/posts.h"
#include "analysis/replay/machine/busy_waits.h"
#include "analysis/replay/machine/thread_queues.h"
#include "analysis/replay/machine/wake_ups.h"

bool meeting_join(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	struct meeting_state *m = &s->meetings[o->what];

	if (++m->come == s->o->members[o->what]) {
		queue_wake(s, &m->waiting, now);
		return true;
	}
	queue_add(s, &m->waiting, thread);
	return false;
}

bool post_await(struct simulation *s, uint32_t thread, const struct operation *o)
{
	if (s->posts[o->what].posted)
		return true;
	queue_add(s, &s->posts[o->what].waiting, thread);
	return false;
}

void post_make(struct simulation *s, const struct operation *o, int64_t now)
{
	struct post_state *p = &s->posts[o->what];

	p->posted = true;
	if (p->expired < now)
		s->result->overdue += now - p->expired;
	queue_wake(s, &p->waiting, now);
}

void wait_expire(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	const struct operation *o = &s->o->all.at[t->next];
	struct post_state *p = &s->posts[o->what];

	s->current = t->next;
	s->doer = thread;
	queue_remove(s, &p->waiting, thread);
	thread_wake(s, thread, now);
	if (o[1].kind == OPERATION_LOOP)
		return;
	s->result->expired++;
	p->expired = p->expired < now ? p->expired : now;
}

bool delay_begin(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	if (!o->time && !o->after && (o->latency == NO_LATENCY || !o->latency))
		return true;
	if (o->kind == OPERATION_DELAY)
		s->threads[thread].unknown += operation_unknown(o, operation_waited(o));
	thread_wake(s, thread, now);
	return false;
}

bool sleep_begin(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	if (o->time <= now)
		return true;
	thread_wake(s, thread, now);
	return false;
}

bool loop_poll(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	struct thread *t = &s->threads[thread];
	bool first = t->looped < now;

	if (s->posts[o->what].posted || o->time >= 0)
		return true;
	return (loop_goes_on(s, t, now) && first) || post_await(s, thread, o);
}
