#include "trace/parallel.h"
#include "viewers/gorge/census_parts.h"
#include "viewers/vector.h"
#include <stdlib.h>
#include <string.h>

static void number_kinds(struct census *c)
{
	const struct spec *spec = c->trace->spec;

	for (unsigned i = 0; i < spec->nevents; i++) {
		c->kinds[i] = c->nkinds;
		c->ranges[i] = range_empty();
		c->nkinds += spec->events[i]->offset_attribute < 0 ? 1 : SHIFTS;
	}
}

static bool has_shifts(const struct census *c)
{
	return c->nkinds > c->trace->spec->nevents;
}

/* The values of the attributes that shift, thread by thread. */
struct survey {
	struct census *census;
	struct range *ranges; /* by thread and event type */
};

static void survey_thread(void *context, size_t thread, unsigned worker)
{
	struct survey *s = context;
	const struct census *c = s->census;
	const struct spec *spec = c->trace->spec;
	struct range *ranges = &s->ranges[thread * spec->nevents];
	const struct census_goal next = {INT64_MAX, UINT32_MAX, 1};
	struct census_reading reading = {0};
	struct census_event e;

	(void)worker;
	for (unsigned i = 0; i < spec->nevents; i++)
		ranges[i] = range_empty();
	if (!census_source_begin(c->source, (unsigned)thread, &reading, &e))
		return;
	do
		if (spec->events[e.type]->offset_attribute >= 0)
			range_add(&ranges[e.type], &(struct event){.type = spec->events[e.type],
								   .record = e.record});
	while (census_read(c, (unsigned)thread, &reading, &e, &next, NULL));
}

static void find_ranges(struct census *c)
{
	unsigned nevents = c->trace->spec->nevents;
	struct survey s = {c, zeroed((size_t)c->trace->nthreads * nevents, sizeof *s.ranges)};

	parallel_for(c->trace->nthreads, survey_thread, &s);
	for (size_t i = 0; i < (size_t)c->trace->nthreads * nevents; i++) {
		struct range *all = &c->ranges[i % nevents];
		all->low = s.ranges[i].low < all->low ? s.ranges[i].low : all->low;
		all->high = s.ranges[i].high > all->high ? s.ranges[i].high : all->high;
	}
	free(s.ranges);
}

/* Begins a block before the event. */
static void begin_block(const struct census *c, struct census_thread *t,
			const struct census_reading *r, const struct census_event *e,
			const uint64_t *counts)
{
	uint64_t *before = &t->groups[t->nblocks / CENSUS_GROUP * c->nkinds];
	uint16_t *within = &t->counts[t->nblocks * c->nkinds];

	if (t->nblocks % CENSUS_GROUP == 0)
		memcpy(before, counts, c->nkinds * sizeof *counts);
	for (unsigned k = 0; k < c->nkinds; k++)
		within[k] = (uint16_t)(counts[k] - before[k]);
	t->times[t->nblocks] = e->time;
	t->units[t->nblocks] = e->unit;
	t->stops[t->nblocks++] = census_source_stop(r, e);
}

static size_t group_count(const struct census_thread *t)
{
	return (t->events / CENSUS_BLOCK + 1) / CENSUS_GROUP + 1;
}

static void read_thread(void *context, size_t thread, unsigned worker)
{
	const struct census *c = context;
	struct census_thread *t = &c->threads[thread];
	const struct census_goal block = {INT64_MAX, UINT32_MAX, CENSUS_BLOCK};
	uint64_t *counts = zeroed(c->nkinds, sizeof *counts);
	struct census_reading reading = {0};
	struct census_event e;
	size_t nblocks;

	(void)worker;
	t->events = census_source_events(c->source, (unsigned)thread);
	nblocks = t->events / CENSUS_BLOCK + 1;
	t->times = zeroed(nblocks, sizeof *t->times);
	t->units = zeroed(nblocks, sizeof *t->units);
	t->stops = zeroed(nblocks, sizeof *t->stops);
	t->counts = zeroed(nblocks * c->nkinds, sizeof *t->counts);
	t->groups = zeroed((group_count(t) + 1) * c->nkinds, sizeof *t->groups);
	if (census_source_begin(c->source, (unsigned)thread, &reading, &e))
		do
			begin_block(c, t, &reading, &e, counts);
		while (census_read(c, (unsigned)thread, &reading, &e, &block, counts));
	memcpy(&t->groups[group_count(t) * c->nkinds], counts, c->nkinds * sizeof *counts);
	free(counts);
}

struct census *census_new(const struct trace *t)
{
	struct census_source *source = census_source_new(t);
	struct census *c = source ? zeroed(1, sizeof *c) : NULL;

	if (!c)
		return NULL;
	c->trace = t;
	c->source = source;
	c->kinds = zeroed(t->spec->nevents, sizeof *c->kinds);
	c->ranges = zeroed(t->spec->nevents, sizeof *c->ranges);
	c->threads = zeroed(t->nthreads, sizeof *c->threads);
	number_kinds(c);
	if (has_shifts(c))
		find_ranges(c);
	parallel_for(t->nthreads, read_thread, c);
	return c;
}

void census_free(struct census *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->trace->nthreads; i++) {
		free(c->threads[i].times);
		free(c->threads[i].units);
		free(c->threads[i].stops);
		free(c->threads[i].counts);
		free(c->threads[i].groups);
	}
	census_source_free(c->source);
	free(c->threads);
	free(c->kinds);
	free(c->ranges);
	free(c);
}

const struct trace *census_trace(const struct census *c)
{
	return c->trace;
}

unsigned census_kinds(const struct census *c)
{
	return c->nkinds;
}

unsigned census_kind(const struct census *c, const struct event_type *type, unsigned *n)
{
	*n = type->offset_attribute < 0 ? 1 : SHIFTS;
	return c->kinds[type->index];
}

const struct range *census_range(const struct census *c, const struct event_type *type)
{
	return &c->ranges[type->index];
}

const uint64_t *census_totals(const struct census *c, unsigned thread)
{
	const struct census_thread *t = &c->threads[thread];

	return &t->groups[group_count(t) * c->nkinds];
}
