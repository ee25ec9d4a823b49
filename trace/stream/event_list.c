/*
 * Lists of events by type. An entry has 8 bytes: the event's number in its section. Sections are
 * merged in parallel, and concatenated.
 */
#include "trace/stream/event_list.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/spill.h"
#include "trace/open/opened.h"
#include "trace/stream/merge.h"
#include <stdlib.h>
#include <string.h>

struct event_lists {
	struct event_list **of_type; /* indexed by event_type.index; NULL: not built */
	bool *announced;
	unsigned ntypes;
};

/* ---- building ---- */

void event_list_free(struct event_list *l)
{
	if (!l)
		return;
	spill_free(l->entries);
	free(l->first);
	free(l->hints);
	free(l);
}

/* With room for n entries. */
static struct event_list *list_new(const struct opened *o, const struct event_type *type, size_t n)
{
	struct event_list *l = array_zero(1, sizeof *l);

	l->type = type;
	l->sections = o->sections->list;
	l->logs = o->logs;
	l->origin = o->trace.origin;
	l->entries = spill_new(n, sizeof *l->entries);
	l->first = array_zero(o->sections->count + 1, sizeof *l->first);
	l->hints = array_zero((n >> HINT_SHIFT) + 1, sizeof *l->hints);
	return l;
}

/* One worker's section. */
struct section_filling {
	struct section_merge merge;
	uint64_t **to; /* by type: where its next entry goes */
	uint64_t *kept;
	size_t room;
};

/* What a sieve keeps of a section. */
struct sieved_part {
	uint64_t *entries;
	size_t n;
};

struct list_filling {
	struct opened *opened;
	struct event_list **lists; /* by type; NULL: not wanted */
	bool *wanted;
	struct section_filling *workers; /* one for each */
	const struct event_sieve *sieves;
	size_t nsieves;
	struct sieved_part *parts; /* by section, then sieve */
	struct tickets tickets;
};

/* Gives a section's entries their places after those of the sections before, in its turn. */
static void entries_place(struct list_filling *f, struct section_filling *b, size_t number)
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

static void section_sieve(struct list_filling *f, struct section_filling *b, size_t number,
			  unsigned worker)
{
	for (size_t i = 0; i < f->nsieves; i++) {
		struct sieved_part *p = &f->parts[number * f->nsieves + i];

		b->kept = vector_reserve(b->kept, b->merge.n, &b->room, sizeof *b->kept);
		p->n = f->sieves[i].keep(f->sieves[i].context, worker,
					 &f->opened->sections->list[number], b->merge.list,
					 b->merge.n, b->kept);
		p->entries = array_new(p->n, sizeof *p->entries);
		memcpy(p->entries, b->kept, p->n * sizeof *p->entries);
	}
}

