/*
 * Reads the call stacks of events. A stack gives the call site of a wait or a release that a
 * library makes for the program. It also gives the name of the object that the event is about.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_STACK_SITES_H
#define GLIMPSE_TRACE_SYMBOLS_STACK_SITES_H

#include "spec/layout.h"
#include "trace/trace.h"

struct stack_site {
	/* where the program's innermost call returns to; 0: it is the first frame, or none */
	uint64_t address;
	const struct object_words *words; /* NULL: no declaration names the object */
};

/* Looks at a stack of a process (index in the trace's processes). */
struct stack_site stack_site_find(const struct trace *t, size_t process, uint64_t stack);

/*
 * Whether code there is its caller's, where waits are meant: in a library of the language, or a
 * wrapper of a wait. The address is where a call returns to.
 */
bool code_waits_for_caller(const struct trace *t, size_t process, uint64_t address, bool low,
			   int64_t time);

/* Whether events of a type have a call stack and are about code, beside nodes of stacks. */
static inline bool event_has_stack_and_code(const struct event_type *type)
{
	if (type->stack_attribute < 0 || type->caller_attribute >= 0)
		return false;
	for (unsigned i = 0; i < type->nattributes; i++)
		if (type->attributes[i].type == TYPE_CODE ||
		    type->attributes[i].type == TYPE_CODE32)
			return true;
	return false;
}

/*
 * An attribute of this name is the call stack of a thread that waits for the object of the event,
 * if that is another one than the event's own: 0: it is not known.
 */
#define NAME_WAITER "waiter"
/* Returns the number of the call stack that names the object of an event; 0: there is none. */
uint64_t object_stack(const struct event_type *type, const unsigned char *record);
/* Returns the declaration that names the object of an event, or NULL. */
const struct object_words *object_words_of(const struct trace *t, const struct event *e);
/*
 * Returns the name of an object that is known by its call site, "Mutex of parse (x.rs:12)", which
 * the trace keeps; NULL: it is known by its address.
 */
const char *object_by_site(const struct trace *t, const struct event *e);
/* Whether an event that would begin a hold of a lock is about an object that is no lock. */
bool is_held_by_nobody(const struct trace *t, const struct event *e);

/* Returns the number of the call stack of an event whose type has one. */
static inline uint64_t event_stack(const struct event *e)
{
	return (uint64_t)record_value(e->type, (unsigned)e->type->stack_attribute, e->record)
	    .integer;
}

#endif
