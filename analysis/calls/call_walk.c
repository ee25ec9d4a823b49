#include "analysis/calls/call_walk.h"
#include "analysis/thread_walk.h"
#include "spec/layout.h"
#include <stdlib.h>

#define NO_MARK UINT32_MAX
#define PLACE_ORPHAN 0x80000000         /* the place is one in the orphans */

struct open_call {
	int64_t start, own, cpu;
	uint64_t serial;        /* of its begin, among all */
	uint32_t node, key;
	uint32_t below;         /* the open call of the same key below it; 0: none */
	uint32_t pair;          /* of its marks; NO_MARK: an event ends it */
};

/* A call that went on after the one around it: it is off the stack, and its end may still come. */
struct orphan {
	struct open_call call;
	int64_t left;           /* when it left the stack */
	uint32_t below;         /* the orphan of the same key before it, and 1; 0: none */
};

struct walk {
	struct thread_walk events;
	struct call_tree *tree;
	struct walked_thread *result;
	const struct call_sources *sources;
	int64_t from, to;
	/* The stack; the first is no call: it stands for what is outside. */
	struct open_call *calls;
	size_t ncalls, room;
	VECTOR(uint32_t) top;           /* by key: its topmost open call; 0: none */
	VECTOR(struct orphan) orphans;
	VECTOR(uint32_t) top_orphan;    /* by key, and 1; 0: none */
	struct hash_table keys;
	const struct event *event;      /* the begin of a mark; NULL: that which was read */
	size_t thread;
	int64_t last;                   /* until when time was given to calls */
	int64_t running;                /* -1: the thread runs; 0: it does not */
	uint64_t serial;
	bool switched;                  /* a state of the thread was seen */
};

/* ---- times ---- */

static inline int64_t within(const struct walk *w, int64_t time)
{
	return time < w->from ? w->from : time > w->to ? w->to : time;
}

/* The time up to now was the innermost call's. */
static inline void pass(struct walk *w, int64_t now)
{
	struct open_call *c = &w->calls[w->ncalls - 1];
	int64_t time;

	now = within(w, now);
	time = now - w->last;
	w->last = now;
	c->own += time;
	c->cpu += time & w->running;
}

static inline bool is_wanted(const struct walk *w, int64_t start, int64_t end)
{
	return end >= w->from && start <= w->to;
}

static inline void give_own(struct walk *w, const struct open_call *c, int64_t now)
{
	struct call_node *n = &w->tree->nodes[c->node];

	if (__builtin_expect(!is_wanted(w, c->start, now), 0))
		return;
	n->calls++;
	call_times_add(&n->own, c->own);
	call_times_add(&n->cpu, c->cpu);
}

static inline void give_real(struct walk *w, const struct open_call *c, int64_t end)
{
	struct call_node *n = &w->tree->nodes[c->node];
	int64_t real;

	if (__builtin_expect(!is_wanted(w, c->start, end), 0))
		return;
	real = within(w, end) - within(w, c->start);
	call_times_add(&n->real, real);
	if (!c->below)
		n->outermost += real;
}

/* ---- begins and ends ---- */

static struct event event_now(const struct walk *w)
{
	const struct trace *t = w->sources->trace;

	return (struct event){.time = w->events.time,
			      .type = t->spec->events[w->events.type],
			      .record = w->events.record,
			      .thread = t->threads[w->thread].number};
}

static __attribute__((noinline)) uint32_t key_add(struct walk *w, uint32_t source)
{
	*vector_add(&w->result->addresses) =
	    (struct call_address){source, w->event ? *w->event : event_now(w)};
	vector_add(&w->top);
	vector_add(&w->top_orphan);
	return (uint32_t)w->top.n - 1;
}

/* Returns the number of a function of a source; `whole` is that of the source itself. */
static inline uint32_t key_of(struct walk *w, uint32_t source, bool whole, uint64_t value)
{
	uint64_t rest = (uint64_t)source << 1 | whole;
	struct hash_slot *slot = hash_table_slot(&w->keys, hash_mix(value ^ rest << 48), rest);

	if (__builtin_expect(slot->head == HASH_NOTHING, 0))
		slot->head = key_add(w, source);
	return slot->head;
}

