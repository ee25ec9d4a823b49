/*
 * Finds what a thread of the C++ or Rust library was made to call. The library begins all threads
 * with a function of its own, so that only their call stacks say it, in samples and in waits: the
 * outermost frame that is not the library's.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_CALLABLES_H
#define GLIMPSE_TRACE_SYMBOLS_CALLABLES_H

#include "trace/trace.h"

/* Returns whether a function is of the C++ or Rust library, by its module and its name. */
bool callable_is_standard(const char *module, const char *function);
/* Returns whether a text is no function's name, but "[program]" or "program:fn_12". */
bool callable_is_nameless(const char *module, const char *function);

/*
 * Sets the name of each thread, by its index, that begins with the function in starts (NULL: not
 * asked for) and whose stacks agree. Other names stay. The trace keeps the names.
 */
void callables_find(const struct trace *t, const char *const *starts, const char **names);

#endif
