/* Calls threads that have no name of their own by the functions that they begin with. */
#ifndef GLIMPSE_TRACE_SYMBOLS_START_NAMES_H
#define GLIMPSE_TRACE_SYMBOLS_START_NAMES_H

#include "trace/trace.h"

/*
 * Sets the names of such threads, and all labels. The function is the attribute of the style
 * `starts`, as far as it is one of the program itself whose symbol is known: what a library begins
 * its threads with says nothing of them. Of a std::thread it is the callable, as far as samples of
 * its stack show that (callables.h). Symbols are read only if there are such threads. To be called
 * before anything keeps a name or a label. Returns the trace; of NULL, NULL.
 */
struct trace *start_names_add(struct trace *t);

#endif
