#include "analysis/calls/call_walk.h"
#include "analysis/activity/thread_walk.h"
#include "analysis/calls/sample_times.h"
#include "analysis/samples/sample_walk.h"
#include "spec/layout.h"
#include <stdlib.h>

#define NO_MARK UINT32_MAX
#define PLACE_ORPHAN 0x80000000 /* the place is one in the orphans */

struct open_call {
	int64_t start, own, cpu;
	uint64_t serial; /* of its begin, among all */
	uint32_t node, key;
	uint32_t below;    /* the open call of the same key below it; 0: none */
	uint32_t function; /* the key, if ends are paired by it */
	uint32_t outer;    /* the open call of the same function below it; 0: none */
	uint32_t pair;     /* of its marks; NO_MARK: an event ends it */
};

/* The key that was found last for some words. */
struct recent_key {
	uint64_t word, rest;
	uint32_t key;
};
enum { RECENT_KEYS = 256 };

/* A call that went on after the one around it: it is off the stack, and its end may still come. */
struct orphan {
	struct open_call call;
	int64_t left;   /* when it left the stack */
	uint32_t stack; /* the place of that */
	/* the orphan of the same key that began before it, and 1; 0: none */
	uint32_t below;
};

/* The open calls of a stack; the first is no call: it stands for what is outside. */
struct call_stack {
	uint64_t name;
	struct open_call *calls;
	size_t ncalls, room;
	VECTOR(uint32_t) top; /* by key and function: its topmost open call; 0: none */
};

/* The events that end calls are switched off or on. */
struct call_switch {
	int64_t time;
	const struct event_type *type; /* NULL: all */
};

/* What is known of a thread's calls before they are walked. */
struct foreseen {
	VECTOR(struct call_switch) switches; /* in the order of time */
	/* serials of calls without an end, sorted; if there are switches */
	VECTOR(uint64_t) endless;
	bool complete; /* false: the walk finds them */
};

struct call_walk {
	struct thread_walk events;
	struct call_tree *tree;
	struct walked_thread *result;
	const struct call_sources *sources;
	struct foreseen *foreseen;
	size_t switched_to;  /* the next of its switches */
	int64_t next_switch; /* when that is; INT64_MAX: there is none */
	int64_t from, to;
	bool sampled; /* its calls are those of samples */
	struct sample_walk samples;
	int64_t next_sample;     /* when it begins to count; INT64_MAX: there is none */
	struct call_stack stack; /* the one that runs */
	VECTOR(struct orphan) orphans;
	VECTOR(uint32_t) top_orphan; /* by key: the one that began last, and 1; 0: none */
	size_t awaited;              /* orphans that an event may end */
	/* that do not run; the place of the one that runs is free */
	struct call_stack *others;
	size_t nothers;
	uint32_t running_at;      /* that place */
	struct hash_table stacks; /* by name: the place */
	struct hash_table keys;
	struct recent_key recent[RECENT_KEYS];
	const struct event *event; /* the start of a mark; NULL: that which was read */
	size_t thread;
	int64_t first;   /* when the thread's events begin */
	int64_t last;    /* until when time was given to calls */
	int64_t running; /* -1: the thread runs; 0: it does not */
	uint64_t serial;
	bool switched;                    /* a state of the thread was seen */
	const struct call_pauses *pauses; /* NULL: nobody asks */
	const struct call_listener *listener;
	size_t pause;             /* the next one */
	struct hash_table paused; /* by node and reason: the place in the result */
	size_t paused_room;
};

/* ---- times ---- */

static inline int64_t within(const struct call_walk *w, int64_t time)
{
	return time < w->from ? w->from : time > w->to ? w->to : time;
}

/* Gives time to a node and the reason for which the thread did not run. */
static void paused_add(struct call_walk *w, const struct call_moment *m)
{
	struct thread_calls *c = &w->result->calls;
	struct hash_slot *slot;

	slot = hash_table_slot(&w->paused, hash_mix((uint64_t)m->node << 32 | m->reason), 0);
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->npaused;
		c->paused =
		    vector_reserve(c->paused, c->npaused + 1, &w->paused_room, sizeof *c->paused);
		c->paused[c->npaused++] = (struct call_paused){m->node, m->reason, 0};
	}
	c->paused[slot->head].time += m->to - m->from;
}

