/*
 * glimpse why --as-live: the search that goes on while a program runs, over a finished trace: what
 * it would have found when, and how much of the events it would have asked for.
 */
#include "analysis/activity/thread_walk.h"
#include "analysis/why/event_requests.h"
#include "base/units.h"
#include "cli/live/live.h"
#include "cli/why.h"
#include "spec/layout.h"
#include <inttypes.h>
#include <stdlib.h>

/* Passes are 250 ms apart, as while a program runs. A short or long run bounds their number. */
#define PASS_LENGTH INT64_C(250000000)
enum { PASSES_LEAST = 8, PASSES_MOST = 20 };

/* What there is of each type of event in each part of the run that is searched. */
struct amount {
	uint64_t events, bytes;
};

struct event_supply {
	struct amount *parts; /* by part, then by type */
	size_t nparts, ntypes;
	int64_t length; /* of a part */
};

static void supply_count(struct event_supply *s, struct trace *t)
{
	s->ntypes = t->spec->nevents;
	s->parts = array_zero(s->nparts * s->ntypes, sizeof *s->parts);
	for (uint32_t i = 0; i < t->nthreads; i++) {
		struct thread_walk walk;

		thread_walk_open(&walk, t, i);
		while (thread_walk_next(&walk)) {
			size_t part = walk.time > 0 ? (size_t)(walk.time / s->length) : 0;
			struct amount *a =
			    &s->parts[(part < s->nparts ? part : s->nparts - 1) * s->ntypes +
				      walk.type];

			a->events++;
			a->bytes +=
			    record_size(t->spec->events[walk.type], walk.record, UINT32_MAX);
		}
	}
}

static void events_plan(struct live *l, const struct spec *spec)
{
	bool *cheap = array_zero(spec->nevents, sizeof *cheap);

	requests_cheap(spec, cheap);
	for (unsigned i = 0; i < spec->nevents; i++)
		*vector_add(&l->events) =
		    (struct live_event){.name = text_format("%s", spec->events[i]->name),
					.cheap = cheap[i],
					.asked = cheap[i],
					.rate = -1};
	free(cheap);
}

/* Takes what is on in a part; of all types what there is. */
static void part_take(struct live *l, const struct spec *spec, const struct event_supply *s,
		      size_t part, struct amount *needed, struct amount *all)
{
	for (unsigned i = 0; i < spec->nevents; i++) {
		struct live_event *e = live_event_find(l, spec->events[i]->name);
		const struct amount *a = &s->parts[part * s->ntypes + i];

		e->known = e->cheap || e->asked;
		all->events += a->events;
		all->bytes += a->bytes;
		if (!e->known)
			continue;
		e->count += a->events;
		needed->events += a->events;
		needed->bytes += a->bytes;
	}
}

static void findings_print(FILE *out, const struct live *l)
{
	for (size_t i = 0; i < l->findings.n; i++) {
		const struct live_finding *f = &l->findings.at[i];
		char *place = live_finding_place(f);
		char found[UNITS_TEXT];

		fprintf(out,
			"after %s: %s%s%s: %.1f %% of the last pass; held in %u of %u passes\n",
			units_time(found, (double)f->found), f->explanation, *place ? ": " : "",
			place, 100 * f->cost, f->held, f->tested);
		free(place);
	}
	if (!l->findings.n)
		fputs("nothing was found\n", out);
}

static void needed_print(FILE *out, const struct live *l, const struct amount *needed,
			 const struct amount *all)
{
	fprintf(out,
		"needed: %" PRIu64 " of %" PRIu64
		" events (%.1f %%), %.1f %% of their bytes; %u passes, %u tests\n",
		needed->events, all->events,
		all->events ? 100 * (double)needed->events / (double)all->events : 0,
		all->bytes ? 100 * (double)needed->bytes / (double)all->bytes : 0, l->passes,
		l->tests);
}

int why_as_live(struct command_request *r, struct trace *t, unsigned processors)
{
	struct live live = {.hypotheses = r->hypotheses, .processors = processors};
	struct event_supply supply = {.length = PASS_LENGTH};
	struct amount needed = {0}, all = {0};
	int status = EXIT_FINE;

	if (supply.length < t->duration / PASSES_MOST)
		supply.length = t->duration / PASSES_MOST;
	if (supply.length > t->duration / PASSES_LEAST)
		supply.length = t->duration / PASSES_LEAST + 1;
	supply.nparts = (size_t)(t->duration / supply.length) + 1;
	supply_count(&supply, t);
	events_plan(&live, t->spec);
	for (size_t i = 0; i < supply.nparts && status == EXIT_FINE; i++) {
		int64_t from = (int64_t)i * supply.length, to = from + supply.length;

		part_take(&live, t->spec, &supply, i, &needed, &all);
		if (!live_pass(&live, t, from, to < t->duration ? to : t->duration, &r->diag))
			status = EXIT_ERROR;
	}
	if (status == EXIT_FINE) {
		findings_print(r->out, &live);
		needed_print(r->out, &live, &needed, &all);
	}
	live_free(&live);
	free(supply.parts);
	return status;
}
