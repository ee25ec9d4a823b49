/* Writes a specification beside logs. */
#ifndef GLIMPSE_TRACE_WRITE_SPEC_WRITE_H
#define GLIMPSE_TRACE_WRITE_SPEC_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes a new file of a specification's text. The first byte is written last: readers pass over a
 * file that has 0 there, so half a specification is never read as another one. Returns false with
 * errno set if the file cannot be made or written; a file that it made stays then.
 */
bool spec_write(const char *path, const void *text, size_t size);

#endif