static void moment_pass(struct call_walk *w, uint32_t node, int64_t from, int64_t to)
{
	const struct call_pauses *p = w->pauses;
	uint32_t reason = w->pause ? p->at[w->pause - 1].reason : 0;
	struct call_moment m = {from, to, node, reason, w->running, false};

	if (from >= to)
		return;
	m.paused = p->states ? !w->running : reason != 0;
	if (!m.paused)
		m.reason = 0;
	if (w->listener)
		w->listener->hear(w->listener->context, w->thread, &m);
	else if (m.paused)
		paused_add(w, &m);
}

/* The same up to now, in which time the thread ran or did not. */
static __attribute__((noinline)) void pause_pass(struct call_walk *w, uint32_t node, int64_t now)
{
	const struct call_pauses *p = w->pauses;
	int64_t from = w->last;

	while (w->pause < p->n && p->at[w->pause].from < now) {
		int64_t next = p->at[w->pause].from;

		moment_pass(w, node, from, next);
		from = next > from ? next : from;
		w->pause++;
	}
	moment_pass(w, node, from, now);
}

/* The time up to now was the innermost call's. */
static inline void pass(struct call_walk *w, int64_t now)
{
	struct open_call *c = &w->stack.calls[w->stack.ncalls - 1];
	int64_t time;

	now = within(w, now);
	time = now - w->last;
	if (__builtin_expect(w->pauses != NULL, 0))
		pause_pass(w, c->node, now);
	w->last = now;
	c->own += time;
	c->cpu += time & w->running;
}

static inline bool is_wanted(const struct call_walk *w, int64_t start, int64_t end)
{
	return end >= w->from && start <= w->to;
}

static inline void give_own(struct call_walk *w, const struct open_call *c, int64_t now)
{
	struct call_node *n = &w->tree->nodes[c->node];

	if (__builtin_expect(!is_wanted(w, c->start, now), 0))
		return;
	n->calls++;
	call_times_add(&n->own, c->own);
	call_times_add(&n->cpu, c->cpu);
}

static inline void give_real(struct call_walk *w, const struct open_call *c, int64_t end)
{
	struct call_node *n = &w->tree->nodes[c->node];
	int64_t real;

	if (__builtin_expect(!is_wanted(w, c->start, end), 0))
		return;
	real = within(w, end) - within(w, c->start);
	call_times_add(&n->real, real);
	if (!c->outer)
		n->outermost += real;
}

/* ---- begins and ends ---- */

static struct event event_now(const struct call_walk *w)
{
	const struct trace *t = w->sources->trace;

	return (struct event){.time = w->events.time,
			      .type = t->spec->events[w->events.type],
			      .record = w->events.record,
			      .thread = t->threads[w->thread].number};
}

/* Frames of samples and of waits have one key; else the source is that of a function's first. */
static __attribute__((noinline)) uint32_t key_add(struct call_walk *w, uint32_t source)
{
	if (source >= w->sources->nroles)
		source = w->sources->sampled[w->event->type->index];
	*vector_add(&w->result->addresses) =
	    (struct call_address){source, w->event ? *w->event : event_now(w)};
	vector_add(&w->stack.top);
	vector_add(&w->top_orphan);
	return (uint32_t)w->stack.top.n - 1;
}

static __attribute__((noinline)) uint32_t key_find(struct call_walk *w, struct recent_key *r,
						   uint64_t value, uint64_t rest)
{
	struct hash_slot *slot = hash_table_slot(&w->keys, hash_mix(value ^ rest << 48), rest);

	if (slot->head == HASH_NOTHING)
		slot->head = key_add(w, (uint32_t)(rest >> 1));
	*r = (struct recent_key){value, rest, slot->head};
	return slot->head;
}

