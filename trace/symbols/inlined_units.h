/*
 * Reads which code of a unit of debug information is which function's, or was inlined from another
 * one, and within which namespaces and classes its functions are. For inlined.c.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_INLINED_UNITS_H
#define GLIMPSE_TRACE_SYMBOLS_INLINED_UNITS_H

#include "base/array.h"
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* Addresses [from, to). */
struct code_range {
	Dwarf_Addr from, to;
	uint32_t entry;
};

/* A function or an inlined call. */
struct code_entry {
	Dwarf_Off die;
	uint32_t next; /* the first entry that is not within this one */
	uint32_t ranges, nranges;
	bool function;
};

/* A function has code of its own at an address. */
struct code_instance {
	Dwarf_Off origin; /* what it is an instance of */
	Dwarf_Addr address;
};

/*
 * A namespace, class or function that others are in. Scope 0 is that of the unit, without a name.
 */
struct name_scope {
	const char *name; /* NULL: of a lambda expression, or another class without a name */
	unsigned line;    /* of such a class; 0: unknown */
	uint32_t outer;
};

/* A function that has no name of the linker, and where it is declared. */
struct scoped_function {
	Dwarf_Off die;
	uint32_t scope;
};

struct inlined_unit {
	VECTOR(struct code_entry) entries;      /* each before those within it */
	VECTOR(struct code_range) ranges;       /* of entries */
	VECTOR(struct code_range) functions;    /* in ascending order of from */
	VECTOR(struct code_instance) instances; /* in ascending order of origin */
	VECTOR(struct name_scope) scopes;
	VECTOR(struct scoped_function) scoped; /* in ascending order of die */
};

/*
 * Reads a unit, as far as *work allows, which it lowers by what that took: it counts bytes of debug
 * information, and those that are gone over again.
 */
struct inlined_unit *inlined_unit_read(Dwarf_Die *unit, int64_t *work);
void inlined_unit_free(struct inlined_unit *u);

#endif