static void section_fill(void *context, size_t number, unsigned worker)
{
	struct list_filling *f = context;
	const struct opened *o = f->opened;
	const struct section *s = &o->sections->list[number];
	struct section_filling *b = &f->workers[worker];

	if (worker == 0)
		progress_step(number, o->sections->count);
	section_merge_read(&b->merge, &o->trace, s, f->wanted);
	entries_place(f, b, number);
	for (size_t i = 0; i < b->merge.n; i++) {
		uint64_t one = b->merge.list[i], **to = &b->to[section_event_type(s, o->logs, one)];

		if (*to)
			*(*to)++ = one;
	}
	section_sieve(f, b, number, worker);
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

/* Puts what a sieve has kept into a list. */
static struct event_list *sieved_list(const struct list_filling *f, size_t sieve)
{
	const struct opened *o = f->opened;
	const struct sieved_part *p = f->parts + sieve;
	struct event_list *l;
	size_t n = 0;

	for (size_t i = 0; i < o->sections->count; i++)
		n += p[i * f->nsieves].n;
	l = list_new(o, f->sieves[sieve].type, n);
	for (size_t i = 0; i < o->sections->count; i++, p += f->nsieves) {
		memcpy(l->entries + l->size, p->entries, p->n * sizeof *l->entries);
		l->first[i] = l->size;
		l->size += p->n;
		l->first[i + 1] = l->size;
		free(p->entries);
	}
	list_hint(l);
	return l;
}

/* Reads the whole stream once, and fills the lists, which are empty. */
static void event_lists_fill(struct opened *o, struct event_list **lists,
			     struct event_sieve *sieves, size_t nsieves)
{
	unsigned workers = parallel_workers(), ntypes = o->trace.spec->nevents;
	bool wanted[ntypes + 1];
	struct section_filling fillings[workers];
	struct list_filling f = {.opened = o,
				 .lists = lists,
				 .wanted = wanted,
				 .workers = fillings,
				 .sieves = sieves,
				 .nsieves = nsieves,
				 .parts = array_new(o->sections->count * nsieves, sizeof *f.parts),
				 .tickets = TICKETS_INITIALIZER};

	for (unsigned i = 0; i < ntypes; i++)
		wanted[i] = lists[i];
	for (size_t i = 0; i < nsieves; i++)
		wanted[sieves[i].type->index] = true;
	for (unsigned i = 0; i < workers; i++) {
		fillings[i] = (struct section_filling){0};
		section_merge_begin(&fillings[i].merge, &o->trace);
		fillings[i].to = array_zero(ntypes + 1, sizeof *fillings[i].to);
	}
	progress_begin("merging");
	parallel_for(o->sections->count, section_fill, &f);
	progress_end();
	for (unsigned i = 0; i < workers; i++) {
		section_merge_end(&fillings[i].merge);
		free(fillings[i].to);
		free(fillings[i].kept);
	}
	for (unsigned i = 0; i < ntypes; i++)
		if (lists[i])
			list_hint(lists[i]);
	for (size_t i = 0; i < nsieves; i++)
		sieves[i].list = sieved_list(&f, i);
	free(f.parts);
}

/* ---- which are built ---- */

static void lists_free(struct event_lists *lists)
{
	for (unsigned i = 0; i < lists->ntypes; i++)
		event_list_free(lists->of_type[i]);
	free(lists->of_type);
	free(lists->announced);
	free(lists);
}

/* Returns the trace's lists; the caller holds the lock. */
static struct event_lists *lists_of(struct opened *o)
{
	unsigned n = o->trace.spec->nevents;

	if (o->lists)
		return o->lists;
	o->lists = array_zero(1, sizeof *o->lists);
	o->lists->ntypes = n;
	o->lists->of_type = array_zero(n, sizeof(struct event_list *));
	o->lists->announced = array_zero(n, sizeof *o->lists->announced);
	o->lists_free = lists_free;
	return o->lists;
}

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
		if (lists_of(o)->announced[i])
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
	lists_of(o)->announced[type->index] = true;
	pthread_mutex_unlock(&o->making);
}

/* Builds the lists that are announced and missing; fails without memory for the sections. */
static void lists_build(struct opened *o, struct event_sieve *sieves, size_t nsieves)
{
	struct event_lists *lists = lists_of(o);
	struct event_list **missing;

	if (!trace_sections(&o->trace))
		return;
	missing = array_zero(lists->ntypes, sizeof(struct event_list *));
	for (unsigned i = 0; i < lists->ntypes; i++)
		if (lists->announced[i] && !lists->of_type[i])
			missing[i] =
			    list_new(o, o->trace.spec->events[i], o->trace.events_of_type[i]);
	event_lists_fill(o, missing, sieves, nsieves);
	for (unsigned i = 0; i < lists->ntypes; i++)
		if (missing[i])
			lists->of_type[i] = missing[i];
	free(missing);
}

const struct event_list *trace_events(struct trace *t, const struct event_type *type)
{
	struct opened *o = opened_of(t);
	const struct event_list *list;

	pthread_mutex_lock(&o->making);
	if (!lists_of(o)->of_type[type->index]) {
		intervals_announce(o);
		trace_announce(t, type);
		lists_build(o, NULL, 0);
	}
	list = o->lists->of_type[type->index];
	pthread_mutex_unlock(&o->making);
	return list;
}

void trace_events_sieved(struct trace *t, struct event_sieve *sieves, size_t n)
{
	struct opened *o = opened_of(t);

	pthread_mutex_lock(&o->making);
	lists_of(o);
	lists_build(o, sieves, n);
	pthread_mutex_unlock(&o->making);
}

bool trace_events_made(struct trace *t, const struct event_type *type)
{
	struct opened *o = opened_of(t);
	bool made;

	pthread_mutex_lock(&o->making);
	made = lists_of(o)->of_type[type->index];
	pthread_mutex_unlock(&o->making);
	return made;
}

void trace_forget_events(struct trace *t)
{
	struct opened *o = opened_of(t);

	pthread_mutex_lock(&o->making);
	for (unsigned i = 0; o->lists && i < o->lists->ntypes; i++) {
		event_list_free(o->lists->of_type[i]);
		o->lists->of_type[i] = NULL;
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
