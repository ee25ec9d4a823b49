#include "analysis/why/density.h"
#include "analysis/activity/thread_walk.h"
#include "base/array.h"
#include "base/parallel.h"
#include <stdlib.h>

struct counting {
	struct trace *trace;
	struct density *density;
};

static void thread_count(void *context, size_t thread, unsigned worker)
{
	const struct counting *c = context;
	uint64_t *bins = c->density->before + thread * (DENSITY_BINS + 1);
	double scale = c->density->duration ? DENSITY_BINS / (double)c->density->duration : 0;
	struct thread_walk walk;

	(void)worker;
	thread_walk_open(&walk, c->trace, thread);
	while (thread_walk_next(&walk)) {
		int64_t bin = (int64_t)((double)walk.time * scale);

		bins[1 + (bin < 0 ? 0 : bin < DENSITY_BINS ? bin : DENSITY_BINS - 1)]++;
	}
	for (size_t i = 0; i < DENSITY_BINS; i++)
		bins[i + 1] += bins[i];
}

struct density *density_of(struct trace *t)
{
	struct density *d = array_new(1, sizeof *d);
	struct counting counting = {t, d};

	d->duration = t->duration;
	d->before = array_zero((size_t)t->nthreads * (DENSITY_BINS + 1), sizeof *d->before);
	parallel_for(t->nthreads, thread_count, &counting);
	return d;
}

static double events_until(const struct density *d, const uint64_t *bins, int64_t time)
{
	double at = d->duration ? (double)time * DENSITY_BINS / (double)d->duration : 0;
	size_t bin = at > 0 ? (size_t)at : 0;

	if (bin >= DENSITY_BINS || !d->duration)
		return (double)bins[DENSITY_BINS];
	return (double)bins[bin] + (at > 0 ? at - (double)bin : 0) * (double)(bins[bin + 1] - bins[bin]);
}

double density_events(const struct density *d, uint32_t thread, int64_t from, int64_t to)
{
	const uint64_t *bins = d->before + (size_t)thread * (DENSITY_BINS + 1);

	return from < to ? events_until(d, bins, to) - events_until(d, bins, from) : 0;
}

void density_free(struct density *d)
{
	free(d->before);
	free(d);
}
