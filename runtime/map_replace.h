/* Memory in the place of files that were mapped. */
#ifndef GLIMPSE_RUNTIME_MAP_REPLACE_H
#define GLIMPSE_RUNTIME_MAP_REPLACE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Puts memory, all zeros, in the place of a mapped file: private memory, or shared where there may
 * be no room for that. Returns false if there is none; the file is then still there.
 */
bool gl_map_replace(void *at, size_t span);

#endif
