/*
 * Finds the member of a variable that an address is in, in debug information: ".notFull",
 * "[3].mutex". Whatever the file says, time and memory are bounded.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_MEMBERS_H
#define GLIMPSE_TRACE_SYMBOLS_MEMBERS_H

#ifdef HAVE_LIBDW
#include <elfutils/libdw.h>
#include <stdint.h>

struct members;

struct members *members_open(Dwarf *dwarf);

/*
 * Returns what follows the name of the variable at an address for a byte in it: the members and
 * elements around the byte. Members of types that the system declares are left out, and "+8"
 * follows if the byte is within the last one. Returns NULL if nothing is known of the variable. To
 * be freed. Addresses are the debug information's.
 */
char *members_text(struct members *x, Dwarf_Addr variable, uint64_t byte);
#endif

#endif
