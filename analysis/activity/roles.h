/*
 * Finds the roles of a specification's intervals by their kinds, never by names: which events begin
 * and end them, and which attributes are the object, the function or the call site.
 */
#ifndef GLIMPSE_ANALYSIS_ACTIVITY_ROLES_H
#define GLIMPSE_ANALYSIS_ACTIVITY_ROLES_H

#include "spec/spec.h"
#include "trace/trace.h"
#include <string.h>

/*
 * What the label of an interval of kind "state" says; STATE_OTHER: a state that the user defined.
 */
enum thread_state { STATE_OTHER, STATE_RUNNING, STATE_READY, STATE_BLOCKED, NSTATES };

/*
 * Names with a meaning, beside the kinds (doc/language.md, doc/why.md). An attribute of type object
 * called lock: a thread releases it, also if no event names that thread. Labels of waits: those in
 * which a thread waits for work from others.
 */
#define NAME_LOCK "lock"
#define LABEL_CONDITION "condition"
#define LABEL_SEMAPHORE "semaphore"
/*
 * The event with which a thread gives its processor away, as the probe threads calls it. No style
 * says so: this is the one name of a probe's event that tools know for it.
 */
#define YIELD_EVENT "Yield"

/* An end of an interval. Attributes are indices in the event; -1: none. */
struct role_end {
	const struct event_type *event;
	enum side side; /* of the interval's condition */
	/*
	 * The object that the interval is about: that by which its condition pairs the ends; else
	 * the event's first one.
	 */
	int object;
	/*
	 * The first two attributes of type code. Of a call these are the function and the place
	 * where it was called; of waits and holds the first is the place in the program.
	 */
	int code[2];
};

struct role {
	const struct interval *interval;
	enum interval_kind kind;
	enum thread_state state;
	bool same_thread;           /* the condition has both ends in one thread */
	struct role_end start, end; /* the earlier and the later event */
};

/*
 * Whether what begins a hold has a call stack that says whether its object is a lock at all:
 * is_held_by_nobody().
 */
bool role_may_hold_nothing(const struct role *r);
/* Returns the role of an interval. */
struct role role_of(const struct interval *interval);
/*
 * Returns the role of sampled calls, for their interval (samples.h): what begins one is the event
 * of its frame.
 */
struct role role_of_samples(const struct interval *calls);
/* Returns an event as an end that is about an object, an attribute of it. */
struct role_end role_end_of(const struct event_type *event, int object);
/*
 * Returns the roles of all intervals of a kind, in the order of the specification, as an array that
 * the caller frees, and sets *n; those whose ends are other intervals are left out.
 */
struct role *roles_of_kind(const struct spec *spec, enum interval_kind kind, unsigned *n);
/* The same of lives of threads. */
struct role *roles_of_threads(const struct spec *spec, unsigned *n);
/* Whether a life is that of a thread: both ends are in it. Else it is an object's. */
bool role_is_threads_life(const struct role *r);
/*
 * Whether it takes time: a line that says nothing of its kind leads from one event to another, no
 * more.
 */
bool role_takes_time(const struct role *r);
/* Returns the attribute of a state's start that its metric "processor" is; -1: it has none. */
int role_processor(const struct role *r);

/* Whether a trace has what the system did with its threads: running, ready or blocked states. */
bool trace_has_states(const struct trace *t);
/* Whether such states are estimated from samples. */
bool trace_has_sampled_states(const struct trace *t);

/* "running", "ready", "blocked"; NULL for STATE_OTHER. */
const char *thread_state_name(enum thread_state state);

/* The number of an event's own call stack, above the bits of code32; 0: it has none. */
static inline uint64_t event_stack_bits(const struct event *e)
{
	const struct event_type *type = e->type;
	uint32_t stack;

	if (__builtin_expect(type->stack_attribute < 0, 1) || type->caller_attribute >= 0 ||
	    type->attributes[type->stack_attribute].type != TYPE_UINT)
		return 0;
	memcpy(&stack, e->record + type->attributes[type->stack_attribute].offset, sizeof stack);
	return (uint64_t)stack << 32;
}

/*
 * Returns the bits of an attribute of an event that is code or an object, others for each frame of
 * code; 0 for attribute -1. If the event has a call stack, code32 has others for each stack.
 * Inline, as each start of a span or a lock is looked up by them.
 */
static inline uint64_t role_attribute_bits(const struct event *e, int attribute)
{
	const struct attribute *a;
	uint64_t wide;
	uint32_t low;

	if (attribute < 0)
		return 0;
	a = &e->type->attributes[attribute];
	if (a->type == TYPE_CODE32) {
		memcpy(&low, e->record + a->offset, sizeof low);
		return low ^ (uint64_t)e->level << 56 ^ event_stack_bits(e);
	}
	memcpy(&wide, e->record + a->offset, sizeof wide);
	return wide ^ (uint64_t)e->level << 56;
}

#endif
