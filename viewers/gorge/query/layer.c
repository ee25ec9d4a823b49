#include "viewers/gorge/query/layer.h"

static const char *const layers[] = {
    [KIND_STATE] = "states", [KIND_WAIT] = "waits", [KIND_IO] = "waits",
    [KIND_SPIN] = "waits",   [KIND_HOLD] = "locks", [KIND_CAUSE] = "wake-ups",
};

const char *layer_of_interval(const struct interval *interval)
{
	size_t kind = interval->kind;

	return kind < sizeof layers / sizeof *layers && layers[kind] ? layers[kind] : "own";
}

bool layer_lacks_interval(const struct trace *t, const struct interval *interval)
{
	while (interval->anchor.interval)
		interval = interval->anchor.interval;
	return t->events_of_type[interval->anchor.event->index] == 0;
}

static uint64_t layer_end_events(const struct trace *t, const struct event_type *event,
				 const struct interval *interval)
{
	if (interval)
		return layer_interval_events(t, interval);
	return event ? t->events_of_type[event->index] : 0;
}

uint64_t layer_interval_events(const struct trace *t, const struct interval *interval)
{
	return layer_end_events(t, interval->anchor.event, interval->anchor.interval) +
	       layer_end_events(t, interval->partner.event, interval->partner.interval);
}
