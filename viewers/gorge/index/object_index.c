#include "viewers/gorge/index/object_index.h"
#include "base/search.h"
#include "spec/layout.h"
#include "trace/address.h"
#include <stdlib.h>

/* ---- kinds and roles ---- */

static unsigned kind_find(struct object_kinds *k, const char *name, const struct interval *interval)
{
	for (unsigned i = 0; i < k->list.n; i++)
		if (!strcmp(k->list.at[i].name, name))
			return i;
	*vector_add(&k->list) = (struct object_kind){name, interval};
	return (unsigned)k->list.n - 1;
}

/* Returns the end that says which object it is; NULL: neither does. */
static const struct role_end *naming_end(const struct role *r)
{
	return r->start.object >= 0 ? &r->start : r->end.object >= 0 ? &r->end : NULL;
}

static unsigned role_kind(struct object_kinds *k, const struct role *r)
{
	const struct role_end *end = naming_end(r);

	if (end)
		return kind_find(k, end->event->attributes[end->object].name, NULL);
	return kind_find(k, r->interval->name, r->interval);
}

/* Adds the roles of a kind that have instances. */
static void add_roles(struct object_index *x, enum interval_kind kind)
{
	enum { MOST_ROLES = 64 };
	unsigned n;
	struct role *roles = roles_of_kind(x->trace->spec, kind, &n);

	for (unsigned i = 0; i < n && x->roles.n < MOST_ROLES; i++)
		if (x->trace->events_of_type[roles[i].start.event->index])
			*vector_add(&x->roles) = roles[i];
	free(roles);
}

/* Returns whether the trace has events of a role, or others that name such objects. */
static bool role_is_seen(const struct trace *t, const struct role *r)
{
	const struct role_end *end = naming_end(r);
	const char *name = end ? end->event->attributes[end->object].name : NULL;

	for (unsigned i = 0; name && i < t->spec->nevents; i++) {
		int attribute = event_attribute(t->spec->events[i], name);

		if (attribute >= 0 && t->events_of_type[i] &&
		    t->spec->events[i]->attributes[attribute].type == TYPE_OBJECT)
			return true;
	}
	return t->events_of_type[r->start.event->index];
}

/* Kinds of attributes come first. */
struct object_kinds object_kinds_of(const struct trace *t)
{
	const enum interval_kind kinds[] = {KIND_HOLD, KIND_WAIT};
	struct object_kinds found = {{0}};

	for (unsigned k = 0; k < 4; k++) {
		bool named = k < 2;
		unsigned n;
		struct role *roles = roles_of_kind(t->spec, kinds[k % 2], &n);

		for (unsigned i = 0; i < n; i++)
			if (named == !!naming_end(&roles[i]) && role_is_seen(t, &roles[i]))
				role_kind(&found, &roles[i]);
		free(roles);
	}
	return found;
}

/* ---- which object an event means ---- */

static uint64_t object_address(const struct event *e, int attribute)
{
	return (uint64_t)record_value(e->type, (unsigned)attribute, e->record).integer;
}

static uint64_t place_key(const struct object_index *x, unsigned thread, uint64_t address)
{
	return hash_mix(address ^ hash_mix(x->processes[thread] + 1));
}

/* Takes note of the addresses at which objects end: others are one object from start to end. */
static void find_ended(struct object_index *x, const struct event_type *type)
{
	unsigned n, kind = event_index_kind(x->events, type, &n);

	for (unsigned thread = 0; thread < x->trace->nthreads; thread++) {
		event_id id = event_id_make(thread, 0);
		struct event e;

		while (event_index_find(x->events, id, kind, &id) &&
		       event_index_event(x->events, id, &e)) {
			uint64_t address = object_address(&e, type->ends_attribute);
			hash_table_slot(&x->ended, place_key(x, thread, address), address)->head =
			    0;
			x->mortal = true;
			id++;
		}
	}
}

