#include "analysis/locks/lock_walk.h"
#include "analysis/activity/thread_walk.h"
#include "base/search.h"
#include "spec/layout.h"
#include "trace/symbols/stack_sites.h"
#include <stdlib.h>

/* What the register said of an address. */
struct known_lock {
	int64_t until;
	uint32_t lock;
};

/*
 * A start with that address and place in the program, and the tally of what it begins. There is one
 * for each value of some bits that are made from both: that which came last.
 */
struct known_place {
	uint64_t address, code;
	int64_t until; /* the address is that lock before then */
	uint32_t lock, site, tally;
	uint32_t source; /* counted from 1; 0: nothing is known */
};
enum { FIRST_PLACE_BITS = 11, MOST_PLACE_BITS = 16 };

/* A start, whose number is its token; those that are open form a list in their order. */
struct open_slot {
	struct lock_open open;
	uint32_t older, newer; /* of a free one: newer is the next free one */
};
#define NO_SLOT UINT32_MAX

enum { DO_ACTIONS = 1, DO_STYLE = 2, DO_LIFE = 4, DO_STATE = 8, DO_LOOK = 16, DO_MAY_END = 32 };

struct lock_walk {
	const struct lock_sources *sources;
	struct lock_register *names;
	struct lock_causes *causes;
	struct walked_locks *result;
	const struct lock_part *part;
	const struct span_subset *path; /* or NULL */
	const struct instance_set *set;
	const span_vector *states; /* of the thread; NULL: not known */
	size_t state;              /* the next of them */
	struct {                   /* the release that the thread's next event comes after */
		int64_t time;
		uint32_t tally; /* NO_TALLY: there is none */
		bool handover;
	} released;
	uint32_t thread;
	size_t cause, release, stretch; /* the next of its own; of the path */
	struct thread_join join;
	VECTOR(struct open_slot) slots;
	uint32_t oldest, newest; /* of the open ones; NO_SLOT */
	uint32_t free;           /* the next of the free ones */
	uint32_t nholds;         /* among the open ones */
	VECTOR(struct lock_place) held;
	VECTOR(struct known_lock) known;
	struct known_place *places;
	unsigned place_bits;
	size_t replaced; /* places since there were so many */
	struct hash_table known_locks, known_sites, tallies, nestings;
	unsigned char *does;                /* by event type: what there is to do */
	const struct role **begins, **ends; /* by event type: the life that it begins or ends */
};

/* ---- what events have ---- */

static uint32_t lock_of(struct lock_walk *w, const struct role *r, const struct event *e,
			uint64_t address, int64_t *until)
{
	uint64_t key = r->start.object < 0 ? r->interval->index : address;
	struct hash_slot *slot =
	    hash_table_slot(&w->known_locks, hash_mix(key), r->start.object < 0);
	struct known_lock *known;

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)w->known.n;
		*vector_add(&w->known) = (struct known_lock){.until = INT64_MIN};
	}
	known = &w->known.at[slot->head];
	if (__builtin_expect(e->time >= known->until, 0))
		known->lock = lock_register_find(w->names, r, &r->start, e, &known->until);
	*until = known->until;
	return known->lock;
}

static uint32_t site_of(struct lock_walk *w, const struct role *r, const struct event *e)
{
	int attribute = r->start.code[0];
	struct hash_slot *slot;

	if (attribute < 0)
		return NO_SITE;
	slot = hash_table_slot(&w->known_sites, hash_mix(role_attribute_bits(e, attribute)),
			       e->type->attributes[attribute].type);
	if (slot->head == HASH_NOTHING)
		slot->head = lock_register_site(w->names, &r->start, e);
	return slot->head;
}

/* Makes more room for places if many take each other's. */
static void places_widen(struct lock_walk *w)
{
	if (w->replaced++ < (size_t)2 << w->place_bits || w->place_bits == MOST_PLACE_BITS)
		return;
	free(w->places);
	w->places = array_zero((size_t)1 << ++w->place_bits, sizeof *w->places);
	w->replaced = 0;
}