/* Returns the number of a function of a source; `whole` is that of the source itself. */
static inline uint32_t key_of(struct call_walk *w, uint32_t source, bool whole, uint64_t value)
{
	uint64_t rest = (uint64_t)source << 1 | whole;
	struct recent_key *r = &w->recent[(value >> 2 ^ value >> 10 ^ rest) % RECENT_KEYS];

	if (__builtin_expect(r->word == value && r->rest == rest, 1))
		return r->key;
	return key_find(w, r, value, rest);
}

static inline void enter(struct call_walk *w, uint32_t function, uint32_t key, uint32_t pair,
			 int64_t now)
{
	uint32_t node;

	pass(w, now);
	node = call_tree_child(w->tree, w->stack.calls[w->stack.ncalls - 1].node, function);
	if (__builtin_expect(w->stack.ncalls == w->stack.room, 0))
		w->stack.calls = vector_reserve(w->stack.calls, w->stack.ncalls + 1, &w->stack.room,
						sizeof *w->stack.calls);
	w->stack.calls[w->stack.ncalls] = (struct open_call){.start = now,
							     .serial = ++w->serial,
							     .node = node,
							     .key = key,
							     .below = w->stack.top.at[key],
							     .function = function,
							     .outer = w->stack.top.at[function],
							     .pair = pair};
	w->stack.top.at[key] = w->stack.top.at[function] = (uint32_t)w->stack.ncalls++;
}

/* Takes the innermost call from the stack. */
static inline const struct open_call *stack_pop(struct call_walk *w, int64_t now)
{
	const struct open_call *c = &w->stack.calls[--w->stack.ncalls];

	w->stack.top.at[c->function] = c->outer;
	w->stack.top.at[c->key] = c->below;
	give_own(w, c, now);
	return c;
}

/* An end is that of the call that began last: orphans of a key are in this order. */
static void orphan_make(struct call_walk *w, const struct open_call *c, int64_t now)
{
	uint32_t *link = &w->top_orphan.at[c->key];

	if (c->pair != NO_MARK) {
		*vector_add(&w->orphans) = (struct orphan){*c, now, w->running_at, 0};
		w->sources->places[c->pair] = PLACE_ORPHAN | (uint32_t)(w->orphans.n - 1);
		return;
	}
	vector_add(&w->orphans);
	w->awaited++;
	while (*link && w->orphans.at[*link - 1].call.serial > c->serial)
		link = &w->orphans.at[*link - 1].below;
	w->orphans.at[w->orphans.n - 1] = (struct orphan){*c, now, w->running_at, *link};
	*link = (uint32_t)w->orphans.n;
}

/* Takes the calls within that at a place from the stack before their ends. */
static __attribute__((noinline)) void leave_behind(struct call_walk *w, size_t place, int64_t now)
{
	size_t n = w->stack.ncalls;

	while (w->stack.ncalls - 1 > place)
		stack_pop(w, now);
	for (size_t i = place + 1; i < n; i++)
		orphan_make(w, &w->stack.calls[i], now);
}

/* Ends the call at a place in the stack. */
static inline void end_at(struct call_walk *w, size_t place, int64_t now)
{
	if (__builtin_expect(w->stack.ncalls - 1 > place, 0))
		leave_behind(w, place, now);
	give_real(w, stack_pop(w, now), now);
}

static void orphan_end(struct call_walk *w, struct orphan *o, int64_t now)
{
	if (o->left < w->from) /* it is in the part all the same */
		give_own(w, &o->call, now);
	give_real(w, &o->call, now);
	if (o->call.pair == NO_MARK) {
		w->top_orphan.at[o->call.key] = o->below;
		w->awaited--;
	}
	o->call.serial = 0;
	while (w->orphans.n && !w->orphans.at[w->orphans.n - 1].call.serial)
		w->orphans.n--;
}

