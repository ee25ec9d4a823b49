#include "trace/symbols/objects.h"
#include "base/array.h"
#include "base/hash.h"
#include "spec/layout.h"
#include "trace/open/opened.h"
#include "trace/stream/merge.h"
#include "trace/symbols/event_stacks.h"
#include <stdlib.h>

#define NO_END UINT32_MAX
#define NO_LIFE UINT32_MAX

/* An object's life, in the order of the stream. */
struct object_life {
	uint64_t end;     /* the event that ended it: its number in the section */
	uint32_t section; /* NO_END: nothing ended it */
	uint32_t number;
	uint32_t stack;      /* that of the first event; 0: it has none */
	uint32_t wait_stack; /* that of the first wait, of the event after it; 0: it has none */
	uint32_t place;      /* its address in a process, by the order of first use */
	uint16_t name;       /* of objects.names */
};

/* An attribute of type object. */
struct object_attribute {
	unsigned index; /* in its event type */
	uint16_t name;
};

struct objects {
	const struct trace *trace;
	struct hash_table places;         /* head: the place of an address */
	VECTOR(struct object_life) lives; /* at last in the order of places, then of the stream */
	VECTOR(uint32_t) latest;          /* by place: the last life so far, or NO_LIFE */
	size_t *first;                    /* by place: its first life; then their number */
	size_t nplaces;
	VECTOR(const char *) names;                /* of attributes */
	VECTOR(uint32_t) counts;                   /* by name: objects so far */
	VECTOR(struct object_attribute) * of_type; /* by event type: its objects */
	bool *begins; /* by event type: a wait with a stack beside it */
};

size_t process_of_event(const struct trace *t, const struct event *e)
{
	const struct trace_thread *thread = trace_thread(t, e->thread);
	uint32_t index = thread ? (uint32_t)(thread - t->threads) : 0;
	unsigned next = lower_bound(i, 0u, t->nprocesses, t->processes[i].first_thread <= index);

	return next ? next - 1 : 0;
}

/* ---- attributes ---- */

static uint16_t name_number(struct objects *x, const char *name)
{
	size_t i = 0;

	while (i < x->names.n && strcmp(x->names.at[i], name) != 0)
		i++;
	if (i == x->names.n) {
		*vector_add(&x->names) = name;
		vector_add(&x->counts);
	}
	return (uint16_t)i;
}

/* Finds the objects of all event types, and sets which types have some. */
static void attributes_find(struct objects *x, const struct spec *spec, bool *wanted)
{
	bool words = spec_names_waits(spec);

	x->of_type = array_zero(spec->nevents + 1, sizeof *x->of_type);
	x->begins = array_zero(spec->nevents + 1, sizeof *x->begins);
	for (unsigned i = 0; i < spec->nevents; i++) {
		const struct event_type *type = spec->events[i];

		for (unsigned a = 0; a < type->nattributes; a++)
			if (type->attributes[a].type == TYPE_OBJECT)
				*vector_add(&x->of_type[i]) = (struct object_attribute){
				    a, name_number(x, type->attributes[a].name)};
		wanted[i] = x->of_type[i].n || (words && event_is_wait_stack(type));
		x->begins[i] = words && x->of_type[i].n && event_begins_wait(spec, type);
	}
}

/* ---- the pass ---- */

/* Where the pass is. */
struct object_pass {
	struct objects *objects;
	uint32_t section;
	uint64_t number;
	const unsigned char *record;
	uint32_t process;
	uint32_t *awaited; /* the life whose wait the log's last event begins, or NO_LIFE */
};

static struct hash_slot *place_slot(struct objects *x, uint64_t process, uint64_t address)
{
	return hash_table_slot(&x->places, hash_mix(address), process);
}

/* Returns the place of an address, which is new if it has not been seen. */
static uint32_t place_of(struct objects *x, uint32_t process, uint64_t address)
{
	struct hash_slot *slot = place_slot(x, process, address);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)x->latest.n;
		*vector_add(&x->latest) = NO_LIFE;
	}
	return slot->head;
}

/* Returns the life, or NO_LIFE. */
static uint32_t object_seen(struct object_pass *p, const struct event_type *type,
			    const struct object_attribute *a, uint64_t address, bool ends)
{
	struct objects *x = p->objects;
	uint32_t place = place_of(x, p->process, address), *latest = &x->latest.at[place];
	struct object_life *life;

	if (*latest == NO_LIFE || x->lives.at[*latest].section != NO_END) {
		if (x->lives.n == NO_LIFE)
			return NO_LIFE;
		*latest = (uint32_t)x->lives.n;
		*vector_add(&x->lives) =
		    (struct object_life){.section = NO_END,
					 .number = ++x->counts.at[a->name],
					 .stack = (uint32_t)object_stack(type, p->record),
					 .place = place,
					 .name = a->name};
	}
	life = &x->lives.at[*latest];
	if (ends) {
		life->section = p->section;
		life->end = p->number;
	}
	return *latest;
}

/* The wait that begins is for the event's first object. */
static void wait_stack_seen(struct object_pass *p, const struct event_type *type)
{
	struct object_life *life;

	if (*p->awaited == NO_LIFE)
		return;
	life = &p->objects->lives.at[*p->awaited];
	if (!life->wait_stack)
		life->wait_stack =
		    (uint32_t)record_value(type, (unsigned)type->stack_attribute, p->record)
			.integer;
	*p->awaited = NO_LIFE;
}