static struct known_place *place_at(const struct lock_walk *w, uint64_t address, uint64_t code,
				    uint32_t source)
{
	uint64_t mix = (address ^ (code << 40 | code >> 24) ^ source) * 0x9e3779b97f4a7c15;

	return &w->places[mix >> (64 - w->place_bits)];
}

static uint32_t tally_known(const struct lock_walk *w, uint32_t lock, uint32_t site, bool hold)
{
	const struct hash_slot *slot =
	    hash_table_find(&w->tallies, hash_mix((uint64_t)lock << 32 | site), hold);

	return slot ? slot->head : NO_TALLY;
}

static struct known_place *place_look(struct lock_walk *w, uint32_t source, const struct event *e,
				      uint64_t address, uint64_t code)
{
	const struct lock_source *s = &w->sources->at[source];
	struct known_place *p;

	places_widen(w);
	p = place_at(w, address, code, source);
	p->address = address;
	p->code = code;
	p->lock = lock_of(w, &s->role, e, address, &p->until);
	p->site = site_of(w, &s->role, e);
	p->tally = NO_TALLY;
	p->source = source + 1;
	return p;
}

/* Finds what an event begins, with one look where the same began before. */
static void place_find(struct lock_walk *w, const struct lock_source *s, const struct event *e,
		       struct lock_open *o)
{
	uint64_t address = role_attribute_bits(e, s->role.start.object);
	uint64_t code = role_attribute_bits(e, s->role.start.code[0]);
	struct known_place *p = place_at(w, address, code, o->source);

	if (__builtin_expect((p->address ^ address) | (p->code ^ code) |
				 (p->source ^ (o->source + 1)) | (e->time >= p->until),
			     0))
		p = place_look(w, o->source, e, address, code);
	if (__builtin_expect(p->tally == NO_TALLY, 0))
		p->tally = tally_known(w, p->lock, p->site, s->hold);
	o->address = address;
	o->lock = p->lock;
	o->site = p->site;
	o->tally = p->tally;
}

/* ---- what is open ---- */

static inline bool is_hold(const struct lock_walk *w, const struct open_slot *o)
{
	return w->sources->at[o->open.source].hold;
}

/* Makes a slot the newest of the open ones. */
static void slot_link(struct lock_walk *w, uint32_t slot)
{
	struct open_slot *o = &w->slots.at[slot];

	o->older = w->newest;
	o->newer = NO_SLOT;
	*(w->newest == NO_SLOT ? &w->oldest : &w->slots.at[w->newest].newer) = slot;
	w->newest = slot;
	w->nholds += is_hold(w, o);
}

static void slot_unlink(struct lock_walk *w, uint32_t slot)
{
	const struct open_slot *o = &w->slots.at[slot];

	*(o->older == NO_SLOT ? &w->oldest : &w->slots.at[o->older].newer) = o->newer;
	*(o->newer == NO_SLOT ? &w->newest : &w->slots.at[o->newer].older) = o->older;
	w->nholds -= is_hold(w, o);
}

static uint32_t slot_new(struct lock_walk *w)
{
	uint32_t slot = w->free;

	if (slot == NO_SLOT) {
		vector_add(&w->slots);
		return (uint32_t)w->slots.n - 1;
	}
	w->free = w->slots.at[slot].newer;
	return slot;
}

static void slot_free(struct lock_walk *w, uint32_t slot)
{
	w->slots.at[slot].newer = w->free;
	w->free = slot;
}

/* ---- what is held while something is taken ---- */

static uint64_t place_mix(uint64_t mix, struct lock_place p)
{
	return hash_mix(mix ^ ((uint64_t)p.lock << 32 | p.site));
}

/* Lists the held locks; empty if `taken` is one of them (recursive). */
static void held_list(struct lock_walk *w, uint32_t taken)
{
	w->held.n = 0;
	for (uint32_t i = w->oldest; i != NO_SLOT; i = w->slots.at[i].newer) {
		const struct open_slot *o = &w->slots.at[i];

		if (!is_hold(w, o))
			continue;
		if (o->open.lock == taken) {
			w->held.n = 0;
			return;
		}
		*vector_add(&w->held) = (struct lock_place){o->open.lock, o->open.site};
	}
}

