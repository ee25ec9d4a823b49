/*
 * Reads the file `modules` of a log directory: which files were mapped into a process, where, and
 * from when to when. Its lines are not trusted: whatever they say, this part reads no other file.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_MODULES_H
#define GLIMPSE_TRACE_SYMBOLS_MODULES_H

#include "base/array.h"
#include "trace/symbols/elf_look.h"
#include <stdbool.h>
#include <stdint.h>

/* A time in which a module was mapped, [from, to). */
struct module_span {
	int64_t from, to;
};

/* A file at one place in a process; it may have been there several times. */
struct module {
	uint64_t base;       /* an address in the process is one in the file and this */
	uint64_t start, end; /* where its code is in the process, [start, end) */
	uint64_t low, high;  /* where all of it is, variables too; equal: unknown */
	struct build_id id;  /* of no bytes: it has none */
	char *path;          /* as the program saw it; may be no path, as of the vdso */
	VECTOR(struct module_span) spans;
	struct image *image; /* see image.h; NULL: not looked for yet, or it is missing */
	bool missing;
	const struct stored_file *stored; /* of stored_names.h; NULL: nothing is stored of it */
	struct image *names;              /* answers with that; NULL: not made yet */
	bool is_stored;                   /* image is names */
};

/* Of one process, in ascending order of start. A struct of zeros has none. */
struct modules {
	VECTOR(struct module) list;
	uint64_t *ends; /* the greatest end of each module and all before it */
	/* Once modules_order_memory() was called: those with known memory, in order of low. */
	struct module **memory;
	uint64_t *memory_ends;
	size_t nmemory;
};

/* More places than this are not kept, and more bytes of the file are not to be read. */
enum { MODULES_MOST = 16384, MODULES_SIZE = 1 << 24 };

/*
 * Reads the text of a file `modules`, n bytes; a line that cannot be read is left out.
 * time(context, ticks) gives the time of the trace.
 */
void modules_read(struct modules *m, const char *text, size_t n,
		  int64_t (*time)(const void *context, uint64_t ticks), const void *context);
void modules_clear(struct modules *m);

/*
 * Returns the module whose code an address is in: the one that was there at that time, or, if there
 * was none, the nearest in time. NULL: none ever was.
 */
struct module *modules_at(const struct modules *m, uint64_t address, int64_t time);
/* Takes note of where all of each module is, once low and high are set. */
void modules_order_memory(struct modules *m);
/* Returns the module that an address of any kind is in, as modules_at() does. */
struct module *modules_with(const struct modules *m, uint64_t address, int64_t time);
/*
 * Finds the module and the whole address from the low 32 bits of one; returns NULL if several
 * modules have such an address at that time, or none has.
 */
struct module *modules_at_low(const struct modules *m, uint32_t low, int64_t time,
			      uint64_t *address);

/* Returns the last part of a module's path. */
const char *module_name(const struct module *m);

#endif