/* What an event ends is there for the whole of the event. */
static void event_seen(struct object_pass *p, const struct event_type *type)
{
	if (event_is_wait_stack(type)) {
		wait_stack_seen(p, type);
		return;
	}
	*p->awaited = NO_LIFE;
	const struct object_attribute *list = p->objects->of_type[type->index].at;

	for (int ends = 0; ends <= (type->ends_attribute >= 0); ends++)
		for (size_t i = 0; i < p->objects->of_type[type->index].n; i++) {
			bool ended = (int)list[i].index == type->ends_attribute;
			uint64_t address =
			    (uint64_t)record_value(type, list[i].index, p->record).integer;

			uint32_t life;

			if (!address || (ends && !ended))
				continue;
			life = object_seen(p, type, &list[i], address, ends);
			if (!i && p->objects->begins[type->index])
				*p->awaited = life;
		}
}

static void sections_pass(struct objects *x, const struct opened *o, const bool *wanted,
			  const uint32_t *processes)
{
	struct object_pass p = {.objects = x};
	uint32_t *awaited = array_new(o->trace.nthreads, sizeof *awaited);
	struct section_merge m;

	for (unsigned i = 0; i < o->trace.nthreads; i++)
		awaited[i] = NO_LIFE;
	section_merge_begin(&m, &o->trace);
	for (size_t i = 0; i < o->sections->count; i++) {
		const struct section *s = &o->sections->list[i];

		p.section = (uint32_t)i;
		section_merge_read(&m, &o->trace, s, wanted);
		for (size_t k = 0; k < m.n; k++) {
			unsigned type = section_event_type(s, o->logs, m.list[k]);

			p.number = m.list[k];
			p.record = section_event_record(s, o->logs, p.number);
			p.process = processes[section_log(s, p.number)];
			p.awaited = &awaited[section_log(s, p.number)];
			event_seen(&p, o->trace.spec->events[type]);
		}
	}
	section_merge_end(&m);
	free(awaited);
}

/* Returns the process of each log; to be freed. */
static uint32_t *log_processes(const struct trace *t)
{
	uint32_t *processes = array_zero(t->nthreads, sizeof *processes);

	for (unsigned i = 0; i < t->nprocesses; i++)
		for (uint32_t k = 0; k < t->processes[i].nthreads; k++)
			processes[t->processes[i].first_thread + k] = i;
	return processes;
}

/* Puts the lives at one place next to each other. */
static void lives_sort(struct objects *x)
{
	struct object_life *sorted = array_new(x->lives.n, sizeof *sorted);
	size_t *first;

	x->nplaces = x->latest.n;
	first = x->first = array_zero(x->nplaces + 2, sizeof *x->first);
	for (size_t i = 0; i < x->lives.n; i++)
		first[x->lives.at[i].place + 2]++;
	for (size_t i = 2; i < x->nplaces + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < x->lives.n; i++)
		sorted[first[x->lives.at[i].place + 1]++] = x->lives.at[i];
	free(x->lives.at);
	x->lives.at = sorted;
	free(x->latest.at);
	x->latest.at = NULL;
}

struct objects *objects_make(struct trace *t)
{
	struct opened *o = opened_of(t);
	struct objects *x;
	uint32_t *processes;
	bool *wanted;

	if (!trace_sections(t))
		return NULL;
	x = array_zero(1, sizeof *x);
	x->trace = t;
	wanted = array_zero(t->spec->nevents + 1, sizeof *wanted);
	attributes_find(x, t->spec, wanted);
	processes = log_processes(t);
	sections_pass(x, o, wanted, processes);
	lives_sort(x);
	free(processes);
	free(wanted);
	return x;
}

void objects_free(struct objects *x)
{
	for (unsigned i = 0; i < x->trace->spec->nevents; i++)
		free(x->of_type[i].at);
	free(x->of_type);
	free(x->begins);
	hash_table_free(&x->places);
	free(x->lives.at);
	free(x->first);
	free(x->names.at);
	free(x->counts.at);
	free(x);
}

/* ---- which object ---- */

static const struct section *end_section(const struct objects *x, const struct object_life *l)
{
	return &opened_of(x->trace)->sections->list[l->section];
}

static int64_t end_time(const struct objects *x, const struct object_life *l)
{
	return section_time(end_section(x, l), l->end) - x->trace->origin;
}

/* Returns whether the event that ended a life comes before another one. */
static bool ended_before(const struct objects *x, const struct object_life *l,
			 const struct event *e)
{
	const struct opened *o = opened_of(x->trace);
	const struct section *s;
	uint32_t thread;

	if (l->section == NO_END)
		return false;
	if (end_time(x, l) != e->time)
		return end_time(x, l) < e->time;
	s = end_section(x, l);
	thread = x->trace->threads[section_log(s, l->end)].number;
	if (thread != e->thread)
		return thread < e->thread;
	return section_event_record(s, o->logs, l->end) != e->record &&
	       section_seq(s, o->logs, l->end) < e->seq;
}

bool objects_find(struct objects *x, size_t process, uint64_t address, const struct event *e,
		  struct object *found)
{
	uint32_t place = place_slot(x, process, address)->head;
	const struct object_life *life, *first, *last;
	size_t i;

	if (place >= x->nplaces)
		return false;
	first = &x->lives.at[x->first[place]];
	last = &x->lives.at[x->first[place + 1]];
	i = lower_bound(k, 0, (size_t)(last - first), ended_before(x, &first[k], e));
	if (first + i == last)
		return false;
	life = first + i;
	*found = (struct object){
	    .attribute = x->names.at[life->name],
	    .number = life->number,
	    .stack = life->stack,
	    .wait_stack = life->wait_stack,
	    .after = i ? end_time(x, life - 1) : INT64_MIN,
	    .until = life->section == NO_END ? INT64_MAX : end_time(x, life),
	};
	return true;
}
