/*
 * Finds what a std::thread was made to call. The library begins all such threads with a function of
 * its own, so that only their samples say it: the outermost frame that is not the library's.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_CALLABLES_H
#define GLIMPSE_TRACE_SYMBOLS_CALLABLES_H

#include "trace/trace.h"

/* Returns whether a function is of the C++ library, by the module that it is in and its name. */
bool callable_is_standard(const char *module, const char *function);

/*
 * Sets the name of each thread, by its index, that begins with the function in starts (NULL: not
 * asked for) and whose samples agree. Other names stay. The trace keeps the names.
 */
void callables_find(const struct trace *t, const char *const *starts, const char **names);

#endif
