#include "analysis/replay/changes/lock_plan.h"
#include "analysis/replay/changes/span_choice.h"
#include "base/array.h"
#include "base/hash.h"
#include "spec/layout.h"
#include "trace/address.h"
#include "trace/log/cursor.h"
#include "trace/open/opened.h"
#include "trace/symbols/symbols.h"
#include <fnmatch.h>
#include <stdlib.h>

/* A change, and what a thread's events have said for it. */
struct lock_change_state {
	const struct lock_change *change;
	bool *named;     /* by lock: it is about it */
	uint32_t *parts; /* by lock: number of its second part; 0: it is not split */
	int *attributes; /* by event type: which is the change's; -1: none */
	bool *begins;    /* by event type: it begins a hold */
	uint64_t value;
	bool told; /* something said which part; someone reads */
};

struct planning {
	const struct model *model;
	struct lock_plan *plan;
	VECTOR(size_t) open; /* holds of a thread whose part is not told from within */
};

/* ---- disciplines ---- */

static void lock_change(struct lock_plan *p, struct lock_change_state *t, uint32_t lock)
{
	p->disciplines[lock] = t->change->discipline;
	if (t->change->parts < 2)
		return;
	t->parts[lock] = p->nlocks;
	p->disciplines =
	    array_resize(p->disciplines, p->nlocks + t->change->parts - 1, sizeof *p->disciplines);
	for (unsigned i = 1; i < t->change->parts; i++)
		p->disciplines[p->nlocks++] = t->change->discipline;
}

bool lock_change_is_about(const struct lock_change *c, const struct trace *t,
			  const struct lock *lock)
{
	if (c->subject)
		return c->subject->kind == SUBJECT_LOCK &&
		       c->subject->key == symbols_number(t, lock->label);
	return lock_is_called(lock, c->what, c->exact);
}

static bool locks_change(struct planning *k, struct lock_change_state *t)
{
	const struct model *m = k->model;
	bool found = false;

	for (uint32_t l = 0; l < m->locks->locks.n; l++)
		if (lock_change_is_about(t->change, m->trace, &m->locks->locks.at[l])) {
			lock_change(k->plan, t, l);
			t->named[l] = found = true;
		}
	return found;
}

/* ---- which part a hold is of, and who reads ---- */

static bool is_about(const struct planning *k, const struct lock_change_state *t, size_t hold)
{
	return t->named[k->model->holds.at[hold].lock];
}

static uint64_t value_of(const struct event *e, unsigned attribute)
{
	struct value v = record_value(e->type, attribute, e->record);
	uint64_t sum = 0;

	switch (v.kind) {
	case VALUE_INT:
		return (uint64_t)v.integer;
	case VALUE_STRING:
		for (uint32_t i = 0; i < v.string.length; i++)
			sum = hash_mix(sum ^ (unsigned char)v.string.bytes[i]);
		return sum;
	default:
		return hash_mix((uint64_t)v.real);
	}
}

static void part_set(struct planning *k, const struct lock_change_state *t, size_t hold)
{
	uint32_t lock = k->model->holds.at[hold].lock;
	uint64_t part = t->value % t->change->parts;

	k->plan->locks[hold] = part ? t->parts[lock] + (uint32_t)part - 1 : lock;
}

static bool reads(const struct planning *k, const struct lock_change_state *t,
		  const struct event *e)
{
	char text[ADDRESS_TEXT];
	const struct trace *trace = k->model->trace;

	for (unsigned i = 0; i < e->type->nattributes; i++)
		if ((e->type->attributes[i].type == TYPE_CODE ||
		     e->type->attributes[i].type == TYPE_CODE32) &&
		    (fnmatch(t->change->readers, address_function(trace, text, e, i), 0) == 0 ||
		     fnmatch(t->change->readers, address_key_text(trace, address_key(trace, e, i)),
			     0) == 0))
			return true;
	return false;
}

/* Takes the part of an event for the holds around it that none was told for. */
static void open_settle(struct planning *k, const struct lock_change_state *t, int64_t time)
{
	for (size_t i = 0; i < k->open.n; i++)
		if (k->model->holds.at[k->open.at[i]].end >= time)
			part_set(k, t, k->open.at[i]);
	k->open.n = 0;
}

