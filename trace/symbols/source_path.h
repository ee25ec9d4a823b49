/* Finds the source files in debug information that do not belong to the program. */
#ifndef GLIMPSE_TRACE_SYMBOLS_SOURCE_PATH_H
#define GLIMPSE_TRACE_SYMBOLS_SOURCE_PATH_H

#include <stdbool.h>

/*
 * Returns whether a source file came with the system, the compiler or a package of cargo; NULL: not
 * known, false.
 */
bool source_path_is_of_system(const char *path);

#endif