/* Returns the place of an object in the list of them, or HASH_NOTHING. */
static uint32_t *object_place(struct object_index *x, unsigned thread, const struct event *e,
			      int attribute)
{
	uint64_t address = object_address(e, attribute), key = place_key(x, thread, address);
	struct hash_slot *slot;

	if (!x->mortal || hash_table_slot(&x->ended, key, address)->head == HASH_NOTHING)
		return &hash_table_slot(&x->addresses, key, address)->head;
	slot = hash_table_slot(
	    &x->places, hash_mix(key ^ (uint64_t)address_key(x->trace, e, (unsigned)attribute)),
	    address);
	return &slot->head;
}

struct traced_object *object_index_find(struct object_index *x, unsigned thread,
					const struct event *e, int attribute)
{
	uint32_t place;

	pthread_mutex_lock(&x->looking);
	place = *object_place(x, thread, e, attribute);
	pthread_mutex_unlock(&x->looking);
	return place == HASH_NOTHING ? NULL : &x->objects.at[place];
}

static struct traced_object *object_new(struct object_index *x, uint32_t *place, unsigned kind,
					char *name)
{
	*place = (uint32_t)x->objects.n;
	*vector_add(&x->objects) = (struct traced_object){.name = name, .kind = kind};
	return &x->objects.at[*place];
}

/* Returns the object of a role without an attribute. */
static struct traced_object *object_of_interval(struct object_index *x, const struct role *r)
{
	uint64_t key = hash_mix((uint64_t)(uintptr_t)r->interval);
	uint32_t *place = &hash_table_slot(&x->places, key, 0)->head;

	if (*place != HASH_NOTHING)
		return &x->objects.at[*place];
	return object_new(x, place, role_kind(&x->kinds, r),
			  text_format("%s", style_label(&r->interval->style, r->interval->name)));
}

static struct traced_object *object_of(struct object_index *x, unsigned role, unsigned thread,
				       const struct event *e)
{
	const struct role *r = &x->roles.at[role];
	const struct role_end *end = naming_end(r);
	char buffer[ADDRESS_TEXT];
	uint32_t *place;

	if (!end)
		return object_of_interval(x, r);
	place = object_place(x, thread, e, end->object);
	if (*place != HASH_NOTHING)
		return &x->objects.at[*place];
	return object_new(
	    x, place, role_kind(&x->kinds, r),
	    text_format("%s", address_text(x->trace, buffer, e, (unsigned)end->object)));
}

/* ---- instances, one after the other ---- */

/* The spans of a role that begin in one thread, in their order; or what is open at the end. */
struct object_run {
	unsigned role, thread;
	const struct spans *spans;
	size_t i;
	bool open;
	struct event_walk walk; /* at the event with which the next one starts */
};

struct object_runs {
	VECTOR(struct object_run) list;
	size_t *heap; /* the run whose next instance starts first is on top */
	size_t n;
};

static bool starts_before(const struct object_runs *r, size_t a, size_t b)
{
	const struct object_run *x = &r->list.at[a], *y = &r->list.at[b];

	if (x->walk.at.time != y->walk.at.time)
		return x->walk.at.time < y->walk.at.time;
	return a < b;
}

static void sink(struct object_runs *r, size_t i)
{
	for (size_t child; (child = 2 * i + 1) < r->n; i = child) {
		size_t run = r->heap[i];
		child += child + 1 < r->n && starts_before(r, r->heap[child + 1], r->heap[child]);
		if (!starts_before(r, r->heap[child], run))
			return;
		r->heap[i] = r->heap[child];
		r->heap[child] = run;
	}
}

static void add_run(struct object_index *x, struct object_runs *runs, unsigned role,
		    const struct spans *s)
{
	struct object_run *run;

	if (!s->n)
		return;
	run = vector_add(&runs->list);
	*run = (struct object_run){.role = role, .thread = s->from, .spans = s};
	event_walk_begin(&run->walk, x->events, s->from, NULL);
	event_walk_to_unit(&run->walk, s->start[0]);
}