static void hold_begin(struct planning *k, struct lock_change_state *t, size_t hold,
		       const struct event *e)
{
	if (!is_about(k, t, hold))
		return;
	if (t->change->by) {
		part_set(k, t, hold);
		*vector_add(&k->open) = hold;
	}
	if (t->change->readers)
		k->plan->shared[hold] = reads(k, t, e), t->told |= k->plan->shared[hold];
}

static void thread_tell(struct planning *k, struct lock_change_state *t, uint32_t thread)
{
	const struct model *m = k->model;
	const struct trace *trace = m->trace;
	size_t hold = m->first_hold[thread], end = m->first_hold[thread + 1];
	struct log_cursor c;

	t->value = 0;
	k->open.n = 0;
	log_cursor_open(&c, &opened_of(trace)->logs[thread]);
	while (hold < end && log_cursor_next(&c)) {
		struct event e = {.time = c.time - trace->origin,
				  .record = c.record,
				  .thread = trace->threads[thread].number};

		if (c.type == NO_TYPE)
			continue;
		e.type = trace->spec->events[c.type];
		for (; hold < end && m->holds.at[hold].start < e.time; hold++)
			;
		if (t->attributes[c.type] >= 0) {
			t->value = value_of(&e, (unsigned)t->attributes[c.type]);
			t->told = true;
			open_settle(k, t, e.time);
		}
		if (hold < end && m->holds.at[hold].start == e.time && t->begins[c.type])
			hold_begin(k, t, hold++, &e);
	}
	open_settle(k, t, INT64_MAX);
}

/* ---- readers that the trace identifies ---- */

/*
 * Who takes the lock at a place where it was once held together with others reads there always.
 * Returns whether there is such a place.
 */
static bool readers_find(struct planning *k, const struct lock_change_state *t)
{
	const struct model *m = k->model;
	bool *reading = array_zero(m->set->classes.n, sizeof *reading), any = false;

	for (size_t i = 0; i < m->holds.n; i++)
		if (m->holds.at[i].shared && is_about(k, t, i))
			any = reading[hold_class(m, i)] = true;
	for (size_t i = 0; i < m->holds.n; i++)
		if (is_about(k, t, i))
			k->plan->shared[i] = reading[hold_class(m, i)];
	free(reading);
	return any;
}

static void telling_begin(const struct planning *k, struct lock_change_state *t)
{
	const struct spec *spec = k->model->trace->spec;
	unsigned n;
	struct role *roles = roles_of_kind(spec, KIND_HOLD, &n);

	t->named = array_zero(k->model->locks->locks.n, sizeof *t->named);
	t->parts = array_zero(k->model->locks->locks.n, sizeof *t->parts);
	t->attributes = array_new(spec->nevents, sizeof *t->attributes);
	t->begins = array_zero(spec->nevents, sizeof *t->begins);
	for (unsigned i = 0; i < spec->nevents; i++) {
		const struct event_type *e = spec->events[i];

		t->attributes[i] = -1;
		for (unsigned a = 0; t->change->by && a < e->nattributes; a++)
			if (strcmp(e->attributes[a].name, t->change->by) == 0)
				t->attributes[i] = (int)a;
	}
	for (unsigned i = 0; i < n; i++)
		t->begins[roles[i].start.event->index] = true;
	free(roles);
}

/* Whether a thread holds one of the locks: nobody holds a semaphore. */
static bool is_held(const struct planning *k, const struct lock_change_state *t)
{
	for (size_t i = 0; i < k->model->holds.n; i++)
		if (is_about(k, t, i))
			return true;
	return false;
}

/* Returns why the order of what no thread holds cannot be changed, and what is possible instead. */
static char *not_held(const struct planning *k, const struct lock_change_state *t, const char *what)
{
	const struct lock_register *r = k->model->locks;
	uint32_t i = 0;

	while (!t->named[i])
		i++;
	if (slots_are_possible(k->model, i))
		return text_format(
		    "'%s' is a semaphore, and no lock: change how many threads have it "
		    "at once, with --slots '%s=N'",
		    what, what);
	if (strcmp(r->locks.at[i].kind, LABEL_CONDITION) == 0)
		return text_format(
		    "'%s' is a condition: threads wait there until others have done something, which "
		    "a lock's order does not change; change what these others do before they signal "
		    "it, with --speed or --time",
		    what);
	return text_format(
	    "no thread holds '%s', as a lock is held: its order cannot be changed, and "
	    "it cannot be removed; change what threads do before they release it, with "
	    "--speed or --time",
	    what);
}