static void nesting_add(struct lock_walk *w, struct lock_place taken)
{
	struct walked_locks *r = w->result;
	uint64_t mix = place_mix(0, taken);
	struct hash_slot *slot;
	uint32_t n;

	held_list(w, taken.lock);
	n = (uint32_t)w->held.n;
	if (!n)
		return;
	for (uint32_t i = 0; i < n; i++)
		mix = place_mix(mix, w->held.at[i]);
	slot = hash_table_slot(&w->nestings, mix, n);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)r->nestings.n;
		*vector_add(&r->nestings) =
		    (struct lock_nesting){.taken = taken, .nheld = n, .held = r->held.n};
		vector_append(&r->held, w->held.at, n);
	}
	r->nestings.at[slot->head].times++;
}

/* ---- begins and ends ---- */

/* Fills in what begins, field by field: a copy would wait for the stores before it. */
static void open_make(struct lock_walk *w, struct lock_open *o, uint32_t source,
		      const struct event *e, uint32_t pair)
{
	const struct lock_source *s = &w->sources->at[source];

	o->start = o->since = e->time;
	o->source = source;
	o->pair = pair;
	o->over = false;
	place_find(w, s, e, o);
	if (w->nholds)
		nesting_add(w, (struct lock_place){o->lock, o->site});
}

static uint32_t begin(struct lock_walk *w, uint32_t source, const struct event *e, uint32_t pair)
{
	uint32_t slot = slot_new(w);

	open_make(w, &w->slots.at[slot].open, source, e, pair);
	slot_link(w, slot);
	return slot;
}

static struct lock_tally *tally_find(struct lock_walk *w, uint32_t lock, uint32_t site, bool hold)
{
	struct hash_slot *slot =
	    hash_table_slot(&w->tallies, hash_mix((uint64_t)lock << 32 | site), hold);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)w->result->tallies.n;
		*vector_add(&w->result->tallies) =
		    (struct lock_tally){.lock = lock, .site = site, .hold = hold};
	}
	return &w->result->tallies.at[slot->head];
}

static struct lock_tally *tally_of(struct lock_walk *w, const struct lock_open *o)
{
	if (__builtin_expect(o->tally != NO_TALLY, 1))
		return &w->result->tallies.at[o->tally];
	return tally_find(w, o->lock, o->site, w->sources->at[o->source].hold);
}

static void tally_add(struct lock_tally *t, int64_t time)
{
	value_bag_add(&t->times, time);
	t->total += time;
	if (time > t->max)
		t->max = time;
}

/*
 * Gives the holder's call site to each wait that this release ended. Returns whether it ended
 * one.
 */
static bool release(struct lock_walk *w, const struct lock_open *o, const struct event *e)
{
	struct lock_causes *c = w->causes;
	size_t last = c->first_released[w->thread + 1];
	bool handover = false;

	while (w->release < last && c->all[c->released[w->release]].released < e->time)
		w->release++;
	for (size_t i = w->release; i < last; i++) {
		struct lock_cause *cause = &c->all[c->released[i]];

		if (cause->released != e->time)
			break;
		if (cause->release == e->record) {
			cause->site = o->site;
			cause->held = true;
			handover = true;
		}
	}
	return handover;
}

static uint32_t cause_of(struct lock_walk *w, const struct event *e)
{
	const struct lock_causes *c = w->causes;
	size_t last = c->first[w->thread + 1];

	while (w->cause < last && c->all[w->cause].ended < e->time)
		w->cause++;
	for (size_t i = w->cause; i < last && c->all[i].ended == e->time; i++)
		if (c->all[i].end == e->record)
			return (uint32_t)i;
	return NO_CAUSE;
}

/*
 * How much of a time is on the critical path; the ends of the times that are asked for never go
 * back.
 */
