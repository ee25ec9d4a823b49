#include "analysis/replay/machine/device_queues.h"
#include "analysis/replay/machine/posts.h"
#include "analysis/replay/machine/thread_queues.h"
#include "analysis/replay/machine/wake_ups.h"

unsigned device_capacity(const struct simulation *s, const struct operation *o)
{
	return o->what < s->o->ndevices ? s->machine->served : 1;
}

/* The thread goes on once it is served, which may take unknown time. */
static void serve_begin(struct simulation *s, uint32_t thread, int64_t now)
{
	struct thread *t = &s->threads[thread];
	const struct operation *o = &s->o->all.at[t->next];

	thread_wake(s, thread, now);
	t->unknown += operation_unknown(o, operation_waited(o));
}

bool device_ask(struct simulation *s, uint32_t thread, const struct operation *o, int64_t now)
{
	struct device_state *d = &s->devices[o->what];
	unsigned most = device_capacity(s, o);

	if (!most)
		return delay_begin(s, thread, o, now);
	if (d->served == most) {
		queue_add(s, &d->waiting, thread);
		return false;
	}
	d->served++;
	serve_begin(s, thread, now);
	return false;
}

void device_finish(struct simulation *s, struct device_state *d, int64_t now)
{
	uint32_t next = queue_take(s, &d->waiting);

	if (next == NOBODY)
		d->served--;
	else
		serve_begin(s, next, now);
}