static inline void leave(struct call_walk *w, uint32_t key, int64_t now)
{
	uint32_t place = w->stack.top.at[key], orphan = w->top_orphan.at[key];

	pass(w, now);
	if (__builtin_expect(orphan && w->orphans.at[orphan - 1].stack == w->running_at &&
				 w->orphans.at[orphan - 1].call.serial >
				     w->stack.calls[place].serial,
			     0))
		orphan_end(w, &w->orphans.at[orphan - 1], now);
	else if (__builtin_expect(place, 1))
		end_at(w, place, now);
	else
		w->result->calls.unbegun += is_wanted(w, now, now);
}

/* Up to now the thread did not run, as is seen only now. */
static void pause_begin(struct call_walk *w, int64_t now)
{
	if (w->listener)
		w->listener->forget(w->listener->context, w->thread);
	w->pause = 0;
	w->running = 0;
	w->last = within(w, w->first);
	pause_pass(w, w->stack.calls[w->stack.ncalls - 1].node, within(w, now));
	w->last = within(w, now);
}

static void run(struct call_walk *w, int64_t running, int64_t now)
{
	pass(w, now);
	/*
	 * nobody else than the recorder says that a thread is there before it runs, unless it was
	 * sampled
	 */
	if (!w->switched && running && (w->sampled ? w->samples.next <= 1 : w->stack.ncalls == 1)) {
		for (size_t i = 0; i < w->stack.ncalls; i++)
			w->stack.calls[i].cpu = 0;
		/* if no call has ended */
		if (w->pauses && w->serial + 1 == w->stack.ncalls)
			pause_begin(w, now);
	}
	w->switched = true;
	w->running = running;
}

/* ---- stacks ---- */

static void stack_begin(struct call_walk *w, uint64_t name)
{
	w->stack = (struct call_stack){.name = name};
	w->stack.calls = vector_reserve(NULL, 64, &w->stack.room, sizeof *w->stack.calls);
	w->stack.calls[w->stack.ncalls++] = (struct open_call){.pair = NO_MARK};
}

/* The thread goes on with the stack of a name. */
static void stack_change(struct call_walk *w, uint64_t name, int64_t now)
{
	struct hash_slot *slot;

	pass(w, now);
	if (name == w->stack.name)
		return;
	slot = hash_table_slot(&w->stacks, hash_mix(name), 0);
	w->others[w->running_at] = w->stack;
	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)w->nothers;
		w->others = array_grow(w->others, w->nothers++, sizeof *w->others);
		stack_begin(w, name);
	} else {
		w->stack = w->others[slot->head];
	}
	w->running_at = slot->head;
	while (w->stack.top.n < w->top_orphan.n) /* keys that came meanwhile */
		vector_add(&w->stack.top);
}

static void stacks_open(struct call_walk *w)
{
	w->others = array_new(1, sizeof *w->others);
	w->nothers = 1;
	hash_table_slot(&w->stacks, hash_mix(0), 0)->head = 0;
	stack_begin(w, 0);
}

/* ---- ends that are switched off ---- */

static int switch_compare(const void *left, const void *right)
{
	const struct call_switch *a = left, *b = right;

	return (a->time > b->time) - (a->time < b->time);
}

static bool ends_calls(const struct call_sources *s, const struct event_type *type)
{
	for (unsigned i = 0; i < s->nroles; i++)
		if (s->roles[i].kind == KIND_CALL && (!type || s->roles[i].end.event == type))
			return true;
	return false;
}

static void switches_find(struct foreseen *f, const struct call_sources *s, size_t thread)
{
	const struct trace *t = s->trace;

	for (size_t i = 0; i < t->ngaps; i++) {
		const struct trace_gap *g = &t->gaps[i];

		if (g->kind != GAP_OFF || !ends_calls(s, g->type) ||
		    (g->thread != EVERY_THREAD && g->thread != thread))
			continue;
		*vector_add(&f->switches) = (struct call_switch){g->from, g->type};
		*vector_add(&f->switches) = (struct call_switch){g->to, g->type};
	}
	if (f->switches.n)
		qsort(f->switches.at, f->switches.n, sizeof *f->switches.at, switch_compare);
	f->complete = !f->switches.n;
}

