/*
 * Caches the logs of another tool's trace: in TRACE.glimpse beside it, or, if that cannot be made,
 * in $XDG_CACHE_HOME/glimpse. They are used until the trace or the specification changes.
 */
#ifndef GLIMPSE_CLI_IMPORT_CACHE_H
#define GLIMPSE_CLI_IMPORT_CACHE_H

#include <stdbool.h>

/*
 * Returns the directory for the logs of a trace; *fresh: they are there. What is there and is out
 * of date is removed. The caller frees it. NULL: there is no place for it.
 */
char *import_cache_find(const char *trace, const char *spec, bool *fresh);
/*
 * Notes in a directory with logs what they were made of. Returns false with errno set if it cannot
 * be written.
 */
bool import_cache_note(const char *directory, const char *trace, const char *spec);

#endif