/* Whether the change names an object whose waits are logged, but no holds. */
static bool is_waits_alone(const struct planning *k, const struct lock_change_state *t,
			   const char *what)
{
	const struct lock_register *r = k->model->locks;

	for (uint32_t i = 0; i < r->locks.n && !t->change->subject; i++)
		if (t->named[i] && r->locks.at[i].by_name && strcmp(r->locks.at[i].name, what) == 0)
			return true;
	return false;
}

/* Returns what is not in the trace, or NULL; *refusal: why it cannot be done. */
static const char *change_plan(struct planning *k, const struct lock_change *change, char **refusal)
{
	struct lock_change_state t = {.change = change};
	const char *what = change->subject ? change->subject->name : change->what;
	const char *unknown = NULL;

	telling_begin(k, &t);
	if (!locks_change(k, &t)) {
		unknown = what;
	} else if (is_waits_alone(k, &t, what)) {
		*refusal = text_format(
		    "only waits for '%s' are logged, and not how long threads have it: it cannot "
		    "be changed or removed; change what threads do meanwhile, with --speed or "
		    "--time",
		    what);
	} else if (!is_held(k, &t)) {
		*refusal = not_held(k, &t, what);
	} else if (change->shared) {
		if (!readers_find(k, &t))
			*refusal = text_format(
			    "no two threads held '%s' together, so the readers are unknown; "
			    "name the functions or call sites of the readers: --lock "
			    "'%s=readers-writer(WHO)'",
			    what, what);
	} else if (change->by || change->readers) {
		for (uint32_t i = 0; i < k->model->trace->nthreads; i++)
			thread_tell(k, &t, i);
		if (!t.told)
			unknown = change->by ? change->by : change->readers;
	}
	free(t.named);
	free(t.parts);
	free(t.attributes);
	free(t.begins);
	return unknown;
}

/* ---- locks that are none any more ---- */

static void excess_find(struct planning *k)
{
	uint32_t nlocks = (uint32_t)k->model->locks->locks.n;
	bool *none = array_zero(nlocks, sizeof *none), any = false;

	for (uint32_t l = 0; l < nlocks; l++)
		any |= none[l] = k->plan->disciplines[l] == DISCIPLINE_NONE;
	if (any)
		k->plan->excess = lock_excess_of(k->model, none);
	free(none);
}

/* ---- all ---- */

struct lock_plan *lock_plan_of(const struct model *m, const struct lock_changes *changes,
			       const char **unknown, char **refusal)
{
	struct lock_plan *p = array_zero(1, sizeof *p);
	struct planning k = {.model = m, .plan = p};
	const char *missing = NULL;

	p->nlocks = (uint32_t)m->locks->locks.n;
	p->disciplines = array_zero(p->nlocks, sizeof *p->disciplines);
	p->locks = array_new(m->holds.n, sizeof *p->locks);
	p->shared = array_new(m->holds.n, sizeof *p->shared);
	for (size_t i = 0; i < m->holds.n; i++) {
		p->locks[i] = m->holds.at[i].lock;
		p->shared[i] = m->holds.at[i].shared;
	}
	*refusal = NULL;
	for (unsigned i = 0; i < changes->nlocks && !missing && !*refusal; i++)
		missing = change_plan(&k, &changes->locks[i], refusal);
	free(k.open.at);
	if (!missing && !*refusal)
		p->slots = slot_plan_of(m, changes->slots, changes->nslots, &missing, refusal);
	if (!missing && !*refusal) {
		excess_find(&k);
		return p;
	}
	*unknown = missing;
	lock_plan_free(p);
	return NULL;
}

void lock_plan_free(struct lock_plan *p)
{
	free(p->disciplines);
	free(p->locks);
	free(p->shared);
	free(p->excess);
	slot_plan_free(p->slots);
	free(p);
}