static int serial_compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void endless_add(struct call_walk *w, const struct open_call *c)
{
	if (!w->foreseen->complete)
		*vector_add(&w->foreseen->endless) = c->serial;
}

static bool ends_at_switch(const struct call_walk *w, const struct open_call *c,
			   const struct call_switch *s)
{
	uint32_t source = w->result->addresses.at[c->function].source;

	return (!s->type || s->type == w->sources->roles[source].end.event) &&
	       w->foreseen->endless.n &&
	       bsearch(&c->serial, w->foreseen->endless.at, w->foreseen->endless.n,
		       sizeof c->serial, serial_compare);
}

/* Ends the innermost calls that have no end of their own. */
static void stack_switch(struct call_walk *w, const struct call_switch *s)
{
	while (w->stack.ncalls > 1 && ends_at_switch(w, &w->stack.calls[w->stack.ncalls - 1], s)) {
		const struct open_call *c = stack_pop(w, s->time);

		give_real(w, c, s->time);
		w->tree->nodes[c->node].unfinished += is_wanted(w, c->start, s->time);
	}
}

/* What is open and ends without being seen to does so where it could still be seen last. */
static __attribute__((noinline)) void switches_pass(struct call_walk *w, int64_t now)
{
	const struct foreseen *f = w->foreseen;

	while (w->switched_to < f->switches.n && f->switches.at[w->switched_to].time < now) {
		const struct call_switch *s = &f->switches.at[w->switched_to++];

		pass(w, s->time);
		w->others[w->running_at] = w->stack;
		for (size_t i = 0; i < w->nothers && f->complete; i++) {
			w->stack = w->others[i];
			stack_switch(w, s);
			w->others[i] = w->stack;
		}
		w->stack = w->others[w->running_at];
	}
	w->next_switch =
	    w->switched_to < f->switches.n ? f->switches.at[w->switched_to].time : INT64_MAX;
}

/* ---- samples ---- */

static void sampled_begin(struct call_walk *w, uint32_t stack, int64_t now)
{
	const struct samples *s = w->sources->samples;
	const struct sample_stack *at = &s->stacks.at[stack];
	struct call_node *n;
	uint32_t key;

	w->event = &at->frame;
	key = key_of(w, w->sources->nroles, false, (uint64_t)s->paths.at[at->path].function);
	w->event = NULL;
	enter(w, key, key, NO_MARK, now);
	n = &w->tree->nodes[w->stack.calls[w->stack.ncalls - 1].node];
	n->sampled = true;
	n->cut |= at->caller == STACK_CUT;
}

/* A sample counts if it stands for some of the time that is wanted. */
static void sample_count(struct call_walk *w, const struct stack_sample *s)
{
	struct call_node *n = &w->tree->nodes[w->stack.calls[w->stack.ncalls - 1].node];

	n->samples += s->counts && s->to > w->from && s->from < w->to;
}

/* Returns when the next sample begins to count, or the samples' time is over. */
static int64_t sample_next(const struct call_walk *w)
{
	int64_t next = sample_walk_time(&w->samples);

	return next == INT64_MAX && w->stack.ncalls > 1 ? w->samples.thread->until : next;
}

/* Nobody saw what the thread called, or whether it ran, from then on. */
static void samples_end(struct call_walk *w)
{
	int64_t now = w->next_sample;

	pass(w, now);
	while (w->stack.ncalls > 1)
		end_at(w, w->stack.ncalls - 1, now);
	if (!w->pauses)
		w->running = 0;
	w->next_sample = INT64_MAX;
}

/* Goes on to the calls of the samples that count up to a time. */
static __attribute__((noinline)) void samples_pass(struct call_walk *w, int64_t now)
{
	while (w->next_sample <= now) {
		struct sample_step step;
		const struct stack_sample *sample;

		if (sample_walk_time(&w->samples) == INT64_MAX) {
			samples_end(w);
			return;
		}
		step = sample_walk_next(&w->samples);
		pass(w, step.time);
		while (w->stack.ncalls - 1 > step.kept)
			end_at(w, w->stack.ncalls - 1, step.time);
		for (uint32_t i = 0; i < step.nbegun; i++)
			sampled_begin(w, step.begun[i], step.time);
		sample = &w->samples.thread->list.at[w->samples.next - 1];
		sample_count(w, sample);
		if (sample->blocked && !w->switched)
			w->running = 0;
		w->next_sample = sample_next(w);
	}
}

