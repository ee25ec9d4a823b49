/*
 * Finds which object an event means: an address is one object until an event ends it (ends
 * "ATTRIBUTE"), and another one from then on. It makes one pass over the events that have objects.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_OBJECTS_H
#define GLIMPSE_TRACE_SYMBOLS_OBJECTS_H

#include "trace/trace.h"

struct objects;

/* An object; its name without another one is "ATTRIBUTE NUMBER". */
struct object {
	const char *attribute; /* in which it was seen first */
	uint32_t number;       /* among those first seen in attributes of this name; from 1 */
	uint64_t stack;        /* that names it, see stack_sites.h; 0: there is none */
	uint64_t wait_stack;  /* that of the first wait for it, which is another event's; 0: none */
	int64_t after, until; /* when the one before ended, and it did; extremes: never */
};

/* Returns NULL when there is no memory. Freed by objects_free(). */
struct objects *objects_make(struct trace *t);
void objects_free(struct objects *x);

/*
 * Finds the object at an address in a process, as an event has it. Not by several threads at a
 * time.
 */
bool objects_find(struct objects *x, size_t process, uint64_t address, const struct event *e,
		  struct object *found);

/* Returns the index of the process that an event is of. */
size_t process_of_event(const struct trace *t, const struct event *e);

#endif