static inline void enter(struct walk *w, uint32_t function, uint32_t key, uint32_t pair, int64_t now)
{
	uint32_t node;

	pass(w, now);
	node = call_tree_child(w->tree, w->calls[w->ncalls - 1].node, function);
	if (__builtin_expect(w->ncalls == w->room, 0))
		w->calls = vector_reserve(w->calls, w->ncalls + 1, &w->room, sizeof *w->calls);
	w->calls[w->ncalls] = (struct open_call){.start = now,
						 .serial = ++w->serial,
						 .node = node,
						 .key = key,
						 .below = w->top.at[key],
						 .pair = pair};
	w->top.at[key] = (uint32_t)w->ncalls++;
}

/* Takes the innermost call from the stack before its end. */
static void orphan_make(struct walk *w, int64_t now)
{
	const struct open_call *c = &w->calls[--w->ncalls];

	w->top.at[c->key] = c->below;
	give_own(w, c, now);
	*vector_add(&w->orphans) = (struct orphan){*c, now, w->top_orphan.at[c->key]};
	if (c->pair != NO_MARK)
		w->sources->places[c->pair] = PLACE_ORPHAN | (uint32_t)(w->orphans.n - 1);
	else
		w->top_orphan.at[c->key] = (uint32_t)w->orphans.n;
}

/* Ends the call at a place in the stack. */
static inline void end_at(struct walk *w, size_t place, int64_t now)
{
	const struct open_call *c;

	while (__builtin_expect(w->ncalls - 1 > place, 0))
		orphan_make(w, now);
	c = &w->calls[--w->ncalls];
	w->top.at[c->key] = c->below;
	give_own(w, c, now);
	give_real(w, c, now);
}

static void orphan_end(struct walk *w, struct orphan *o, int64_t now)
{
	give_real(w, &o->call, now);
	if (o->call.pair == NO_MARK)
		w->top_orphan.at[o->call.key] = o->below;
	o->call.serial = 0;
	while (w->orphans.n && !w->orphans.at[w->orphans.n - 1].call.serial)
		w->orphans.n--;
}

static inline void leave(struct walk *w, uint32_t key, int64_t now)
{
	uint32_t place = w->top.at[key], orphan = w->top_orphan.at[key];

	pass(w, now);
	if (__builtin_expect(orphan &&
			     w->orphans.at[orphan - 1].call.serial > w->calls[place].serial, 0))
		orphan_end(w, &w->orphans.at[orphan - 1], now);
	else if (__builtin_expect(place, 1))
		end_at(w, place, now);
	else
		w->result->calls.unbegun += is_wanted(w, now, now);
}

static void run(struct walk *w, int64_t running, int64_t now)
{
	pass(w, now);
	/* nobody else than the recorder says that a thread is there before it runs */
	if (!w->switched && running && w->ncalls == 1)
		w->calls[0].cpu = 0;
	w->switched = true;
	w->running = running;
}

/* ---- events and marks ---- */

static inline uint64_t action_value(const struct call_action *a, const unsigned char *record)
{
	uint64_t value;
	uint32_t low;

	if (a->function < 0)
		return 0;
	if (a->wide) {
		memcpy(&value, record + a->offset, sizeof value);
		return value;
	}
	memcpy(&low, record + a->offset, sizeof low);
	return low;
}

static inline void act(struct walk *w, const struct call_action *a)
{
	int64_t now = w->events.time;
	uint64_t value = action_value(a, w->events.record);
	uint32_t function;

	switch (a->act) {
	case ACT_ENTER:
		function = key_of(w, a->source, false, value);
		enter(w, function, a->keyed ? function : key_of(w, a->source, true, 0), NO_MARK,
		      now);
		break;
	case ACT_LEAVE:
		leave(w, key_of(w, a->source, !a->keyed, a->keyed ? value : 0), now);
		break;
	case ACT_RUN:
		run(w, -1, now);
		break;
	case ACT_STOP:
		run(w, 0, now);
		break;
	}
}