static bool is_sampled(const struct call_sources *s, size_t thread)
{
	return s->samples && s->samples->threads[thread].list.n;
}

static void samples_open(struct call_walk *w)
{
	w->next_sample = INT64_MAX;
	w->sampled = is_sampled(w->sources, w->thread);
	if (!w->sampled)
		return;
	sample_walk_open(&w->samples, w->sources->samples,
			 &w->sources->samples->threads[w->thread]);
	w->next_sample = sample_walk_time(&w->samples);
	/* estimated states do not say that it ran before it was blocked */
	if (!w->pauses && w->samples.thread->blocked_first)
		w->running = 0;
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

static inline void act(struct call_walk *w, const struct call_action *a)
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
	case ACT_STACK:
		/* samples are of the whole stack */
		if (!w->sampled)
			stack_change(w, value, now);
		break;
	}
}

static uint64_t mark_value(const struct call_walk *w, const struct call_mark *m)
{
	int code = w->sources->roles[m->source].start.code[0];

	if (code < 0)
		return 0;
	return (uint64_t)record_value(m->event.type, (unsigned)code, m->event.record).integer;
}

static void mark_leave(struct call_walk *w, const struct call_mark *m)
{
	uint32_t place = w->sources->places[m->pair];

	pass(w, m->time);
	if (place & PLACE_ORPHAN)
		orphan_end(w, &w->orphans.at[place & ~PLACE_ORPHAN], m->time);
	else
		end_at(w, place, m->time);
}

static void mark_do(struct call_walk *w, const struct call_mark *m)
{
	uint32_t key;

	if (__builtin_expect(w->next_switch < m->time, 0))
		switches_pass(w, m->time);
	if (__builtin_expect(w->next_sample <= m->time, 0))
		samples_pass(w, m->time);
	switch (m->act) {
	case ACT_ENTER:
		w->event = &m->event;
		key = key_of(w, m->source, false, mark_value(w, m));
		w->event = NULL;
		w->sources->places[m->pair] = (uint32_t)w->stack.ncalls;
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
	case ACT_STACK:
		break;
	}
}

/* ---- all ---- */

/*
 * Whether later events say something of the part that is wanted: whether the thread ran up to its
 * first state, and how long calls go on that are off the stack.
 */
static bool is_incomplete(const struct call_walk *w)
{
	return w->awaited || !w->foreseen->complete ||
	       (w->pauses && w->pauses->states && !w->switched);
}

static void walk_events(struct call_walk *w, const struct call_mark *mark,
			const struct call_mark *end)
{
	struct call_action *const *actions = w->sources->actions;

	while (thread_walk_next(&w->events)) {
		const struct call_action *a = actions[w->events.type];

		for (; __builtin_expect(mark < end && mark->time <= w->events.time, 0); mark++)
			mark_do(w, mark);
		/* also if that is in the part that is wanted, and the event behind it */
		if (__builtin_expect(w->next_switch < w->events.time, 0))
			switches_pass(w, w->events.time);
		if (__builtin_expect(w->events.time > w->to, 0) && !is_incomplete(w))
			break;
		if (__builtin_expect(w->next_sample <= w->events.time, 0))
			samples_pass(w, w->events.time);
		for (; a; a = a->next)
			act(w, a);
	}
	for (; mark < end; mark++)
		mark_do(w, mark);
}

