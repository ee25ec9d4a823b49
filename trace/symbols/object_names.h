/* Reads the file `objects` of a log directory: names that the program gave to objects. */
#ifndef GLIMPSE_TRACE_SYMBOLS_OBJECT_NAMES_H
#define GLIMPSE_TRACE_SYMBOLS_OBJECT_NAMES_H

#include "base/array.h"
#include <stdbool.h>
#include <stdint.h>

struct object_name {
	uint64_t address;
	int64_t time; /* when the program gave it */
	size_t line;  /* names of one time: the later line counts */
	char *name;   /* all of it visible; "": it has none from then on */
};

/* Of one process, sorted. A struct of zeros has none. */
struct object_names {
	VECTOR(struct object_name) list;
};

/* More bytes of the file are not to be read. */
enum { OBJECT_NAMES_SIZE = 1 << 26 };

/* Reads the text of a file `objects`; time() as in modules_read(). */
void object_names_read(struct object_names *names, const char *text, size_t n,
		       int64_t (*time)(const void *context, uint64_t ticks), const void *context);
void object_names_clear(struct object_names *names);

/* Returns whether any object at the address has a name. */
bool object_names_have(const struct object_names *names, uint64_t address);
/*
 * Returns the name at a time of an object that was there after a time, and until another one: what
 * it was given last or, before it was given any, first. NULL: it has none.
 */
const char *object_names_find(const struct object_names *names, uint64_t address, int64_t time,
			      int64_t after, int64_t until);

#endif
