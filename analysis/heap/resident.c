#include "analysis/heap/resident.h"
#include "analysis/heap/lifetimes.h"
#include "base/array.h"
#include "trace/trace.h"
#include <stdlib.h>
#include <string.h>

/* What a process has in use at the sample that the walk has come to, and its samples so far. */
struct process_use {
	int64_t in_use;
	struct resident found;
};

bool role_is_of_memory(const struct role *r)
{
	return r->start.event && strcmp(r->start.event->name, "Alloc") == 0;
}

static void sample_add(struct process_use *u, int64_t time, uint64_t bytes)
{
	struct resident *f = &u->found;
	uint64_t in_use = u->in_use > 0 ? (uint64_t)u->in_use : 0;

	f->last = bytes;
	if (bytes > f->most)
		f->most = bytes;
	if (f->known && (int64_t)(bytes - in_use) <= (int64_t)(f->bytes - f->in_use))
		return;
	f->known = true;
	f->time = time;
	f->bytes = bytes;
	f->in_use = in_use;
}

/* Adds what is allocated and freed up to a sample. */
static void use_walk(struct process_use *processes, const struct lifetimes *l,
		     struct moment_walk *s, struct moment_walk *e, event_rank until,
		     const uint64_t *const bytes[3])
{
	while (s->rank < until || e->rank < until) {
		/* an event that is both gives back first */
		if (e->rank <= s->rank) {
			processes[lifetimes_process(l, l->ends, e->at)].in_use -=
			    (int64_t)bytes[1][e->at];
			moment_walk_next(e);
			continue;
		}
		processes[lifetimes_process(l, l->starts, s->at)].in_use +=
		    (int64_t)bytes[0][s->at] - (bytes[2] ? (int64_t)bytes[2][s->at] : 0);
		moment_walk_next(s);
	}
}

struct resident resident_find(const struct lifetimes *l, const uint64_t *sizes,
			      const uint64_t *freed, const uint64_t *replaced)
{
	const struct event_type *type = spec_event(l->trace->spec, "Memory");
	int attribute = type ? event_attribute(type, "resident") : -1;
	const struct event_list *samples = attribute >= 0 &&
						   type->attributes[attribute].type == TYPE_ULONG &&
						   role_is_of_memory(l->role)
					       ? trace_events((struct trace *)l->trace, type)
					       : NULL;
	struct moments starts = {.trace = l->trace, .list = l->starts, .count = l->nstarts};
	struct moments ends = {.trace = l->trace, .list = l->ends, .count = l->nends};
	struct process_use *processes;
	struct resident most = {0};
	struct moment_walk s, e;

	if (!samples || !starts.list || !ends.list)
		return most;
	s = moment_walk_begin(&starts, 0, l->nstarts);
	e = moment_walk_begin(&ends, 0, l->nends);
	processes = array_zero(l->trace->nprocesses + 1, sizeof *processes);
	for (size_t i = 0; i < event_list_size(samples); i++) {
		uint64_t bytes;
		struct event sample;

		event_list_get(samples, i, &sample);
		memcpy(&bytes, sample.record + type->attributes[attribute].offset, sizeof bytes);
		use_walk(processes, l, &s, &e, entry_rank(samples, i),
			 (const uint64_t *const[3]){sizes, freed, replaced});
		sample_add(&processes[lifetimes_process(l, samples, i)], sample.time, bytes);
	}
	for (unsigned i = 0; i < l->trace->nprocesses; i++) {
		const struct resident *f = &processes[i].found;

		if (f->known && f->bytes - f->in_use > most.bytes - most.in_use &&
		    f->bytes > f->in_use)
			most = *f;
	}
	free(processes);
	return most;
}
