/* Call stacks that events have themselves. */
#ifndef GLIMPSE_TRACE_SYMBOLS_EVENT_STACKS_H
#define GLIMPSE_TRACE_SYMBOLS_EVENT_STACKS_H

#include "spec/layout.h"
#include "trace/trace.h"

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

/* Whether events of a type have the call stack of the wait that the event before begins. */
static inline bool event_is_wait_stack(const struct event_type *type)
{
	return type->wait && !event_has_stack_and_code(type);
}

/* Whether declarations name objects whose waits have such stacks. */
static inline bool spec_names_waits(const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nobject_words; i++)
		if (spec->object_words[i]->of)
			return true;
	return false;
}

/* Returns the number of the call stack of an event whose type has one. */
static inline uint64_t event_stack(const struct event *e)
{
	return (uint64_t)record_value(e->type, (unsigned)e->type->stack_attribute, e->record)
	    .integer;
}

/*
 * An attribute of this name is the call stack of a thread that waits for the object of the event,
 * if that is another one than the event's own: 0: it is not known.
 */
#define NAME_WAITER "waiter"
/* Returns the number of the call stack that names the object of an event; 0: there is none. */
uint64_t object_stack(const struct event_type *type, const unsigned char *record);

#endif
