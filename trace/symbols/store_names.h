/*
 * Writes the file `names` into the log directories of a run, for stored_names.h: the names of its
 * addresses, from the program and its libraries as they are now.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_STORE_NAMES_H
#define GLIMPSE_TRACE_SYMBOLS_STORE_NAMES_H

#include "trace/trace.h"

/*
 * Returns false with errno set if a file cannot be written. The beginning of a file, up to any
 * newline, is one of fewer names: the caller may end it at any time.
 */
bool store_names(const struct trace *t);

#endif