struct adding_runs {
	struct object_index *x;
	struct object_runs *runs;
	unsigned role;
};

static void take_spans(void *context, const struct spans *s)
{
	struct adding_runs *a = context;

	add_run(a->x, a->runs, a->role, s);
}

/* Goes on to the next instance of a run. Returns false at the end. */
static bool run_next(struct object_run *r)
{
	if (r->open || ++r->i == r->spans->n)
		return false;
	event_walk_to_unit(&r->walk, r->spans->start[r->i]);
	return true;
}

/* ---- what is open when the trace ends ---- */

static void add_open(struct object_index *x, struct object_runs *runs, unsigned role,
		     unsigned thread, uint32_t unit)
{
	struct object_run *run = vector_add(&runs->list);

	*run = (struct object_run){.role = role, .thread = thread, .open = true};
	event_walk_begin(&run->walk, x->events, thread, NULL);
	event_walk_to_unit(&run->walk, unit);
}

/* Adds the last event in a thread that starts a role, if no later one ends it. */
static void add_last(struct object_index *x, struct object_runs *runs, unsigned role,
		     unsigned thread, uint32_t from)
{
	const struct role *r = &x->roles.at[role];
	unsigned n, start = event_index_kind(x->events, r->start.event, &n),
		    end = event_index_kind(x->events, r->end.event, &n);
	event_id id, last, over;
	bool found = false;

	if (!event_index_totals(x->events, thread)[start])
		return;
	for (id = event_id_make(thread, from); event_index_find(x->events, id, start, &id); id++) {
		found = true;
		last = id;
	}
	if (found && !event_index_find(x->events, last, end, &over))
		add_open(x, runs, role, thread, event_id_unit(last));
}

/* Returns the unit after the last end of an instance that begins in each thread; to be freed. */
static uint32_t *last_ends(const struct instances *n)
{
	uint32_t *ends = array_zero(n->nthreads, sizeof *ends);

	for (unsigned t = 0; t < n->nthreads; t++)
		for (size_t row = 0; row < n->within[t].rows.n; row++) {
			const struct spans *s = &n->within[t].rows.at[row];
			for (size_t i = s->n > OBJECT_BLOCK ? s->n - OBJECT_BLOCK : 0; i < s->n;
			     i++)
				ends[t] = s->end[i] >= ends[t] ? s->end[i] + 1 : ends[t];
		}
	return ends;
}

/*
 * Anchors without a partner are known; where the anchor is the end, a thread can be within one
 * instance at most, which begins after the others.
 */
static void add_all_open(struct object_index *x, struct object_runs *runs, unsigned role,
			 const struct instances *n)
{
	uint32_t *ends;

	if (!x->roles.at[role].same_thread && n->across.n)
		return;
	if (n->interval->direction == FORWARDS) {
		for (unsigned t = 0; t < n->nthreads; t++)
			for (size_t i = n->first_unmatched[t]; i < n->first_unmatched[t + 1]; i++)
				add_open(x, runs, role, t, n->unmatched[i]);
		return;
	}
	ends = last_ends(n);
	for (unsigned t = 0; t < n->nthreads; t++)
		add_last(x, runs, role, t, ends[t]);
	free(ends);
}

/* ---- all of it ---- */

/* The ends of the rows of an object, while it is filled. */
struct object_rows {
	int64_t holders[OBJECT_HOLDERS], waiters[OBJECT_WAITERS];
};

struct row_assignment {
	struct object_index *x;
	VECTOR(struct object_rows) rows; /* by object */
};

/* Returns the first row that is free at the time, or the last one. */
static unsigned row_for(int64_t *ends, unsigned limit, unsigned *used, int64_t start, int64_t end)
{
	unsigned row = 0;

	while (row + 1 < limit && row < *used && ends[row] > start)
		row++;
	if (row >= *used || end > ends[row])
		ends[row] = end;
	if (row >= *used)
		*used = row + 1;
	return row;
}

