/*
 * Lists of events by type, in the order of the stream. An entry has 8 bytes: the event's number in
 * its section. Sections are merged in parallel, and put behind one another.
 */
#include "trace/stream/event_list.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/spill.h"
#include "trace/open/opened.h"
#include "trace/stream/merge.h"
#include <stdlib.h>

/* ---- building ---- */

static void list_free(struct event_list *l)
{
	if (!l)
		return;
	spill_free(l->entries);
	free(l->first);
	free(l->hints);
	free(l);
}

static struct event_list *list_new(const struct opened *o, const struct event_type *type)
{
	size_t n = o->trace.events_of_type[type->index];
	struct event_list *l = calloc(1, sizeof *l);

	if (!l)
		return NULL;
	l->type = type;
	l->sections = o->sections->list;
	l->logs = o->logs;
	l->origin = o->trace.origin;
	l->entries = spill_new(n, sizeof *l->entries);
	l->first = calloc(o->sections->count + 1, sizeof *l->first);
	l->hints = calloc((n >> HINT_SHIFT) + 1, sizeof *l->hints);
	if (l->first && l->hints)
		return l;
	list_free(l);
	return NULL;
}

/* One worker's section. */
struct batch {
	struct section_merge merge;
	uint64_t **to; /* for each type where its next entry goes */
};

struct filling {
	struct opened *opened;
	struct event_list **lists; /* by type; NULL: not wanted */
	bool *wanted;
	struct batch *batches; /* one for each worker */
	struct tickets tickets;
};

/* Gives the section's entries their places behind those of the sections before, in its turn. */
static void batch_place(struct filling *f, struct batch *b, size_t number)
{
	unsigned ntypes = f->opened->trace.spec->nevents;

	tickets_wait(&f->tickets, number);
	for (unsigned i = 0; i < ntypes; i++) {
		struct event_list *l = f->lists[i];

		if (!l)
			continue;
		b->to[i] = l->entries + l->size;
		l->first[number] = l->size;
		l->size += b->merge.count[i];
		l->first[number + 1] = l->size;
	}
	tickets_pass(&f->tickets);
}

static void section_fill(void *context, size_t number, unsigned worker)
{
	struct filling *f = context;
	const struct opened *o = f->opened;
	const struct section *s = &o->sections->list[number];
	struct batch *b = &f->batches[worker];

	if (worker == 0)
		progress_step(number, o->sections->count);
	section_merge_read(&b->merge, &o->trace, s, f->wanted);
	batch_place(f, b, number);
	for (size_t i = 0; i < b->merge.n; i++) {
		uint64_t one = b->merge.list[i];

		*b->to[section_event_type(s, o->logs, one)]++ = one;
	}
}

static void list_hint(struct event_list *l)
{
	size_t section = 0;

	for (size_t i = 0; i < l->size; i += 1 << HINT_SHIFT) {
		while (l->first[section + 1] <= i)
			section++;
		l->hints[i >> HINT_SHIFT] = (uint32_t)section;
	}
}

/* Reads the whole stream once; fills the lists that are there and empty. */
static void lists_fill(struct opened *o, struct event_list **lists)
{
	unsigned workers = parallel_workers(), ntypes = o->trace.spec->nevents;
	bool wanted[ntypes + 1];
	struct batch batches[workers];
	struct filling f = {.opened = o,
			    .lists = lists,
			    .wanted = wanted,
			    .batches = batches,
			    .tickets = TICKETS_INITIALIZER};

	for (unsigned i = 0; i < ntypes; i++)
		wanted[i] = lists[i];
	for (unsigned i = 0; i < workers; i++) {
		section_merge_begin(&batches[i].merge, &o->trace);
		batches[i].to = array_new(ntypes + 1, sizeof *batches[i].to);
	}
	progress_begin("merging");
	parallel_for(o->sections->count, section_fill, &f);
	progress_end();
	for (unsigned i = 0; i < workers; i++) {
		section_merge_end(&batches[i].merge);
		free(batches[i].to);
	}
	for (unsigned i = 0; i < ntypes; i++)
		if (lists[i])
			list_hint(lists[i]);
}

/* ---- which are built ---- */

static void end_announce(struct trace *t, const struct interval_end *end)
{
	if (end->event) {
		trace_announce(t, end->event);
		return;
	}
	end_announce(t, &end->interval->anchor);
	end_announce(t, &end->interval->partner);
}

static void intervals_announce(struct opened *o)
{
	const struct spec *spec = o->trace.spec;

	for (unsigned i = 0; i < spec->nevents; i++)
		if (o->announced[i])
			return;
	for (unsigned i = 0; i < spec->nintervals; i++) {
		end_announce(&o->trace, &spec->intervals[i]->anchor);
		end_announce(&o->trace, &spec->intervals[i]->partner);
	}
}

void trace_announce(struct trace *t, const struct event_type *type)
{
	struct opened *o = opened_of(t);

	pthread_mutex_lock(&o->making);
	o->announced[type->index] = true;
	pthread_mutex_unlock(&o->making);
}

static bool lists_build(struct opened *o)
{
	unsigned n = o->trace.spec->nevents;
	struct event_list **lists = calloc(n + 1, sizeof(struct event_list *));
	bool good = lists && trace_sections(&o->trace);

	for (unsigned i = 0; good && i < n; i++)
		if (o->announced[i] && !o->lists[i])
			good = (lists[i] = list_new(o, o->trace.spec->events[i]));
	if (good)
		lists_fill(o, lists);
	for (unsigned i = 0; lists && i < n; i++) {
		if (good && lists[i])
			o->lists[i] = lists[i];
		else
			list_free(lists[i]);
	}
	free(lists);
	return good;
}

const struct event_list *trace_events(struct trace *t, const struct event_type *type)
{
	struct opened *o = opened_of(t);
	const struct event_list *list;

	pthread_mutex_lock(&o->making);
	if (!o->lists[type->index]) {
		intervals_announce(o);
		trace_announce(t, type);
		lists_build(o);
	}
	list = o->lists[type->index];
	pthread_mutex_unlock(&o->making);
	return list;
}

void event_lists_free(struct opened *o)
{
	for (unsigned i = 0; o->lists && i < o->trace.spec->nevents; i++)
		list_free(o->lists[i]);
	free(o->lists);
	free(o->announced);
}

void trace_forget_events(struct trace *t)
{
	struct opened *o = opened_of(t);

	pthread_mutex_lock(&o->making);
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		list_free(o->lists[i]);
		o->lists[i] = NULL;
	}
	pthread_mutex_unlock(&o->making);
}

/* ---- asking ---- */

size_t event_list_size(const struct event_list *l)
{
	return l->size;
}

int64_t event_list_time(const struct event_list *l, size_t i)
{
	return entry_time(l, i);
}

event_rank event_list_rank(const struct event_list *l, size_t i)
{
	return entry_rank(l, i);
}

void event_list_look(const struct event_list *l, size_t i, struct event *e)
{
	entry_look(l, i, e);
}

void event_list_get(const struct event_list *l, size_t i, struct event *e)
{
	size_t section = entry_section(l, i);

	entry_decode(l, i, section, e);
	e->seq = section_seq(&l->sections[section], l->logs, l->entries[i]);
}