/* Ends what is open with its thread, or counts it up to the end of the part that is wanted. */
static void stack_end(struct call_walk *w, int64_t last, bool cut)
{
	while (w->stack.ncalls > 1) {
		const struct open_call *c = &w->stack.calls[--w->stack.ncalls];

		give_own(w, c, last);
		give_real(w, c, last);
		endless_add(w, c);
		w->tree->nodes[c->node].unfinished +=
		    !cut && !w->sampled && is_wanted(w, c->start, last);
	}
	call_times_add(&w->tree->nodes[CALL_ROOT].own, w->stack.calls[0].own);
	call_times_add(&w->tree->nodes[CALL_ROOT].cpu, w->stack.calls[0].cpu);
	free(w->stack.calls);
	free(w->stack.top.at);
}

static void walk_end(struct call_walk *w, int64_t last)
{
	pass(w, last);
	w->others[w->running_at] = w->stack;
	for (size_t i = 0; i < w->nothers; i++) {
		w->stack = w->others[i];
		stack_end(w, last, last > w->to);
	}
	for (size_t i = 0; i < w->orphans.n; i++) {
		const struct orphan *o = &w->orphans.at[i];

		if (!o->call.serial)
			continue;
		give_real(w, &o->call, o->left);
		endless_add(w, &o->call);
		w->tree->nodes[o->call.node].unfinished += is_wanted(w, o->call.start, o->left);
	}
	free(w->others);
	free(w->orphans.at);
	free(w->top_orphan.at);
	hash_table_free(&w->stacks);
	hash_table_free(&w->keys);
	hash_table_free(&w->paused);
}

/* Who hears moments keeps something for each path. */
static size_t tree_limit(const struct trace_thread *t, const struct call_part *part)
{
	return part->listener ? 32768 : 262144 + t->bytes / 4 / sizeof(struct call_node);
}

static void walk_thread(struct walked_thread *result, const struct call_sources *s, size_t thread,
			const struct call_part *part, struct foreseen *foreseen)
{
	const struct trace_thread *t = &s->trace->threads[thread];
	struct call_walk w = {.tree = &result->calls.tree,
			      .result = result,
			      .sources = s,
			      .foreseen = foreseen,
			      .next_switch =
				  foreseen->switches.n ? foreseen->switches.at[0].time : INT64_MAX,
			      .thread = thread,
			      .from = part->from,
			      .to = part->to,
			      .first = t->first,
			      .running = -1,
			      .pauses = part->pauses ? &part->pauses[thread] : NULL,
			      .listener = part->listener};

	call_tree_init(w.tree, tree_limit(t, part));
	for (unsigned i = 0; i < RECENT_KEYS; i++)
		w.recent[i].rest = UINT64_MAX;
	stacks_open(&w);
	samples_open(&w);
	w.last = within(&w, t->first);
	thread_walk_open(&w.events, s->trace, thread);
	walk_events(&w, s->marks.at + s->first_mark[thread],
		    s->marks.at + s->first_mark[thread + 1]);
	walk_end(&w, t->last);
	call_times_add(&w.tree->nodes[CALL_ROOT].real, w.last - within(&w, t->first));
	result->calls.states = w.switched;
	result->calls.sampled = w.sampled;
	if (!w.sampled)
		return;
	sample_walk_close(&w.samples);
	if (!w.listener)
		sample_times_share(w.tree);
}

/* A first walk finds the calls that have no end, all of which a switch may end. */
static void foresee(struct foreseen *f, const struct call_sources *s, size_t thread)
{
	struct walked_thread first = {0};

	walk_thread(&first, s, thread, &CALL_PART_ALL, f);
	call_tree_free(&first.calls.tree);
	free(first.addresses.at);
	if (f->endless.n)
		qsort(f->endless.at, f->endless.n, sizeof *f->endless.at, serial_compare);
	f->complete = true;
}

void call_walk(struct walked_thread *result, const struct call_sources *s, size_t thread,
	       const struct call_part *part)
{
	struct foreseen foreseen = {0};

	/* sampled calls have no ends that could be switched off */
	if (is_sampled(s, thread))
		foreseen.complete = true;
	else
		switches_find(&foreseen, s, thread);
	if (!foreseen.complete)
		foresee(&foreseen, s, thread);
	walk_thread(result, s, thread, part, &foreseen);
	free(foreseen.switches.at);
	free(foreseen.endless.at);
}