static void set_length(struct object_span *s, int64_t length)
{
	unsigned scale = 0;

	while (scale < 3 && length >> 10 * scale > UINT32_MAX)
		scale++;
	s->length = (uint32_t)(length >> 10 * scale);
	s->scale = scale & 3;
}

static void add_to_block(struct traced_object *o, const struct object_span *s)
{
	size_t i = o->spans.n - 1;
	struct object_block *b;

	if (i % OBJECT_BLOCK == 0) {
		int64_t reached = i ? o->blocks.at[o->blocks.n - 1].reached : INT64_MIN;

		*vector_add(&o->blocks) =
		    (struct object_block){.reached = reached, .last_end = INT64_MIN};
	}
	b = &o->blocks.at[o->blocks.n - 1];
	if (object_span_end(s) > b->reached)
		b->reached = object_span_end(s);
	if (object_span_end(s) > b->last_end)
		b->last_end = object_span_end(s);
	if (object_span_end(s) - s->start > b->longest)
		b->longest = object_span_end(s) - s->start;
}

static void add_span(struct row_assignment *f, const struct object_run *run,
		     struct traced_object *o, int64_t length)
{
	bool hold = f->x->roles.at[run->role].kind == KIND_HOLD;
	struct object_span s = {.start = run->walk.at.time,
				.thread = run->thread & 0x3ffff,
				.role = run->role & 63,
				.open = run->open};
	size_t place = (size_t)(o - f->x->objects.at);
	struct object_rows *rows;

	while (f->rows.n <= place)
		vector_add(&f->rows);
	rows = &f->rows.at[place];
	set_length(&s, length);
	s.row =
	    hold ? row_for(rows->holders, OBJECT_HOLDERS, &o->holders, s.start, s.start + length) &
		       31
		 : row_for(rows->waiters, OBJECT_WAITERS, &o->waiters, s.start, s.start + length) &
		       31;
	o->holds += hold;
	o->waits += !hold;
	o->waited += hold ? 0 : length;
	*vector_add(&o->spans) = s;
	add_to_block(o, &s);
}

static void add_instance(struct row_assignment *f, const struct object_run *run)
{
	struct object_index *x = f->x;
	const struct role *r = &x->roles.at[run->role];
	unsigned thread = run->thread;
	struct event e;
	int64_t length;

	event_walk_event(&run->walk, &e);
	length =
	    run->open ? event_index_duration(x->events) - e.time : spans_length(run->spans, run->i);
	if (r->start.object < 0 && r->end.object >= 0) {
		if (run->open)
			return;
		thread = spans_to(run->spans, run->i);
		event_index_event(x->events, spans_later(run->spans, run->i), &e);
	}
	add_span(f, run, object_of(x, run->role, thread, &e), length);
}

static void fill(struct object_index *x, struct object_runs *runs, const atomic_bool *stop)
{
	struct row_assignment f = {.x = x};

	runs->n = runs->list.n;
	runs->heap = array_new(runs->n, sizeof *runs->heap);
	for (size_t i = 0; i < runs->n; i++)
		runs->heap[i] = i;
	for (size_t i = runs->n / 2; i-- > 0;)
		sink(runs, i);
	while (runs->n && !(stop && atomic_load_explicit(stop, memory_order_relaxed))) {
		struct object_run *run = &runs->list.at[runs->heap[0]];

		add_instance(&f, run);
		if (!run_next(run))
			runs->heap[0] = runs->heap[--runs->n];
		sink(runs, 0);
	}
	free(f.rows.at);
	free(runs->heap);
}

/* ---- objects that events name, and nobody held or awaited ---- */

/* Returns the attribute of a type that means an object of some kind, or -1; and the kind. */
static int naming_attribute(const struct object_index *x, const struct event_type *type,
			    unsigned *kind)
{
	for (size_t i = 0; i < x->roles.n; i++)
		if (x->roles.at[i].start.event == type || x->roles.at[i].end.event == type)
			return -1;
	for (*kind = 0; *kind < x->kinds.list.n; ++*kind) {
		int attribute = event_attribute(type, x->kinds.list.at[*kind].name);

		if (attribute >= 0 && !x->kinds.list.at[*kind].interval &&
		    type->attributes[attribute].type == TYPE_OBJECT)
			return attribute;
	}
	return -1;
}

