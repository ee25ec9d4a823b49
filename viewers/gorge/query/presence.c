#include "viewers/gorge/query/presence.h"

bool presence_lacks(const struct trace *t, const struct interval *interval)
{
	while (interval->anchor.interval)
		interval = interval->anchor.interval;
	return t->events_of_type[interval->anchor.event->index] == 0;
}

static uint64_t presence_end_events(const struct trace *t, const struct event_type *event,
				    const struct interval *interval)
{
	if (interval)
		return presence_events(t, interval);
	return event ? t->events_of_type[event->index] : 0;
}

uint64_t presence_events(const struct trace *t, const struct interval *interval)
{
	return presence_end_events(t, interval->anchor.event, interval->anchor.interval) +
	       presence_end_events(t, interval->partner.event, interval->partner.interval);
}
