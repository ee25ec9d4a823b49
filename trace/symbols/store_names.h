/*
 * Writes the file `names` into the log directories of a run, for stored_names.h: the names of its
 * addresses, from the program and its libraries as they are now.
 */
#ifndef GLIMPSE_TRACE_SYMBOLS_STORE_NAMES_H
#define GLIMPSE_TRACE_SYMBOLS_STORE_NAMES_H

#include "trace/trace.h"

/*
 * Calls own_stored once the names of files that may soon be replaced are in their places; those of
 * packages are left, whose compressed debug information takes the most time. Each file is locked
 * (flock) until it is complete. Returns false if a file cannot be written. The beginning of a file,
 * up to any newline, is one of fewer names: the caller may end it at any time.
 */
bool store_names(const struct trace *t, void (*own_stored)(void *context), void *context);

#endif