static void add_named(struct object_index *x, const struct event_type *type, unsigned thread,
		      const int attributes[], const unsigned kinds[], const struct event *e)
{
	int attribute = attributes[type->index];
	char buffer[ADDRESS_TEXT];
	uint32_t *place;

	if (attribute < 0 || !object_address(e, attribute))
		return;
	place = object_place(x, thread, e, attribute);
	if (*place == HASH_NOTHING)
		object_new(
		    x, place, kinds[type->index],
		    text_format("%s", address_text(x->trace, buffer, e, (unsigned)attribute)));
}

static void add_all_named(struct object_index *x, const atomic_bool *stop)
{
	const struct spec *spec = x->trace->spec;
	int *attributes = array_new(spec->nevents, sizeof *attributes);
	unsigned *kinds = array_zero(spec->nevents, sizeof *kinds);
	bool any = false;

	for (unsigned i = 0; i < spec->nevents; i++) {
		attributes[i] = naming_attribute(x, spec->events[i], &kinds[i]);
		any |= attributes[i] >= 0 && x->trace->events_of_type[i];
	}
	for (unsigned t = 0; any && t < x->trace->nthreads && !(stop && *stop); t++) {
		struct event_walk w;
		struct event e;

		event_walk_begin(&w, x->events, t, NULL);
		for (event_walk_to_unit(&w, 0); event_walk_event(&w, &e); event_walk_step(&w))
			add_named(x, e.type, t, attributes, kinds, &e);
	}
	free(attributes);
	free(kinds);
}

static void find_processes(struct object_index *x)
{
	const struct trace *t = x->trace;

	x->processes = array_zero(t->nthreads, sizeof *x->processes);
	for (unsigned p = 0; p < t->nprocesses; p++)
		for (unsigned i = 0; i < t->processes[p].nthreads; i++)
			x->processes[t->processes[p].first_thread + i] = p;
}

struct object_index *object_index_new(struct trace_index *t, const atomic_bool *stop)
{
	struct object_index *x = array_zero(1, sizeof *x);
	struct object_runs runs = {0};
	const struct spec *spec = t->trace->spec;

	*x = (struct object_index){
	    .trace = t->trace, .events = t->events, .kinds = object_kinds_of(t->trace)};
	pthread_mutex_init(&x->looking, NULL);
	find_processes(x);
	add_roles(x, KIND_HOLD);
	add_roles(x, KIND_WAIT);
	for (unsigned i = 0; i < spec->nevents; i++)
		if (spec->events[i]->ends_attribute >= 0 && t->trace->events_of_type[i])
			find_ended(x, spec->events[i]);
	/* Waits for all, before any are held: what finds others may have to wait for that. */
	for (unsigned i = 0; i < x->roles.n; i++) {
		trace_index_use(t, x->roles.at[i].interval);
		trace_index_used();
	}
	for (unsigned i = 0; i < x->roles.n; i++) {
		struct instances *n = trace_index_use(t, x->roles.at[i].interval);
		struct adding_runs adding = {x, &runs, i};

		instances_each(n, take_spans, &adding);
		add_all_open(x, &runs, i, n);
	}
	fill(x, &runs, stop);
	add_all_named(x, stop);
	for (unsigned i = 0; i < x->roles.n; i++)
		trace_index_used();
	free(runs.list.at);
	return x;
}

void object_index_free(struct object_index *x)
{
	if (!x)
		return;
	for (size_t i = 0; i < x->objects.n; i++) {
		free(x->objects.at[i].name);
		free(x->objects.at[i].spans.at);
		free(x->objects.at[i].blocks.at);
	}
	free(x->objects.at);
	free(x->roles.at);
	free(x->kinds.list.at);
	free(x->processes);
	hash_table_free(&x->places);
	hash_table_free(&x->addresses);
	hash_table_free(&x->ended);
	pthread_mutex_destroy(&x->looking);
	free(x);
}