static int64_t path_time(struct lock_walk *w, int64_t from, int64_t to)
{
	const struct subset_span *spans = w->path->spans.at;
	size_t first = w->path->first[w->thread], last = w->path->first[w->thread + 1];
	int64_t time = 0;

	while (w->stretch < last && spans[w->stretch].from < to)
		w->stretch++;
	for (size_t i = w->stretch; i > first && spans[i - 1].to > from; i--)
		time += (spans[i - 1].to < to ? spans[i - 1].to : to) -
			(spans[i - 1].from > from ? spans[i - 1].from : from);
	return time;
}

/*
 * A hold has ended that is open no more. If the thread still holds the lock by another one, that
 * goes on.
 */
static void path_add(struct lock_walk *w, const struct lock_open *o, int64_t end)
{
	int64_t from = o->since, time;

	if (!w->path)
		return;
	for (uint32_t i = w->oldest; i != NO_SLOT; i = w->slots.at[i].newer) {
		struct lock_open *other = &w->slots.at[i].open;

		if (w->sources->at[other->source].hold && other->lock == o->lock && !other->over) {
			other->since = o->since < other->since ? o->since : other->since;
			return;
		}
	}
	if (!lock_part_cut(w->part, w->thread, &from, &end))
		return;
	time = path_time(w, from, end);
	if (time)
		tally_of(w, o)->path += time;
}

/*
 * Returns how long the thread ran between two moments. The ends of the times that are asked for
 * never go back.
 */
static int64_t run_time(struct lock_walk *w, int64_t from, int64_t to)
{
	const struct instance_span *s = w->states->at;
	int64_t time = 0;

	while (w->state < w->states->n && s[w->state].start < to)
		w->state++;
	/* states without length may come after the start of one that goes on */
	for (size_t i = w->state; i && (s[i - 1].end > from || s[i - 1].start == s[i - 1].end); i--)
		if (s[i - 1].end > from && span_role(w->set, &s[i - 1])->state == STATE_RUNNING)
			time += (s[i - 1].end < to ? s[i - 1].end : to) -
				(s[i - 1].start > from ? s[i - 1].start : from);
	return time;
}

/* The call that releases a lock goes on up to the thread's next event at most. */
static void release_begin(struct lock_walk *w, const struct lock_tally *t, int64_t time,
			  bool handover)
{
	w->released.tally = (uint32_t)(t - w->result->tallies.at);
	w->released.time = time;
	w->released.handover = handover;
}

/* A thread that left its processor meanwhile says nothing of the call. */
static void release_end(struct lock_walk *w, const struct thread_walk *walk)
{
	struct lock_tally *t = &w->result->tallies.at[w->released.tally];

	w->released.tally = NO_TALLY;
	if (!(w->does[walk->type] & DO_STATE))
		value_bag_add(w->released.handover ? &t->after_handover : &t->after_release,
			      walk->time - w->released.time);
}

enum { OWNER_DIED = 130 }; /* an errno value: the thread has the lock all the same */

/* Whether the end of a wait says that the thread did not get what it waited for. */
static bool is_in_vain(const struct event *e)
{
	int error = e->type->errno_attribute;
	int64_t value = error < 0 ? 0 : record_value(e->type, (unsigned)error, e->record).integer;

	return value && value != OWNER_DIED;
}

static void finish(struct lock_walk *w, const struct lock_open *o, const struct event *e)
{
	int64_t from = o->start, to = e->time;
	bool wanted = lock_part_cut(w->part, w->thread, &from, &to), handover;
	struct lock_tally *t = wanted ? tally_of(w, o) : NULL;

	if (wanted)
		tally_add(t, to - from);
	if (wanted && w->states && !w->sources->at[o->source].hold)
		t->ran += run_time(w, from, to);
	if (w->sources->at[o->source].hold) {
		path_add(w, o, e->time);
		handover = release(w, o, e);
		if (wanted && w->states)
			release_begin(w, t, e->time, handover);
	} else if (wanted) {
		t->vain += is_in_vain(e);
		*vector_add(&w->result->waits) = (struct lock_wait){.start = from,
								    .end = to,
								    .lock = o->lock,
								    .site = o->site,
								    .thread = w->thread,
								    .cause = cause_of(w, e)};
	}
}

