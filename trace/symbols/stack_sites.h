/*
 * Reads the call stacks of events. A stack gives the call site of a wait or a release that a
 * library makes for the program. It also gives the name of the object that the event is about.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_STACK_SITES_H
#define GLIMPSE_TRACE_SYMBOLS_STACK_SITES_H

#include "trace/symbols/event_stacks.h"

struct stack_site {
	/* where the program's innermost call returns to; 0: it is the first frame, or none */
	uint64_t address;
	const struct object_words *words; /* NULL: no declaration names the object */
	const char *function;             /* the innermost with a name; NULL: none */
};

/* Looks at a stack of a process (index in the trace's processes). */
struct stack_site stack_site_find(const struct trace *t, size_t process, uint64_t stack);

/*
 * Whether code there is its caller's, where waits are meant: in a library of the language, or a
 * wrapper of a wait. The address is where a call returns to.
 */
bool code_waits_for_caller(const struct trace *t, size_t process, uint64_t address, bool low,
			   int64_t time);

/* Returns the name that a declaration has for the kind of an object, or NULL. */
const char *object_kind(const struct trace *t, size_t process, uint64_t address,
			const struct event *e);
/*
 * Returns the declaration that names the object of an event, in an attribute of it (-1: none), or
 * NULL. An event without a call stack has the one of the first wait for the object. A variable that
 * is called like the object says so, too.
 */
const struct object_words *object_words_of(const struct trace *t, const struct event *e,
					   int attribute);
/*
 * Returns the name of an object that is known by its call site, "Mutex of parse (x.rs:12)", which
 * the trace keeps; NULL: it is known by its address.
 */
const char *object_by_site(const struct trace *t, const struct event *e);
/*
 * Whether an event with a call stack that would begin a hold of a lock is about what is no lock.
 */
bool is_held_by_nobody(const struct trace *t, const struct event *e);

#endif