/* ---- finding spans ---- */

size_t object_seek(const struct traced_object *o, int64_t time)
{
	return lower_bound(i, 0, o->spans.n, o->spans.at[i].start < time);
}

static int64_t length_of(const struct object_span *s)
{
	return object_span_end(s) - s->start;
}

size_t object_find_longer(const struct traced_object *o, size_t i, size_t end, int64_t length)
{
	while (i < end) {
		if (i % OBJECT_BLOCK == 0 && o->blocks.at[i / OBJECT_BLOCK].longest < length)
			i += OBJECT_BLOCK;
		else if (length_of(&o->spans.at[i]) >= length)
			return i;
		else
			i++;
	}
	return end;
}

size_t object_find_ending(const struct traced_object *o, size_t end, unsigned thread, int64_t time)
{
	for (size_t i = end; i-- > 0 && o->blocks.at[i / OBJECT_BLOCK].reached >= time;) {
		const struct object_span *s = &o->spans.at[i];
		if (o->blocks.at[i / OBJECT_BLOCK].last_end < time - (1 << 20))
			i -= i % OBJECT_BLOCK;
		else if (s->thread == thread &&
			 length_of(s) == (time - s->start) >> 10 * s->scale << 10 * s->scale)
			return i;
	}
	return end;
}

void object_reaching(const struct traced_object *o, size_t end, int64_t time,
		     void (*take)(void *context, const struct traced_object *o, size_t i),
		     void *context)
{
	size_t n = (end + OBJECT_BLOCK - 1) / OBJECT_BLOCK, block = n;

	while (block > 0 && o->blocks.at[block - 1].reached >= time)
		block--;
	for (; block < n; block++) {
		size_t i = block * OBJECT_BLOCK, behind = i + OBJECT_BLOCK;
		if (o->blocks.at[block].last_end < time)
			continue;
		for (; i < behind && i < end; i++)
			if (object_span_end(&o->spans.at[i]) >= time)
				take(context, o, i);
	}
}

/* ---- the instance of a span ---- */

/* Returns the first event of a type in a thread at a time, or later. */
static bool first_event(const struct object_index *x, unsigned thread, int64_t time,
			const struct event_type *type, event_id *id)
{
	unsigned n, kind = event_index_kind(x->events, type, &n);
	uint32_t unit = event_index_seek(x->events, thread, time);

	return unit != UINT32_MAX &&
	       event_index_find(x->events, event_id_make(thread, unit), kind, id);
}

/* Tries some events of the anchor's type, from the span's start on. */
static bool anchor_within(const struct object_index *x, const struct instances *n,
			  const struct object_span *s, unsigned thread, event_id *anchor)
{
	enum { TRIED = 1000 };
	const struct event_type *type = end_event(&n->interval->anchor);
	struct found_instance found;
	unsigned tried = 0, kinds, kind = event_index_kind(x->events, type, &kinds);
	bool any = first_event(x, thread, s->start, type, anchor);

	for (; any && tried < TRIED; tried++) {
		if (instances_find(n, *anchor, &found) && found.start == s->start &&
		    found.matched != s->open)
			return true;
		any = event_index_find(x->events, *anchor + 1, kind, anchor);
	}
	return false;
}

bool object_anchor(const struct object_index *x, struct trace_index *t, const struct object_span *s,
		   event_id *anchor)
{
	const struct role *r = &x->roles.at[s->role];
	struct instances *n = trace_index_use(t, r->interval);
	bool found = anchor_within(x, n, s, s->thread, anchor);

	for (unsigned thread = 0; !found && !r->same_thread && thread < x->trace->nthreads;
	     thread++)
		found = anchor_within(x, n, s, thread, anchor);
	trace_index_used();
	return found;
}