/* A start and its end were found first. */
static void mark_do(struct lock_walk *w, const struct lock_mark *m)
{
	uint32_t i = w->newest;

	if (m->begins) {
		begin(w, m->source, &m->event, m->pair);
		return;
	}
	while (i != NO_SLOT && w->slots.at[i].open.pair != m->pair)
		i = w->slots.at[i].older;
	if (i == NO_SLOT)
		return;
	slot_unlink(w, i);
	finish(w, &w->slots.at[i].open, &m->event);
	slot_free(w, i);
}

/* ---- what is paired as the events come by ---- */

/* The event that is put. */
struct walked_event {
	struct lock_walk *walking;
	struct event event;
};

static uint64_t start_begin(void *context, const struct join_start *start,
			    const struct join_start *replaced)
{
	const struct walked_event *x = context;
	struct lock_walk *w = x->walking;
	struct lock_open open;

	if (!replaced)
		return begin(w, start->number, &x->event, NO_PAIR);
	/* the newest start is all that such ends ask for */
	open_make(w, &open, start->number, &x->event, NO_PAIR);
	w->slots.at[replaced->token].open = open;
	if (replaced->met)
		slot_link(w, (uint32_t)replaced->token);
	return replaced->token;
}

/* A start that stays for other ends is open no more after the first one. */
static void start_pair(void *context, const struct join_start *start, const struct join_event *end)
{
	const struct walked_event *x = context;
	struct lock_walk *w = x->walking;
	uint32_t slot = (uint32_t)start->token;
	bool stays = w->sources->join.sources.at[start->source].rule == JOIN_LATEST;

	if (!stays || !start->met)
		slot_unlink(w, slot);
	finish(w, &w->slots.at[slot].open, &x->event);
	if (stays)
		w->slots.at[slot].open.since = end->time;
	else
		slot_free(w, slot);
}

static void start_miss(void *context, const struct join_start *start, const struct join_event *end)
{
	const struct walked_event *x = context;
	struct lock_walk *w = x->walking;
	uint32_t slot = (uint32_t)start->token;

	(void)end;
	if (w->sources->join.sources.at[start->source].rule == JOIN_LATEST)
		slot_unlink(w, slot);
	else
		w->slots.at[slot].open.over = true;
}

/* ---- the thread ---- */

static struct event event_of(const struct lock_walk *w, const struct thread_walk *walk,
			     uint32_t number)
{
	return (struct event){.time = walk->time,
			      .record = walk->record,
			      .thread = number,
			      .type = w->names->trace->spec->events[walk->type],
			      .seq = walk->cursor.event_seq};
}

static void event_do(struct lock_walk *w, const struct thread_walk *walk, uint32_t number)
{
	static const struct join_visitor visitor = {start_begin, start_pair, start_miss};
	struct walked_event x = {w, event_of(w, walk, number)};
	uint64_t unbegun = w->join.unbegun;

	if (w->does[walk->type] & DO_LOOK && is_held_by_nobody(w->names->trace, &x.event))
		return;
	thread_join_put(&w->join, &(struct join_event){walk->time, walk->record, walk->type},
			&visitor, &x);
	/* other things end with these events, too */
	if (w->does[walk->type] & (DO_MAY_END | DO_STATE))
		w->join.unbegun = unbegun;
}

static void life_do(struct lock_walk *w, const struct thread_walk *walk, uint32_t number)
{
	struct event e = event_of(w, walk, number);
	const struct role *life = w->begins[walk->type];
	int64_t until;

	if (life && life->start.object >= 0)
		w->result->self = lock_register_find(w->names, life, &life->start, &e, &until);
	w->result->ended |= w->ends[walk->type] != NULL;
}

/* The thread takes what is free, once or as often as the event says. */
static void take_do(struct lock_walk *w, const struct role *r, const struct event *e)
{
	uint64_t address = role_attribute_bits(e, r->start.object);
	int64_t from = e->time, to = e->time, until, n;
	int counts = e->type->counts_attribute;
	struct lock_tally *t;

	if (!lock_part_cut(w->part, w->thread, &from, &to))
		return;
	t = tally_find(w, lock_of(w, r, e, address, &until), site_of(w, r, e), false);
	if (counts < 0) {
		t->takes++;
		return;
	}
	n = record_value(e->type, (unsigned)counts, e->record).integer;
	t->counted += n > 0 ? (uint64_t)n : 0;
}

