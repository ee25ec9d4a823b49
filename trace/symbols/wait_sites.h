/*
 * Finds the call sites of waits that begin within a library of the language, such as in
 * std::thread::join(), or in a wrapper. That is the innermost call in the wait's call stack that is
 * in neither. Events of kind "wait" have these stacks, right after the event that begins the wait.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_WAIT_SITES_H
#define GLIMPSE_TRACE_SYMBOLS_WAIT_SITES_H

#include "trace/trace.h"

/*
 * Sets *address to where the program's innermost call returns to, if the event begins a wait at
 * this address, which is in such a library. Returns false, and leaves it, if the event does not, if
 * the address is the program's, or if the stack shows no call of the program.
 */
bool wait_site_find(const struct trace *t, const struct event *e, size_t process, bool low,
		    uint64_t *address);

#endif
