#include "analysis/replay/machine/device_queues.h"
#include "analysis/replay/machine/posts.h"
#include "analysis/replay/machine/thread_queues.h"
#include "analysis/replay/machine/wake_ups.h"

unsigned device_capacity(const struct simulation *s, const struct operation *o)
{
	return o->what < s->o->ndevices ? s->machine->served : 1;
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
	thread_wake(s, thread, now);
	return false;
}

void device_finish(struct simulation *s, struct device_state *d, int64_t now)
{
	uint32_t next = queue_take(s, &d->waiting);

	if (next == NOBODY)
		d->served--;
	else
		thread_wake(s, next, now);
}