/* The thread tries to take what is not free, and does not wait for it. */
static void miss_do(struct lock_walk *w, const struct role *r, const struct event *e)
{
	int64_t from = e->time, to = e->time, until;

	if (!lock_part_cut(w->part, w->thread, &from, &to))
		return;
	tally_find(w, lock_of(w, r, e, role_attribute_bits(e, r->start.object), &until),
		   site_of(w, r, e), false)
	    ->missed++;
}

static void priority_do(struct lock_walk *w, const struct event *e)
{
	unsigned attribute = (unsigned)e->type->priority_attribute;

	*vector_add(&w->result->priorities) =
	    (struct lock_priority){e->time, record_value(e->type, attribute, e->record).integer};
}

/* What an event says of its thread alone. */
static void style_do(struct lock_walk *w, const struct thread_walk *walk, uint32_t number)
{
	struct event e = event_of(w, walk, number);

	if (e.type->takes_attribute >= 0)
		take_do(w, &w->sources->takes[walk->type], &e);
	if (w->sources->misses[walk->type].kind)
		miss_do(w, &w->sources->misses[walk->type], &e);
	if (e.type->priority_attribute >= 0)
		priority_do(w, &e);
}

static bool has_style(const struct lock_sources *s, const struct event_type *type)
{
	return type->takes_attribute >= 0 || type->priority_attribute >= 0 ||
	       s->misses[type->index].kind;
}

static void does_find(struct lock_walk *w)
{
	const struct spec *spec = w->names->trace->spec;

	w->does = array_zero(spec->nevents + 1, sizeof *w->does);
	for (unsigned i = 0; i < w->set->nroles; i++)
		if (w->set->roles[i].kind == KIND_STATE) {
			w->does[w->set->roles[i].start.event->index] |= DO_STATE;
			w->does[w->set->roles[i].end.event->index] |= DO_STATE;
		}
	for (unsigned i = 0; i < w->sources->n; i++)
		if (role_may_hold_nothing(&w->sources->at[i].role)) {
			w->does[w->sources->at[i].role.start.event->index] |= DO_LOOK;
			w->does[w->sources->at[i].role.end.event->index] |= DO_MAY_END;
		}
	for (unsigned i = 0; i < spec->nevents; i++)
		w->does[i] =
		    (unsigned char)(w->does[i] | (w->sources->join.acts[i].n ? DO_ACTIONS : 0) |
				    (has_style(w->sources, spec->events[i]) ? DO_STYLE : 0) |
				    (w->begins[i] || w->ends[i] ? DO_LIFE : 0));
}

static void events_do(struct lock_walk *w)
{
	const struct lock_sources *s = w->sources;
	size_t mark = s->first_mark[w->thread], last = s->first_mark[w->thread + 1];
	uint32_t number = w->names->trace->threads[w->thread].number;
	struct thread_walk walk;

	thread_walk_open(&walk, w->names->trace, w->thread);
	while (thread_walk_next(&walk)) {
		while (mark < last && s->marks.at[mark].time <= walk.time)
			mark_do(w, &s->marks.at[mark++]);
		w->result->end = walk.time;
		if (w->released.tally != NO_TALLY)
			release_end(w, &walk);
		if (w->does[walk.type] & DO_ACTIONS)
			event_do(w, &walk, number);
		if (w->does[walk.type] & DO_STYLE)
			style_do(w, &walk, number);
		if (__builtin_expect(w->does[walk.type] & DO_LIFE, 0))
			life_do(w, &walk, number);
	}
	while (mark < last)
		mark_do(w, &s->marks.at[mark++]);
}

/* Lists what is open and not over, in its order. */
static void open_list(struct lock_walk *w)
{
	for (uint32_t i = w->oldest; i != NO_SLOT; i = w->slots.at[i].newer)
		if (!w->slots.at[i].open.over)
			*vector_add(&w->result->open) = w->slots.at[i].open;
}