static uint64_t mark_value(const struct walk *w, const struct call_mark *m)
{
	int code = w->sources->roles[m->source].start.code[0];

	if (code < 0)
		return 0;
	return (uint64_t)record_value(m->event.type, (unsigned)code, m->event.record).integer;
}

static void mark_leave(struct walk *w, const struct call_mark *m)
{
	uint32_t place = w->sources->places[m->pair];

	pass(w, m->time);
	if (place & PLACE_ORPHAN)
		orphan_end(w, &w->orphans.at[place & ~PLACE_ORPHAN], m->time);
	else
		end_at(w, place, m->time);
}

static void mark_do(struct walk *w, const struct call_mark *m)
{
	uint32_t key;

	switch (m->act) {
	case ACT_ENTER:
		w->event = &m->event;
		key = key_of(w, m->source, false, mark_value(w, m));
		w->event = NULL;
		w->sources->places[m->pair] = (uint32_t)w->ncalls;
		enter(w, key, key, m->pair, m->time);
		break;
	case ACT_LEAVE:
		mark_leave(w, m);
		break;
	case ACT_RUN:
		run(w, -1, m->time);
		break;
	case ACT_STOP:
		run(w, 0, m->time);
		break;
	}
}

/* ---- all ---- */

static void walk_events(struct walk *w, const struct call_mark *mark, const struct call_mark *end)
{
	struct call_action *const *actions = w->sources->actions;

	while (thread_walk_next(&w->events) && w->events.time <= w->to) {
		const struct call_action *a = actions[w->events.type];

		for (; __builtin_expect(mark < end && mark->time <= w->events.time, 0); mark++)
			mark_do(w, mark);
		for (; a; a = a->next)
			act(w, a);
	}
	for (; mark < end; mark++)
		mark_do(w, mark);
}

/* Ends what is open with its thread, or counts it up to the end of the part that is wanted. */
static void walk_end(struct walk *w, int64_t last)
{
	bool cut = last > w->to;

	pass(w, last);
	while (w->ncalls > 1) {
		const struct open_call *c = &w->calls[--w->ncalls];

		w->top.at[c->key] = c->below;
		give_own(w, c, last);
		give_real(w, c, last);
		w->tree->nodes[c->node].unfinished += !cut && is_wanted(w, c->start, last);
	}
	for (size_t i = 0; i < w->orphans.n; i++) {
		const struct orphan *o = &w->orphans.at[i];

		if (!o->call.serial)
			continue;
		give_real(w, &o->call, o->left);
		w->tree->nodes[o->call.node].unfinished += is_wanted(w, o->call.start, o->left);
	}
}

static size_t tree_limit(const struct trace_thread *t)
{
	return 262144 + t->bytes / 4 / sizeof(struct call_node);
}

void call_walk(struct walked_thread *result, const struct call_sources *s, size_t thread,
	       const struct call_part *part)
{
	const struct trace_thread *t = &s->trace->threads[thread];
	struct walk w = {.tree = &result->calls.tree,
			 .result = result,
			 .sources = s,
			 .thread = thread,
			 .from = part->from,
			 .to = part->to,
			 .running = -1};

	call_tree_init(w.tree, tree_limit(t));
	w.calls = vector_reserve(NULL, 64, &w.room, sizeof *w.calls);
	w.calls[w.ncalls++] = (struct open_call){.start = t->first};
	w.last = within(&w, t->first);
	thread_walk_open(&w.events, s->trace, thread);
	walk_events(&w, s->marks.at + s->first_mark[thread],
		    s->marks.at + s->first_mark[thread + 1]);
	walk_end(&w, t->last);
	call_times_add(&w.tree->nodes[CALL_ROOT].own, w.calls[0].own);
	call_times_add(&w.tree->nodes[CALL_ROOT].cpu, w.calls[0].cpu);
	call_times_add(&w.tree->nodes[CALL_ROOT].real, w.last - within(&w, t->first));
	result->calls.states = w.switched;
	free(w.calls);
	free(w.top.at);
	free(w.orphans.at);
	free(w.top_orphan.at);
	hash_table_free(&w.keys);
}
