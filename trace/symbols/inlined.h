/*
 * Finds the functions that the compiler put into others (inlined), in debug information. A unit of
 * it is read when an address in it is first asked for. Whatever the file says, time and memory are
 * bounded.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_INLINED_H
#define GLIMPSE_TRACE_SYMBOLS_INLINED_H

#include <stddef.h>
#include <stdint.h>

/* A call that was inlined. */
struct inlined_call {
	/* the function's name as the linker has it; NULL: see the next two */
	const char *linkage;
	char *name; /* "scope::function"; to be freed */
	/* where the same function begins in the unit, not inlined; 0: nowhere */
	uint64_t instance;
	const char *file; /* of the call, its path; NULL: unknown */
	unsigned line;
};

/* More calls at one address are not followed. */
enum { INLINED_MOST = 64 };

#ifdef HAVE_LIBDW
#include <elfutils/libdw.h>

struct inlined;

struct inlined *inlined_open(void);
void inlined_close(struct inlined *x);

/*
 * Finds the calls that are inlined at an address of a unit, the outermost first; a call whose
 * function has no name is left out. Returns how many there are. All addresses are the debug
 * information's.
 */
size_t inlined_find(struct inlined *x, Dwarf_Die *unit, Dwarf_Addr address,
		    struct inlined_call calls[INLINED_MOST]);
#endif

#endif