/* What is open at the end counts up to it. */
static void open_finish(struct lock_walk *w)
{
	struct walked_locks *r = w->result;

	if (!r->ended)
		r->end = w->names->trace->duration;
	open_list(w);
	for (size_t i = 0; i < r->open.n; i++) {
		int64_t from = r->open.at[i].start, to = r->end;
		struct lock_tally *t;

		if (!lock_part_cut(w->part, w->thread, &from, &to))
			continue;
		t = tally_of(w, &r->open.at[i]);
		tally_add(t, to - from);
		if (w->states && !t->hold)
			t->ran += run_time(w, from, to);
		t->open++;
	}
	/* the newest first: what an outer hold goes on with is in it */
	for (uint32_t i = w->newest; w->path && i != NO_SLOT; i = w->newest) {
		struct open_slot o = w->slots.at[i];

		slot_unlink(w, i);
		if (is_hold(w, &o) && !o.open.over)
			path_add(w, &o.open, r->end);
	}
}

static void walking_free(struct lock_walk *w)
{
	free(w->places);
	hash_table_free(&w->known_locks);
	hash_table_free(&w->known_sites);
	hash_table_free(&w->tallies);
	hash_table_free(&w->nestings);
	free(w->known.at);
	free(w->slots.at);
	free(w->held.at);
	thread_join_close(&w->join);
	free(w->begins);
	free(w->ends);
	free(w->does);
}

void lock_walk(struct walked_locks *result, const struct lock_sources *s, struct lock_register *r,
	       struct lock_causes *c, uint32_t thread, const struct lock_part *part,
	       const struct span_subset *path, const struct instance_set *set)
{
	const span_vector *states =
	    set->sorts & 1u << SPANS_STATE ? instance_spans(set, SPANS_STATE, thread) : NULL;

	/* its own: what is written at each event lies apart from what other threads write */
	struct walked_locks own = {.self = NO_LOCK, .states_known = states && states->n};
	struct lock_walk w = {
	    .sources = s,
	    .names = r,
	    .causes = c,
	    .result = &own,
	    .part = part,
	    .path = path,
	    .set = set,
	    .states = own.states_known ? states : NULL,
	    .released = {.tally = NO_TALLY},
	    .thread = thread,
	    .cause = c->first[thread],
	    .release = c->first_released[thread],
	    .stretch = path ? path->first[thread] : 0,
	    .oldest = NO_SLOT,
	    .newest = NO_SLOT,
	    .free = NO_SLOT,
	    .places = array_zero((size_t)1 << FIRST_PLACE_BITS, sizeof *w.places),
	    .place_bits = FIRST_PLACE_BITS,
	    .begins = array_zero(r->trace->spec->nevents + 1, sizeof *w.begins),
	    .ends = array_zero(r->trace->spec->nevents + 1, sizeof *w.ends),
	};

	for (unsigned i = 0; i < s->nlives; i++) {
		w.begins[s->lives[i].start.event->index] = &s->lives[i];
		w.ends[s->lives[i].end.event->index] = &s->lives[i];
	}
	does_find(&w);
	thread_join_open(&w.join, &s->join, thread);
	events_do(&w);
	own.unbegun = w.join.unbegun;
	open_finish(&w);
	walking_free(&w);
	*result = own;
}

int64_t walked_priority(const struct walked_locks *w, int64_t time)
{
	size_t i = lower_bound(k, 0, w->priorities.n, w->priorities.at[k].time <= time);

	return i ? w->priorities.at[i - 1].value : 0;
}

void walked_locks_free(struct walked_locks *w)
{
	for (size_t i = 0; i < w->tallies.n; i++) {
		value_bag_free(&w->tallies.at[i].times);
		value_bag_free(&w->tallies.at[i].after_handover);
		value_bag_free(&w->tallies.at[i].after_release);
	}
	free(w->tallies.at);
	free(w->waits.at);
	free(w->nestings.at);
	free(w->held.at);
	free(w->open.at);
	free(w->priorities.at);
}
