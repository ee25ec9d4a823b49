#include "analysis/why/event_rates.h"
#include "analysis/activity/thread_walk.h"
#include "base/array.h"
#include "base/parallel.h"
#include <stdlib.h>

struct event_rates_context {
	struct trace *trace;
	struct event_rates *event_rates;
};

static void thread_count(void *context, size_t thread, unsigned worker)
{
	const struct event_rates_context *c = context;
	uint64_t *bins = c->event_rates->before + thread * (EVENT_RATE_BINS + 1);
	double scale =
	    c->event_rates->duration ? EVENT_RATE_BINS / (double)c->event_rates->duration : 0;
	struct thread_walk walk;

	(void)worker;
	thread_walk_open(&walk, c->trace, thread);
	while (thread_walk_next(&walk)) {
		int64_t bin = (int64_t)((double)walk.time * scale);

		bins[1 + (bin < 0 ? 0 : bin < EVENT_RATE_BINS ? bin : EVENT_RATE_BINS - 1)]++;
	}
	for (size_t i = 0; i < EVENT_RATE_BINS; i++)
		bins[i + 1] += bins[i];
}

struct event_rates *event_rates_of(struct trace *t)
{
	struct event_rates *d = array_new(1, sizeof *d);
	struct event_rates_context counting = {t, d};

	d->duration = t->duration;
	d->before = array_zero((size_t)t->nthreads * (EVENT_RATE_BINS + 1), sizeof *d->before);
	parallel_for(t->nthreads, thread_count, &counting);
	return d;
}

static double events_until(const struct event_rates *d, const uint64_t *bins, int64_t time)
{
	double at = d->duration ? (double)time * EVENT_RATE_BINS / (double)d->duration : 0;
	size_t bin = at > 0 ? (size_t)at : 0;

	if (bin >= EVENT_RATE_BINS || !d->duration)
		return (double)bins[EVENT_RATE_BINS];
	return (double)bins[bin] +
	       (at > 0 ? at - (double)bin : 0) * (double)(bins[bin + 1] - bins[bin]);
}

double event_rates_events(const struct event_rates *d, uint32_t thread, int64_t from, int64_t to)
{
	const uint64_t *bins = d->before + (size_t)thread * (EVENT_RATE_BINS + 1);

	return from < to ? events_until(d, bins, to) - events_until(d, bins, from) : 0;
}

void event_rates_free(struct event_rates *d)
{
	free(d->before);
	free(d);
}
